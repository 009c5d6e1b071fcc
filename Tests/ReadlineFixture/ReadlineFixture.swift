import Readline
#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// A program for the tests to talk to: it repeats what it was told.
///
/// Lines on descriptor 3, if the test opened it, make it act without a key being pressed.
@main
struct ReadlineFixture {
  static func main() async {
    let console = LineConsole(
      prompt: "ask> ", historyName: "readline-fixture", completions: { line, _ in words(line) })
    console.print(console.isInteractive ? "interactive" : "plain")
    let control = Task.detached { await obeyControl(of: console) }
    for await line in console.lines {
      switch line {
      case .text("quit"): return console.close()
      case .text("exit"): exit(3)
      case .text(let text): console.print("text \(text.utf8.count): \(text.prefix(2_000))")
      case .notUTF8: console.printError("not UTF-8")
      case .tooLong: console.printError("too long")
      }
    }
    console.print("no more lines")
    await control.value
  }

  private static func words(_ line: String) -> [String] {
    line.hasPrefix("list ") ? ["milk", "mint", "été"] : ["list", "quit", "quiz"]
  }

  /// A test's way to make something happen while a line is being typed.
  private static func obeyControl(of console: LineConsole) async {
    while let command = readCommand() {
      let argument = String(command.dropFirst(2))
      switch command.first {
      case "p": console.setPrompt(argument)
      case "o": console.print(argument)
      case "e": console.printError(argument)
      case "n": for number in 1...(Int(argument) ?? 1) { console.setPrompt("\(number)> ") }
      default: console.close()
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
