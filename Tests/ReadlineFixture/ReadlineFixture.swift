import CommandShell
import Foundation
import Reactor
import ReactorRuntime
import Readline

/// A program for the tests to talk to: it repeats its input.
///
/// With an argument, lines on descriptor 3 make it act without a key being pressed, even after
/// the last line. With the argument `lowest`, it only opens a file, and exits with its number.
/// With `threads`, two threads print long lines to standard output, without a console.
@main
struct ReadlineFixture {
  private enum End {
    case again
    case quit
    case noMoreLines
  }

  /// Ends the wait that the line `wait` begins.
  private static let (resumptions, resumption) = AsyncStream.makeStream(of: Void.self)

  /// The console that the control descriptor acts on.
  private static let current = Guarded<LineConsole?>(nil)

  @MainActor static func main() async {
    StandardDescriptors.reserve()
    if CommandLine.arguments.last == "lowest" { exit(open("/dev/null", O_RDONLY)) }
    if CommandLine.arguments.last == "threads" { return await printInThreads() }
    let (control, isOver) = AsyncStream<Never>.makeStream()
    Thread.detachNewThread {
      if CommandLine.argc > 1 { executeControl() }
      isOver.finish()
    }
    while true {
      switch await converse() {
      case .again: continue
      case .quit: return
      case .noMoreLines:
        for await _ in control {}
        return
      }
    }
  }

  private static func converse() async -> End {
    let console = LineConsole(
      prompt: "ask> ", historyName: "readline-fixture", completer: completion)
    current.withLock { $0 = console }
    console.print(console.isInteractive ? "interactive" : "plain")
    for await line in console.lines {
      switch line {
      case .text("quit"), .text("again"):
        console.close()
        return line == .text("again") ? .again : .quit
      case .text("exit"): exit(3)
      case .text("wait"):
        console.print("waiting")
        for await _ in resumptions { break }
      case .text(let text): console.print("text \(text.utf8.count): \(text.prefix(2_000))")
      case .notUTF8: console.printError("not UTF-8")
      case .tooLong: console.printError("too long")
      }
    }
    console.print("no more lines")
    return .noMoreLines
  }

  /// Returns when two threads have printed lines that are longer than the buffer of a pipe.
  private static func printInThreads() async {
    let (ends, end) = AsyncStream.makeStream(of: Void.self)
    for letter in ["a", "b"] {
      Thread.detachNewThread {
        let line = String(repeating: letter, count: 300_000)
        for _ in 0..<20 { StandardOutput.write(line) }
        end.yield()
      }
    }
    var iterator = ends.makeAsyncIterator()
    for _ in 0..<2 { _ = await iterator.next() }
  }

  /// Words, or whatever a program makes of `pick …`: with blanks, with labels, in any order.
  private static let completion: LineConsole.Completer = { line in
    guard line.hasPrefix("pick ") else {
      return LineCompletion(ofLastWordIn: line) { line, _ in words(line) }
    }
    let picks = [("2", "\"wide 語\" ", "2. wide 語"), ("1", "\"é accent", "1. é accent")]
    let start = line.index(line.startIndex, offsetBy: 5)
    return LineCompletion(
      from: start,
      picks.filter { line[start...].isEmpty || $0.0 == line[start...] }
        .map { LineCompletion.Candidate($0.1, label: $0.2) })
  }

  private static func words(_ line: String) -> [String] {
    line.hasPrefix("list ") ? ["milk", "mint", "été"] : ["list", "quit", "quiz"]
  }
}

// MARK: Control

extension ReadlineFixture {
  /// A test's way to make something happen while a line is being typed.
  fileprivate static func executeControl() {
    while let command = readCommand() {
      guard let console = current.withLock({ $0 }) else { continue }
      let argument = String(command.dropFirst(2))
      switch command.first {
      case "p": console.setPrompt(argument)
      case "o": console.print(argument)
      case "e": console.printError(argument)
      case "n": for number in 1...(Int(argument) ?? 1) { console.setPrompt("\(number)> ") }
      case "c": console.close()
      case "g": resumption.yield()
      default: executePane(command, console)
      }
    }
  }

  private static func readCommand() -> String? {
    var bytes: [UInt8] = []
    var byte: UInt8 = 0
    while read(3, &byte, 1) == 1 {
      if byte == UInt8(ascii: "\n") { return String(decoding: bytes, as: UTF8.self) }
      bytes.append(byte)
    }
    return nil
  }
}
