import Foundation
import Reactor
import ReactorJournal
import TestLimits
import TestSupport
import Testing

@testable import ReactorDistribution

/// What is read and observed on a real server, and what crashes its process.
@Suite(
  .enabled(if: PostgresServer.isInstalled, PostgresServer.missing), .serialized,
  .bounded)
struct ObservedProcessTests {
  @Test func `states read or observed while hosts are killed and paused are journaled`()
    async throws
  {
    let (info, schema) = (try await PostgresServer.shared.info, PostgresServer.name())
    let store = try await PostgresServer.shared.store(schema: schema)
    let recorder = HistoryRecorder()
    var hosts: [FixtureHost] = []
    var watching: [(host: FixtureHost, number: Int)] = []
    var (value, number) = (0, 1_000_000)
    func start() async throws {
      let host = try await FixtureHost(info, schema: schema, lease: 2)
      number += 1
      host.send("watch \(number) of 1")
      hosts.append(host)
      watching.append((host, number))
    }
    for _ in 0..<3 { try await start() }
    for round in 0..<4 {
      for host in hosts {
        value += 1
        await recorder.append(value, to: "1", by: host)
        number += 1
        await recorder.read("1") { [number] in await host.read("1", number) }
      }
      let (owner, other) = try await hosts.owner(of: "1", in: store)
      value += 1
      let last = value
      async let torn = recorder.append(last, to: "1", by: owner)
      if round.isMultiple(of: 2) {
        owner.signal(SIGKILL)
        hosts.removeAll { $0 === owner }
      } else {
        owner.signal(SIGSTOP)
      }
      value += 1
      #expect(await recorder.append(value, to: "1", by: other) != nil)
      number += 1
      await recorder.read("1") { [number] in await other.read("1", number) }
      owner.signal(SIGCONT)
      _ = await torn
      if round.isMultiple(of: 2) { try await start() }
    }
    // Every living host sees the last entry in the end.
    let last = await hosts[0].read("1", number + 1)
    let text = try #require(last).map(String.init).joined(separator: ",")
    for (host, number) in watching where hosts.contains(where: { $0 === host }) {
      #expect(await host.line { $0 == "\(number) values \(text)" } != nil)
    }
    for (host, number) in watching { recorder.observed(host.seen(number), of: "1") }
    #expect(try await recorder.problems(in: store) == [])
    store.close()
  }

  @Test func `an append delayed until another host owns the reactor ends the old one`()
    async throws
  {
    let (info, schema) = (try await PostgresServer.shared.info, PostgresServer.name())
    let store = try await PostgresServer.shared.store(schema: schema)
    let proxy = try PostgresProxy(to: info)
    let (held, letGo) = (Log<Int>(), DispatchSemaphore(value: 0))
    proxy.onAppend { number in
      guard number == 2 else { return }
      held.append(number)
      letGo.wait()
    }
    let owner = try await FixtureHost(proxy.info, schema: schema, lease: 2)
    let recorder = HistoryRecorder()
    #expect(await recorder.append(1, to: "1", by: owner) == 1)
    async let late = recorder.append(2, to: "1", by: owner)
    _ = await held.entries(upTo: 1)
    // It is on its way, in the network; the server has not got it.
    owner.signal(SIGSTOP)
    let other = try await FixtureHost(info, schema: schema, lease: 2)
    #expect(await recorder.append(3, to: "1", by: other) == 2)
    owner.signal(SIGCONT)
    letGo.signal()
    // What it was asked is done where the reactor is now.
    #expect(await late == 3)
    owner.send("here")
    #expect(await owner.line { $0.hasPrefix("here") } == "here ")
    #expect(try await recorder.problems(in: store) == [])
    store.close()
  }

  @Test func `a reactor that ends every owner's process is poisoned, and reported`()
    async throws
  {
    let (info, schema) = (try await PostgresServer.shared.info, PostgresServer.name())
    var hosts = [
      try await FixtureHost(info, schema: schema, lease: 1),
      try await FixtureHost(info, schema: schema, lease: 1),
    ]
    var (deaths, number) = (0, 100)
    var refusal: String?
    while refusal == nil, deaths <= 3 {
      number += 1
      hosts[0].send("poison \(number) to 1")
      let answer = await hosts[0].line { [number] in $0.hasPrefix("\(number) failed") }
      if let answer, answer.contains("taken 3 times") { refusal = answer }
      for index in hosts.indices where await !hosts[index].answers(number) {
        deaths += 1
        hosts[index] = try await FixtureHost(info, schema: schema, lease: 1)
      }
    }
    #expect(refusal != nil)
    // As often as the fixture lets it be taken.
    #expect(deaths == 3)
    let reports = hosts.flatMap(\.lines.entries).filter {
      $0.hasPrefix("report list '1' was taken 3")
    }
    #expect(!reports.isEmpty)
    // And no other reactor is affected.
    #expect(await hosts[0].append(1, to: "2") == 1)
  }

  @Test func `of hosts that start at once, one creates the tables, and all share a cluster`()
    async throws
  {
    let (info, schema) = (try await PostgresServer.shared.info, PostgresServer.name())
    let hosts = try await withThrowingTaskGroup(of: FixtureHost.self) { group in
      for _ in 0..<6 { group.addTask { try await FixtureHost(info, schema: schema) } }
      return try await group.reduce(into: []) { $0.append($1) }
    }
    for (number, host) in hosts.enumerated() {
      #expect(await host.append(number + 1, to: "1") == number + 1)
    }
    let store = try await PostgresServer.shared.store(schema: schema)
    let rows = try await store.query(
      """
      select (select count(*) from reactor_schema), (select count(*) from reactor_cluster),
        (select count(*) from reactor_host)
      """
    ).rows
    #expect(rows == [["1", "1", "6"]])
    store.close()
  }
}
