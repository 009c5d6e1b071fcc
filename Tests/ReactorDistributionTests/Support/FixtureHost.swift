import Foundation
import Reactor
import ReactorJournal
import ReactorRuntime
import Synchronization
import ProgramTesting
import TestSupport
import Testing

@testable import ReactorDistribution

/// A host that is a process of its own.
final class FixtureHost: Sendable {
  let address: String
  private let pid: Int32
  private let input: FileHandle
  private let answers = FixtureAnswers()
  /// What it has said, line by line; `closed` is the last.
  let lines = Log<String>()

  /// - Parameters:
  ///   - info: Where the database is, as libpq has it.
  ///   - schema: Which cluster it is part of.
  ///   - lease: How many seconds its lease lasts.
  ///   - place: In which network, and as which host of it.
  /// - Throws: Where it cannot be started.
  init(
    _ info: String, schema: String, lease: Double = 5,
    in place: (network: HostNetwork, number: Int)? = nil
  ) async throws {
    Self.ignoresPipes
    let name = place.map { $0.network.address(of: $0.number) } ?? "127.0.0.1"
    address = "http://\(name):\(try PostgresServer.freePort())"
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments =
      (place.map { $0.network.command(in: $0.number) } ?? [])
      + [BuiltProduct.path("ClusterFixture"), info, schema, address, "\(lease)"]
    // What it says when it crashes is not looked at, and takes its time.
    process.environment = ProcessInfo.processInfo.environment.merging(
      ["SWIFT_BACKTRACE": "enable=no"]) { $1 }
    process.standardError = FileHandle.nullDevice
    let (output, input) = (Pipe(), Pipe())
    process.standardOutput = output
    process.standardInput = input
    try process.run()
    pid = process.processIdentifier
    self.input = input.fileHandleForWriting
    Thread.detachNewThread { [lines, answers, output = output.fileHandleForReading] in
      var text = ""
      while case let data = output.availableData, !data.isEmpty {
        text += String(decoding: data, as: UTF8.self)
        while let end = text.firstIndex(of: "\n") {
          if !answers.take(text[..<end]) { lines.append(String(text[..<end])) }
          text = String(text[text.index(after: end)...])
        }
      }
      answers.end()
      lines.append("closed")
    }
    _ = await line { $0.hasPrefix("ready") }
  }

  deinit { signal(SIGKILL) }

  /// One that is gone may be spoken to.
  private static let ignoresPipes: Void = { _ = Glibc.signal(SIGPIPE, SIG_IGN) }()

  func send(_ line: String) { try? input.write(contentsOf: Data("\(line)\n".utf8)) }

  /// Sends a signal; after `SIGSTOP` it returns once the process has stopped.
  ///
  /// On a busy machine its threads run on until one of them is scheduled, and takes the signal.
  func signal(_ number: Int32) {
    kill(pid, number)
    guard number == SIGSTOP else { return }
    var found = siginfo_t()
    while waitid(P_PID, id_t(pid), &found, WSTOPPED | WEXITED | WNOWAIT) == -1, errno == EINTR {}
  }

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

  /// Whether it is still there; the number is one that has not been used before.
  func answers(_ number: Int) async -> Bool {
    send("ping \(number)")
    return await line { $0 == "pong \(number)" } != nil
  }

  /// The last of the numbers by which no test asks.
  private static let lastQuestion = Atomic(2_000_000)
  fileprivate static var nextQuestion: Int {
    lastQuestion.add(1, ordering: .relaxed).newValue
  }

  /// What a list has, by a fenced read; `nil` where that is not known.
  ///
  /// The number is one that has not been used before.
  func read(_ id: String, _ number: Int) async -> [Int]? {
    send("read \(number) of \(id)")
    return await line { $0.hasPrefix("\(number) ") }.flatMap(Self.values)
  }

  /// The states that it has received of a list that it watches under this number.
  func seen(_ number: Int) -> [[Int]] {
    lines.entries.filter { $0.hasPrefix("\(number) ") }.compactMap(Self.values)
  }

  /// `7 values 1,2,3`.
  private static func values(_ line: String) -> [Int]? {
    let words = line.split(separator: " ", omittingEmptySubsequences: false)
    guard words.count == 3, words[1] == "values" else { return nil }
    return words[2].split(separator: ",").compactMap { Int($0) }
  }

  /// Appends, and says at which place it is; `nil` if that is not known.
  func append(_ item: Int, to id: String) async -> Int? {
    await withCheckedContinuation { continuation in
      if answers.wait(for: item, continuation) { send("append \(item) to \(id)") }
    }
  }
}

extension [FixtureHost] {
  /// The host that has a list, and one that has not.
  ///
  /// On a busy machine a lease may run out before it is renewed, and no host has the list then: the
  /// one that is asked for it next has it, or the one that renews its lease.
  func owner(
    of id: String, in store: PostgresStore
  ) async throws -> (owner: FixtureHost, other: FixtureHost) {
    var found: ClusterOwner?
    while found == nil {
      found = try await store.owner(of: JournalKey(name: "list", id: id))
      if found == nil { _ = await self[0].read(id, FixtureHost.nextQuestion) }
    }
    let address = try #require(found?.host.address)
    return (
      try #require(first { $0.address == address }), try #require(first { $0.address != address })
    )
  }
}

/// Which waiter is for which append.
///
/// Holds: `waiting`, guarded by its own lock; continuations are resumed outside it.
private final class FixtureAnswers: Sendable {
  /// `nil` once there will be no answers any more.
  private let waiting = Guarded<[Int: CheckedContinuation<Int?, Never>]?>([:])

  /// - Returns: Whether there may be an answer; else it has been given.
  func wait(for item: Int, _ continuation: CheckedContinuation<Int?, Never>) -> Bool {
    let isOpen = waiting.withLock { waiting in
      waiting?[item] = continuation
      return waiting != nil
    }
    if !isOpen { continuation.resume(returning: nil) }
    return isOpen
  }

  /// - Returns: Whether a line is the answer to an append: `7 at 3`, or `7 failed: …`.
  func take(_ line: Substring) -> Bool {
    let words = line.split(separator: " ", maxSplits: 2)
    guard words.count > 1, let item = words.first.flatMap({ Int($0) }) else { return false }
    guard let waiter = waiting.withLock({ $0?.removeValue(forKey: item) }) else { return false }
    waiter.resume(returning: words[1] == "at" ? words.last.flatMap { Int($0) } : nil)
    return true
  }

  /// There are no more answers.
  func end() {
    let inVain = waiting.withLock { waiting in
      defer { waiting = nil }
      return waiting.map { Array($0.values) } ?? []
    }
    for waiter in inVain { waiter.resume(returning: nil) }
  }
}
