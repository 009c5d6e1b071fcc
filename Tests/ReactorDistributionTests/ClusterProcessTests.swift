import Foundation
import Reactor
import ReactorJournal
import TestLimits
import TestSupport
import Testing

@testable import ReactorDistribution

/// Hosts that are processes, on a server that is one.
@Suite(
  .enabled(if: PostgresServer.isInstalled, PostgresServer.missing), .serialized,
  .bounded)
struct ClusterProcessTests {
  private static let kills = TestCounts.hostKills

  @Test func `after any kill, acknowledged actions are there once, and service resumes`()
    async throws
  {
    let (info, schema) = (try await PostgresServer.shared.info, PostgresServer.name())
    let store = try await PostgresServer.shared.store(schema: schema)
    var hosts = [
      try await FixtureHost(info, schema: schema), try await FixtureHost(info, schema: schema),
      try await FixtureHost(info, schema: schema),
    ]
    let recorder = HistoryRecorder()
    var value = 0
    var times: [Duration] = []
    for _ in 0..<Self.kills {
      value += 1
      #expect(await recorder.append(value, to: "1", by: hosts[0]) != nil)
      let (owner, other) = try await hosts.owner(of: "1", in: store)
      // In the middle of what it is asked.
      value += 1
      let value2 = value
      async let torn = recorder.append(value2, to: "1", by: owner)
      let killed = recorder.now
      owner.signal(SIGKILL)
      value += 1
      let place = await recorder.append(value, to: "1", by: other)
      #expect(place != nil, "it was not answered elsewhere")
      times.append(recorder.now - killed)
      _ = await torn
      hosts.removeAll { $0 === owner }
      hosts.append(try await FixtureHost(info, schema: schema))
    }
    #expect(try await recorder.problems(in: store) == [])
    times.sort()
    print("failover times: \(times.map { $0 / .seconds(1) })")
    for time in times { #expect(time <= FailoverBound.time, "\(times)") }
  }

  @Test func `an owner that is paused and resumes writes nothing, and is not believed`()
    async throws
  {
    let (info, schema) = (try await PostgresServer.shared.info, PostgresServer.name())
    let store = try await PostgresServer.shared.store(schema: schema)
    let hosts = [
      try await FixtureHost(info, schema: schema),
      try await FixtureHost(info, schema: schema),
    ]
    let recorder = HistoryRecorder()
    #expect(await recorder.append(1, to: "1", by: hosts[0]) == 1)
    let (owner, other) = try await hosts.owner(of: "1", in: store)
    owner.signal(SIGSTOP)
    async let late = recorder.append(2, to: "1", by: owner)
    let third = await recorder.append(3, to: "1", by: other)
    #expect(third == 2)
    owner.signal(SIGCONT)
    // What it was asked is done where the reactor is by now, after the other.
    let second = await late
    #expect(second == 3)
    #expect(try await recorder.problems(in: store) == [])
  }

  @Test func `an owner that was stopped between append and acknowledgement is believed once`()
    async throws
  {
    let (info, schema) = (try await PostgresServer.shared.info, PostgresServer.name())
    let store = try await PostgresServer.shared.store(schema: schema)
    let proxy = try PostgresProxy(to: info)
    let owner = try await FixtureHost(proxy.info, schema: schema)
    let recorder = HistoryRecorder()
    #expect(await recorder.append(1, to: "1", by: owner) == 1)
    let isStopped = Log<Bool>()
    proxy.onAppend { number in
      guard number == 2 else { return }
      owner.signal(SIGSTOP)
      isStopped.append(true)
    }
    async let late = recorder.append(2, to: "1", by: owner)
    _ = await isStopped.entries(upTo: 1)
    // It has been sent, and the server does it; only the asking host gets no answer.
    let other = try await FixtureHost(info, schema: schema)
    #expect(await recorder.append(3, to: "1", by: other) == 3)
    owner.signal(SIGCONT)
    _ = await late
    #expect(try await recorder.problems(in: store) == [])
  }

  @Test func `a host that leaves hands over without waiting for its lease`() async throws {
    let (info, schema) = (try await PostgresServer.shared.info, PostgresServer.name())
    let store = try await PostgresServer.shared.store(schema: schema)
    // Longer than any call retries.
    let hosts = [
      try await FixtureHost(info, schema: schema, lease: 600),
      try await FixtureHost(info, schema: schema, lease: 600),
    ]
    #expect(await hosts[0].append(1, to: "1") == 1)
    let (owner, other) = try await hosts.owner(of: "1", in: store)
    owner.send("leave")
    #expect(await owner.line { $0 == "left" } == "left")
    #expect(await other.append(2, to: "1") == 2)
  }

  @Test func `lost answers to commits are looked up, and nothing is written twice`()
    async throws
  {
    let (info, schema) = (try await PostgresServer.shared.info, PostgresServer.name())
    let store = try await PostgresServer.shared.store(schema: schema)
    let proxy = try PostgresProxy(to: info, swallowingEvery: 3)
    let host = try await FixtureHost(proxy.info, schema: schema)
    let recorder = HistoryRecorder()
    for value in 1...20 { #expect(await recorder.append(value, to: "1", by: host) == value) }
    #expect(proxy.swallowed >= 5)
    #expect(try await recorder.problems(in: store) == [])
  }
}
