import Foundation
import Reactor
import ReactorJournal
import ReactorRuntime
import ReactorTesting
import TestLimits
import TestSupport
import Testing

@testable import ReactorDistribution

/// Three hosts, four clients and everything that may happen to them, in many orders.
///
/// `REACTOR_HISTORIES=10000` runs so many of them; a few are part of every run.
@Suite(.bounded(minutes: 10)) struct OneWriterTests {
  private static let seeds = 0..<UInt64(TestCounts.histories)

  @Test func `one writer anywhere: no history has anything wrong with it`() async throws {
    let totals = Guarded(Trial.Totals())
    try await simulate(seeds: Self.seeds) { simulation in
      var faults = SimulatedFaults()
      faults.losesAnswersOneIn = simulation.seed % 2 == 0 ? 40 : nil
      let trial = Trial(simulation, faults)
      let problems = try await trial.problems()
      #expect(problems == [])
      totals.withLock { $0.add(trial.totals) }
    }
    // A cluster that did nothing would have done nothing wrong.
    let all = totals.withLock { $0 }
    print("in \(Self.seeds.count) orders: \(all)")
    let seeds = Self.seeds.count
    #expect(all.acknowledged >= seeds * 8, "\(all)")
    #expect(all.stored >= seeds, "\(all)")
    #expect(all.takeovers >= seeds, "\(all)")
    #expect(all.observed >= seeds * 8, "\(all)")
    #expect(all.read >= seeds * 2, "\(all)")
  }

  @Test func `one seed leads to one history, in every run`() async throws {
    for seed in [3, 8] as [UInt64] {
      let histories = Guarded<[[SimulatedDatabase.Commit]]>([])
      for _ in 0..<2 {
        try await simulate(seed: seed) { simulation in
          let trial = Trial(simulation, SimulatedFaults())
          _ = try await trial.problems()
          histories.withLock { $0.append(trial.commits) }
        }
      }
      let (first, second) = histories.withLock { ($0[0], $0[1]) }
      #expect(!first.isEmpty)
      #expect(first == second)
    }
  }

  /// What the simulation is worth: with a database that does something wrong, it has to be seen.
  @Test(arguments: ["loses appends", "repeats commands"])
  func `notices a database that`(_ fault: String) async throws {
    var faults = SimulatedFaults()
    faults.losesAnswersOneIn = 40
    switch fault {
    case "loses appends": faults.losesAppendsOneIn = 20
    default: faults.repeatsCommands = true
    }
    let found = Guarded(false)
    for seed in 0..<UInt64(300) where !found.withLock({ $0 }) {
      try await simulate(seed: seed) { [faults] simulation in
        let problems = try await Trial(simulation, faults).problems()
        if !problems.isEmpty { found.withLock { $0 = true } }
      }
    }
    #expect(found.withLock { $0 }, "nothing of it was seen in 300 orders")
  }

  @Test(arguments: ["as it should", "without lock", "without epoch"])
  func `an append and a taking see each other, where the fence is`(
    _ fence: String
  ) async throws {
    var faults = SimulatedFaults()
    faults.appendsWithoutLock = fence == "without lock"
    faults.appendsWithoutEpoch = fence == "without epoch"
    let found = Guarded(0)
    try await simulate(seeds: 0..<100) { [faults] simulation in
      let world = SimulatedWorld(simulation, faults)
      try await world.run {
        let store = SimulatedConnection(machine: try await world.start("a"))
        let hosts = (0..<2).map { ClusterHost(id: HostID(world.makeID()), address: "\($0)") }
        let key = JournalKey(name: "list", id: "1")
        for host in hosts { _ = try await store.join(host, lease: .seconds(60)) }
        _ = try await store.take(key, for: hosts[0].id, version: 1, limit: 9)
        try await store.leave(hosts[0].id)
        let entry = JournalEntry(sequence: 1, version: 1, payload: Data("7".utf8), time: Date())
        async let written: Void? = try? store.append(
          ClusterBatch(entries: [entry]), to: key, by: hosts[0].id, epoch: 1)
        _ = try await store.take(key, for: hosts[1].id, version: 1, limit: 9)
        let seen = try await store.extent(of: key).last
        let isWritten = await written != nil
        // Whatever the old owner wrote, the new one has seen.
        if isWritten != (seen == 1) { found.withLock { $0 += 1 } }
      }
    }
    #expect((found.withLock { $0 } == 0) == (fence == "as it should"))
  }
}
