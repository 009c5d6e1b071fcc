import Foundation
import Reactor
import ReactorJournal
import ReactorRuntime
import TestSupport

@testable import ReactorDistribution

/// A long run against hosts that are killed.
///
/// Holds: `hosts`, guarded by its own lock.
final class Soak: Sendable {
  struct Result: Sendable {
    var seconds = 0.0
    var acknowledged = 0
    var unknown = 0
    var kills = 0
    /// From a kill to an answer for a list that the dead host had.
    var failovers: [Duration] = []
    /// What each answer took.
    var latencies: [Duration] = []
    var entries = 0
    var epochs = 0
    var problems: [String] = []
  }

  private static let lists = 10_000
  private static let clients = 16
  /// So many answers lie between a kill and the next one.
  private static let answers = 300

  private let info: String
  private let schema: String
  private let time: Duration
  private let hosts = Guarded<[FixtureHost]>([])
  private let recorder = HistoryRecorder()
  private let last = Guarded(0)
  private let hasKilled = Guarded(false)
  private let result = Guarded(Result())

  init(info: String, schema: String, time: Duration) {
    (self.info, self.schema, self.time) = (info, schema, time)
  }

  func run() async throws -> Result {
    for _ in 0..<3 { try await addHost() }
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<Self.clients { group.addTask { await self.act() } }
      group.addTask {
        defer { self.hasKilled.withLock { $0 = true } }
        try await self.kill()
      }
      try await group.waitForAll()
    }
    let (problems, counts) = try await reading { store in
      let counts = try await store.query(
        "select count(*), (select sum(epoch) from reactor_owner) from reactor_journal"
      ).rows.first
      return (try await self.recorder.problems(in: store), counts)
    }
    return result.withLock { result in
      result.seconds = recorder.now / .seconds(1)
      result.problems = problems
      result.entries = counts?[0].flatMap { Int($0) } ?? 0
      result.epochs = counts?[1].flatMap { Int($0) } ?? 0
      return result
    }
  }

  private var isOver: Bool { recorder.now >= time }

  private func addHost() async throws {
    let host = try await FixtureHost(info, schema: schema)
    hosts.withLock { $0.append(host) }
  }

  // MARK: Clients

  /// On until the last kill is over: it waits for answers.
  private func act() async {
    while !hasKilled.withLock({ $0 }) {
      guard let host = hosts.withLock({ $0.randomElement() }) else { continue }
      await append(to: "\(Int.random(in: 0..<Self.lists))", by: host)
    }
  }

  @discardableResult
  private func append(to id: String, by host: FixtureHost) async -> Bool {
    let value = last.withLock { last in
      last += 1
      return last
    }
    let begun = recorder.now
    let place = await recorder.append(value, to: id, by: host)
    let taken = recorder.now - begun
    result.withLock { result in
      if place == nil {
        result.unknown += 1
      } else {
        result.acknowledged += 1
        result.latencies.append(taken)
      }
    }
    return place != nil
  }

  // MARK: Kills

  private func kill() async throws {
    while !isOver {
      _ = await recorder.acknowledged.entries(upTo: recorder.acknowledged.count + Self.answers)
      let victim = hosts.withLock { hosts in
        hosts.remove(at: Int.random(in: hosts.indices))
      }
      let lost = try await list(of: victim)
      victim.signal(SIGKILL)
      let killed = recorder.now
      if let lost, let other = hosts.withLock({ $0.randomElement() }) {
        while await !append(to: lost, by: other) {}
      }
      let taken = recorder.now - killed
      result.withLock { result in
        result.kills += 1
        result.failovers.append(taken)
      }
      try await addHost()
    }
  }

  /// A list that a host has.
  private func list(of host: FixtureHost) async throws -> String? {
    try await reading { store in
      try await store.query(
        """
        select o.id from reactor_owner o join reactor_host h on h.host = o.host
        where h.address = $1 limit 1
        """, [.text(host.address)]
      ).rows.first?[0]
    }
  }

  private func reading<Value: Sendable>(
    _ body: @Sendable (PostgresStore) async throws -> Value
  ) async throws -> Value {
    let store = try await PostgresStore(
      info, schema: schema, connections: 1, timeout: .seconds(60))
    defer { store.close() }
    return try await body(store)
  }
}

extension Soak.Result {
  /// What happened, as rows of a table.
  var table: String {
    """
    | what | how often |
    |---|---|
    | seconds | \(Int(seconds)) |
    | hosts killed by SIGKILL, and replaced | \(kills) |
    | appends that were acknowledged | \(acknowledged) |
    | appends of which nobody was told how they ended | \(unknown) |
    | entries in the journals | \(entries) |
    | takings of reactors | \(epochs) |
    | acknowledged and lost, doubled, reordered, of an old epoch, written by nobody | \
    \(problems.count) |
    | from a kill to an answer elsewhere: least, median, 90 %, most | \(line(failovers, "s")) |
    | an append: least, median, 99 %, most | \(line(latencies, "ms")) |
    """
  }

  private func line(_ times: [Duration], _ unit: String) -> String {
    let sorted = times.sorted()
    guard let first = sorted.first, let last = sorted.last else { return "none" }
    let part = unit == "s" ? 0.9 : 0.99
    let places = [first, sorted[sorted.count / 2], sorted[Int(Double(sorted.count) * part)], last]
    let size: Duration = unit == "s" ? .seconds(1) : .milliseconds(1)
    return places.map { String(format: "%.1f", $0 / size) }.joined(separator: ", ") + " \(unit)"
  }
}
