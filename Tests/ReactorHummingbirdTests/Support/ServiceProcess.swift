import Foundation
import ProgramTesting
import TestSupport

/// A program of this package, what it prints, and how it ends.
final class ServiceProcess: Sendable {
  private let lines = Log<String>()
  private let status = Log<Int32>()
  private let pid: Int32

  /// Starts it.
  ///
  /// - Parameters:
  ///   - name: Its name.
  ///   - environment: What its environment has beside ours.
  ///   - arguments: What it is given.
  ///   - readsErrors: Whether what it writes to standard error counts as well.
  /// - Throws: Why it does not start.
  init(
    _ name: String, _ environment: [String: String] = [:], arguments: [String] = [],
    readsErrors: Bool = false
  ) throws {
    let output = try Descriptors.pipe()
    let printing: [Int32] = readsErrors ? [1, 2] : [1]
    // Not by Foundation's Process: to count the open descriptors it reads more of each entry of a
    // directory than there is, which now and then is the end of the memory.
    let pid = try ChildProcess(
      executable: BuiltProduct.path(name), arguments: arguments,
      environment: ProcessInfo.processInfo.environment.merging(environment) { $1 },
      descriptors: printing.map { ($0, .copy(of: output.write)) }
    ).start()
    close(output.write)
    self.pid = pid
    Thread.detachNewThread { [lines, status] in
      var text = ""
      while let bytes = Descriptors.readSome(output.read) {
        text += String(decoding: bytes, as: UTF8.self)
        while let end = text.firstIndex(of: "\n") {
          lines.append(String(text[..<end]))
          text = String(text[text.index(after: end)...])
        }
      }
      close(output.read)
      switch ChildProcess.wait(for: pid) {
      case .exited(let number), .signalled(let number): status.append(number)
      }
      lines.append("closed")
    }
  }

  /// What follows on the first text of this kind; `nil` if the program has ended before.
  func text(after start: String) async -> String? {
    await first { line in line.range(of: start).map { String(line[$0.upperBound...]) } }
  }

  /// What follows on the first line that begins so; `nil` if the program has ended before.
  func line(after start: String) async -> String? {
    await first { $0.hasPrefix(start) ? String($0.dropFirst(start.count)) : nil }
  }

  private func first(_ found: (String) -> String?) async -> String? {
    var seen = 0
    while true {
      let all = await lines.entries(upTo: seen + 1)
      for line in all[seen...] {
        if let found = found(line) { return found }
        if line == "closed" { return nil }
      }
      seen = all.count
    }
  }

  func terminate() { kill(pid, SIGTERM) }

  /// Ends it as a power failure does: at once.
  func killAtOnce() { kill(pid, SIGKILL) }

  /// Waits for the end.
  ///
  /// - Returns: Its status, and the numbers that it has printed, by their words.
  func end() async -> (Int32, [String: Int]) {
    _ = await line(after: "closed")
    let status = await status.entries(upTo: 1)[0]
    var counts: [String: Int] = [:]
    for line in lines.entries {
      let words = line.split(separator: " ")
      if words.count == 2, let count = Int(words[1]) { counts[String(words[0])] = count }
    }
    return (status, counts)
  }
}
