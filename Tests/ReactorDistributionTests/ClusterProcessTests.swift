import Foundation
import Reactor
import ReactorJournal
import TestSupport
import Testing

@testable import ReactorDistribution

/// Hosts that are processes, on a server that is one.
@Suite(
  .enabled(if: PostgresServer.isInstalled, PostgresServer.missing), .serialized,
  .timeLimit(.minutes(20)))
struct ClusterProcessTests {
  private static var kills: Int {
    ProcessInfo.processInfo.environment["REACTOR_KILLS"].flatMap { Int($0) } ?? 3
  }

  private func rows(
    _ store: PostgresStore, _ id: String
  ) async throws -> [(sequence: Int, epoch: Int, value: Int)] {
    let key = JournalKey(name: "list", id: id)
    var rows: [(sequence: Int, epoch: Int, value: Int)] = []
    for entry in try await store.entries(of: key, after: 0, limit: 1_000_000) {
      let epoch = try await store.epoch(of: key, at: entry.sequence) ?? 0
      let value = try JSONDecoder().decode(Int.self, from: entry.payload)
      rows.append((entry.sequence, epoch, value))
    }
    return rows
  }

  /// The host that has a list, and one that has not.
  private func owner(
    of id: String, _ store: PostgresStore, among hosts: [FixtureHost]
  ) async throws -> (owner: FixtureHost, other: FixtureHost) {
    let owner = try await store.owner(of: JournalKey(name: "list", id: id))
    let address = try #require(owner?.host.address)
    return (
      try #require(hosts.first { $0.address == address }),
      try #require(hosts.first { $0.address != address })
    )
  }

  private final class Book: Sendable {
    let history = Guarded(History())
    let start = ContinuousClock.now
    var now: Duration { ContinuousClock.now - start }

    func append(_ value: Int, by host: FixtureHost, to id: String) async -> Int? {
      history.withLock { [now] in $0.appends.append(.init(value: value, begun: now)) }
      let place = await host.append(value, to: id)
      history.withLock { [now] history in
        guard let place, let index = history.appends.firstIndex(where: { $0.value == value })
        else { return }
        (history.appends[index].place, history.appends[index].ended) = (place, now)
      }
      return place
    }
  }

  @Test func `whatever is killed, what was acknowledged is there once, and soon goes on`()
    async throws
  {
    let (info, schema) = (try await PostgresServer.shared.info, PostgresServer.name())
    let store = try await PostgresServer.shared.store(schema: schema)
    var hosts = [
      try await FixtureHost(info, schema: schema), try await FixtureHost(info, schema: schema),
      try await FixtureHost(info, schema: schema),
    ]
    let book = Book()
    var value = 0
    var times: [Duration] = []
    for _ in 0..<Self.kills {
      value += 1
      #expect(await book.append(value, by: hosts[0], to: "1") != nil)
      let (owner, other) = try await owner(of: "1", store, among: hosts)
      // In the middle of what it is asked.
      value += 1
      let value2 = value
      async let torn = book.append(value2, by: owner, to: "1")
      let killed = book.now
      owner.signal(SIGKILL)
      value += 1
      let place = await book.append(value, by: other, to: "1")
      #expect(place != nil, "it was not answered elsewhere")
      times.append(book.now - killed)
      _ = await torn
      hosts.removeAll { $0 === owner }
      hosts.append(try await FixtureHost(info, schema: schema))
    }
    let history = book.history.withLock { $0 }
    #expect(history.problems(beside: try await rows(store, "1")) == [])
    #expect(times.allSatisfy { $0 <= .seconds(7) }, "\(times)")
    print("failover times: \(times.map { $0 / .seconds(1) })")
  }

  @Test func `an owner that was stopped and goes on writes nothing, and is not believed`()
    async throws
  {
    let (info, schema) = (try await PostgresServer.shared.info, PostgresServer.name())
    let store = try await PostgresServer.shared.store(schema: schema)
    let hosts = [
      try await FixtureHost(info, schema: schema, lease: 2),
      try await FixtureHost(info, schema: schema, lease: 2),
    ]
    let book = Book()
    #expect(await book.append(1, by: hosts[0], to: "1") == 1)
    let (owner, other) = try await owner(of: "1", store, among: hosts)
    owner.signal(SIGSTOP)
    async let late = book.append(2, by: owner, to: "1")
    #expect(await book.append(3, by: other, to: "1") == 2)
    owner.signal(SIGCONT)
    // What it was asked is done where the reactor is by now, after the other.
    #expect(await late == 3)
    let history = book.history.withLock { $0 }
    let found = try await rows(store, "1")
    #expect(history.problems(beside: found) == [])
    #expect(found.map(\.value) == [1, 3, 2])
  }

  @Test func `a host that leaves hands over at once`() async throws {
    let (info, schema) = (try await PostgresServer.shared.info, PostgresServer.name())
    let store = try await PostgresServer.shared.store(schema: schema)
    let hosts = [
      try await FixtureHost(info, schema: schema), try await FixtureHost(info, schema: schema),
    ]
    #expect(await hosts[0].append(1, to: "1") == 1)
    let (owner, other) = try await owner(of: "1", store, among: hosts)
    owner.say("leave")
    #expect(await owner.line { $0 == "left" } == "left")
    let begun = ContinuousClock.now
    #expect(await other.append(2, to: "1") == 2)
    #expect(ContinuousClock.now - begun < .seconds(4))
  }

  @Test func `swallowed answers to commits are looked for, and nothing is there twice`()
    async throws
  {
    let (info, schema) = (try await PostgresServer.shared.info, PostgresServer.name())
    let store = try await PostgresServer.shared.store(schema: schema)
    let proxy = try SwallowingProxy(to: info, every: 3)
    let port = try #require(info.split(separator: " ").first { $0.hasPrefix("port=") })
    let host = try await FixtureHost(
      info.replacing(port, with: "port=\(proxy.port)"), schema: schema)
    let book = Book()
    for value in 1...20 { #expect(await book.append(value, by: host, to: "1") == value) }
    #expect(proxy.swallowed >= 5)
    let history = book.history.withLock { $0 }
    #expect(history.problems(beside: try await rows(store, "1")) == [])
  }
}
