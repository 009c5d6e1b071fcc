import Foundation
import Reactor
import ReactorComposition
import ReactorJournal
import ReactorTesting
import TestLimits
import TestSupport
import Testing

@testable import ReactorDistribution

/// Reports to the operator of a cluster.
@Suite(.bounded) struct ClusterReportTests {
  private let key = JournalKey(name: "list", id: "1")

  /// A host, and what it reports.
  private func host(
    in world: SimulatedWorld
  ) async throws -> (machine: SimulatedMachine, reports: Log<ClusterReport>) {
    let reports = Log<ClusterReport>()
    let machine = try await world.start("a", idle: nil) { $0.report = { reports.append($0) } }
    return (machine, reports)
  }

  /// Owners that never come so far as to recover.
  private func crash(_ count: Int, in world: SimulatedWorld, by machine: SimulatedMachine)
    async throws
  {
    let store = SimulatedConnection(machine: machine)
    for number in 0..<count {
      let host = ClusterHost(id: HostID(world.makeID()), address: "\(number)")
      _ = try await store.join(host, lease: .seconds(60))
      _ = try await store.take(key, for: host.id, version: 1, limit: count)
      try await store.leave(host.id)
    }
  }

  @Test func `a reactor that no owner recovered is reported once, and again once it is cleared`()
    async throws
  {
    try await simulatedWorld(seeds: 0..<5) { [key] world in
      let (one, reports) = try await host(in: world)
      try await crash(5, in: world, by: one)
      for _ in 0..<3 {
        await #expect(throws: ClusterError.self) {
          try await one.lists["1"].ask { .append(1, $0) }
        }
      }
      #expect(reports.entries == [.poisoned(key, attempts: 5)])
      try await SimulatedConnection(machine: one).clearPoisoned(key)
      #expect(try await one.lists["1"].ask { .append(1, $0) } == 1)
      await one.lists.kind.local?.registry.stop("1", .drain)
      try await crash(5, in: world, by: one)
      await #expect(throws: ClusterError.self) {
        try await one.lists["1"].ask { .append(2, $0) }
      }
      #expect(reports.entries == Array(repeating: .poisoned(key, attempts: 5), count: 2))
    }
  }

  @Test func `a database that is unreachable repeatedly poisons nothing`() async throws {
    try await simulatedWorld(seeds: 0..<20) { world in
      let (one, reports) = try await host(in: world)
      #expect(try await one.lists["1"].ask { .append(7, $0) } == 1)
      for _ in 1...8 {
        // What only reads writes nothing by which it would be known that it has recovered.
        #expect(try await one.lists["1"].ask { .read($0) } == [7])
        let before = one.node.hostID
        one.cut { $0.toDatabase = true }
        try await world.sleep(.seconds(8))
        one.heal()
        while one.node.hostID == nil || one.node.hostID == before {
          try await world.sleep(.milliseconds(50))
        }
      }
      #expect(try await one.lists["1"].ask { .append(8, $0) } == 2)
      let isPoisoned = reports.entries.contains { if case .poisoned = $0 { true } else { false } }
      #expect(!isPoisoned)
    }
  }

  @Test func `a lease that runs out is reported, and one that is released is not`() async throws {
    try await simulatedWorld(seeds: 0..<5) { world in
      let (one, reports) = try await host(in: world)
      let before = try #require(one.node.incarnation?.host)
      one.pause(for: .seconds(12))
      try await world.sleep(.seconds(20))
      #expect(reports.entries == [.leaseExpired(before)])
      #expect(await one.node.drain().isEmpty)
      #expect(reports.entries.count == 1)
    }
  }

  @Test func `another history of the database is reported as that`() async throws {
    try await simulatedWorld(seeds: 0..<5) { world in
      let (one, reports) = try await host(in: world)
      let before = try #require(one.node.incarnation?.host)
      world.database.failOver()
      try await world.sleep(.seconds(10))
      let term = ClusterTerm(system: "simulated", timeline: 2)
      #expect(reports.entries == [.historyChanged(before, term)])
    }
  }

  @Test func `a report is one line with what happened, and the key or host`() {
    let host = ClusterHost(id: HostID(UUID()), address: "http://10.0.0.7:8080")
    let reports: [ClusterReport] = [
      .poisoned(key, attempts: 5), .leaseExpired(host),
      .historyChanged(host, ClusterTerm(system: "1", timeline: 2)),
    ]
    for report in reports { #expect(!"\(report)".contains("\n")) }
    #expect("\(reports[0])".contains("\(key)"))
    for report in reports[1...] { #expect("\(report)".contains(host.address)) }
  }
}
