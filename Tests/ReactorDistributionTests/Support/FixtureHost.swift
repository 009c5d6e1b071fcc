import Foundation
import Reactor
import TerminalTesting
import TestSupport

/// A host that is a process of its own.
final class FixtureHost: Sendable {
  let address: String
  private let pid: Int32
  private let input: FileHandle
  /// What it has said, line by line; `closed` is the last.
  let lines = Log<String>()

  init(_ info: String, schema: String, lease: Double = 5) async throws {
    address = "http://127.0.0.1:\(try PostgresServer.freePort())"
    let process = Process()
    process.executableURL = URL(fileURLWithPath: BuiltProduct.path("ClusterFixture"))
    process.arguments = [info, schema, address, "\(lease)"]
    let (output, input) = (Pipe(), Pipe())
    process.standardOutput = output
    process.standardInput = input
    try process.run()
    pid = process.processIdentifier
    self.input = input.fileHandleForWriting
    Thread.detachNewThread { [lines, output = output.fileHandleForReading] in
      var text = ""
      while case let data = output.availableData, !data.isEmpty {
        text += String(decoding: data, as: UTF8.self)
        while let end = text.firstIndex(of: "\n") {
          lines.append(String(text[..<end]))
          text = String(text[text.index(after: end)...])
        }
      }
      lines.append("closed")
    }
    _ = await line { $0.hasPrefix("ready") }
  }

  deinit { signal(SIGKILL) }

  func say(_ line: String) { try? input.write(contentsOf: Data("\(line)\n".utf8)) }

  func signal(_ number: Int32) { kill(pid, number) }

  /// The first line that is so; `nil` if it ends before.
  func line(_ isIt: (String) -> Bool) async -> String? {
    var seen = 0
    while true {
      let all = await lines.entries(upTo: seen + 1)
      for line in all[seen...] {
        if isIt(line) { return line }
        if line == "closed" { return nil }
      }
      seen = all.count
    }
  }

  /// Appends, and says at which place it is; `nil` if that is not known.
  func append(_ item: Int, to id: String) async -> Int? {
    say("append \(item) to \(id)")
    let line = await line { $0.hasPrefix("\(item) at ") || $0.hasPrefix("\(item) failed") }
    return line?.split(separator: " ").last.flatMap { Int($0) }
  }
}
