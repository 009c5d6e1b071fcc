import Foundation
import Reactor
import ReactorJournal
import ReactorRuntime
import ReactorTesting
import TestLimits
import TestSupport
import Testing

@testable import ReactorDistribution

/// A standby that takes over and has not got everything.
@Suite(.bounded) struct FailoverTests {
  private let key = JournalKey(name: "list", id: "1")

  private func entry(_ value: Int) -> JournalEntry {
    JournalEntry(
      sequence: 1, version: 1, payload: Data("\(value)".utf8),
      time: Date(timeIntervalSinceReferenceDate: 0))
  }

  @Test func `another owner's entry under the same epoch is not taken for its own`()
    async throws
  {
    try await simulatedWorld { world in
      let machine = SimulatedMachine("a", in: world, idle: nil) { _ in }
      let store = SimulatedConnection(machine: machine)
      let clock = ClusterClock(world.simulation.clock)
      let incarnation = try await HostIncarnation.begin(
        as: ClusterHost(id: HostID(world.makeID()), address: "a"), in: store, clock,
        lease: .seconds(60))
      let journal = HostJournal(incarnation, store, clock, version: 1, attemptLimit: 5)
      let claim = try await journal.take(key)
      machine.cut { $0.fromDatabase = true }
      let isBelieved = Log<Bool>()
      PipelineTasks.inheriting {
        do {
          try await journal.append([entry(7)], to: key, epoch: claim.epoch)
          isBelieved.append(true)
        } catch { isBelieved.append(false) }
      }
      while world.database.contents.extent(of: key).last == 0 {
        try await world.sleep(.milliseconds(10))
      }
      // The standby knows neither of the append nor of the taking.
      world.database.failOver { $0.owner(of: key, now: world.now) == nil }
      let other = SimulatedConnection(
        machine: SimulatedMachine("b", in: world, idle: nil) { _ in })
      let host = ClusterHost(id: HostID(world.makeID()), address: "b")
      _ = try await other.join(host, lease: .seconds(60))
      let taking = try await other.take(key, for: host.id, version: 1, limit: 5)
      #expect(taking == .taken(epoch: claim.epoch, takings: 1))
      try await other.append(
        ClusterBatch(entries: [entry(8)], isFirst: true), to: key, by: host.id, epoch: claim.epoch)
      machine.heal()
      while isBelieved.entries.isEmpty { try await world.sleep(.milliseconds(100)) }
      #expect(isBelieved.entries == [false])
    }
  }

  @Test func `a failover that loses entries ends every instance`() async throws {
    try await simulatedWorld { world in
      let machines = [try await world.start("a", idle: nil), try await world.start("b", idle: nil)]
      #expect(try await machines[0].lists["1"].ask { .append(7, $0) } == 1)
      #expect(try await machines[1].lists["1"].ask { .append(8, $0) } == 2)
      let before = machines.map(\.node.hostID)
      world.database.failOver { $0.entries(of: key, after: 0, limit: 9).count == 1 }
      #expect(world.database.contents.entries(of: key, after: 0, limit: 9).count == 1)
      for (machine, before) in zip(machines, before) {
        while [before, nil].contains(machine.node.hostID) {
          try await world.sleep(.milliseconds(100))
        }
      }
      // What is there is what the standby had, and they go on from that.
      for machine in machines {
        #expect(try await machine.lists["1"].currentState(.fenced) == [7])
      }
      #expect(try await machines[1].lists["1"].ask { .append(9, $0) } == 2)
      #expect(try await machines[0].lists["1"].ask { .read($0) } == [7, 9])
    }
  }
}
