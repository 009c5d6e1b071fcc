import Foundation
import Reactor
import ReactorComposition
import ReactorJournal
import ReactorRuntime
import ReactorTesting
import TestLimits
import TestSupport
import Testing

@testable import ReactorDistribution

/// Hosts, one case each, in a simulation.
@Suite(.bounded) struct SimulatedHostTests {
  private func key(_ id: String) -> JournalKey { JournalKey(name: "list", id: id) }

  @Test func `answers from whichever host receives the request`() async throws {
    try await simulatedWorld { world in
      let (one, two) = (try await world.start("a"), try await world.start("b"))
      #expect(try await one.lists["1"].ask { .append(7, $0) } == 1)
      #expect(try await two.lists["1"].ask { .append(8, $0) } == 2)
      #expect(try await one.lists["1"].ask { .read($0) } == [7, 8])
      #expect(try await two.lists["1"].currentState(.fenced) == [7, 8])
      // One host has it, and the other one not.
      #expect(one.lists.idsHere.count + two.lists.idsHere.count == 1)
    }
  }

  @Test func `resumes elsewhere within seven seconds when its host is killed`() async throws {
    try await simulatedWorld { world in
      let machines = [try await world.start("a"), try await world.start("b")]
      #expect(try await machines[0].lists["1"].ask { .append(7, $0) } == 1)
      let owner = machines.first { !$0.lists.idsHere.isEmpty }
      let other = try #require(machines.first { $0.lists.idsHere.isEmpty })
      owner?.kill()
      let killed = world.now
      #expect(try await other.lists["1"].ask { .append(8, $0) } == 2)
      #expect(world.now - killed <= .seconds(7))
    }
  }

  @Test func `is handed over in order without waiting for a lease`() async throws {
    try await simulatedWorld { world in
      let machines = [try await world.start("a"), try await world.start("b")]
      #expect(try await machines[0].lists["1"].ask { .append(7, $0) } == 1)
      let owner = try #require(machines.first { !$0.lists.idsHere.isEmpty })
      let other = try #require(machines.first { $0.lists.idsHere.isEmpty })
      let begun = world.now
      #expect(await owner.node.drain().isEmpty)
      #expect(try await other.lists["1"].ask { .append(8, $0) } == 2)
      #expect(world.now - begun < .seconds(3))
    }
  }

  @Test func `a paused owner writes nothing and is not believed`() async throws {
    try await simulatedWorld { world in
      let machines = [try await world.start("a"), try await world.start("b")]
      #expect(try await machines[0].lists["1"].ask { .append(7, $0) } == 1)
      let owner = try #require(machines.first { !$0.lists.idsHere.isEmpty })
      let other = try #require(machines.first { $0.lists.idsHere.isEmpty })
      owner.pause(for: .seconds(12))
      async let late = owner.lists["1"].ask { .append(99, $0) }
      #expect(try await other.lists["1"].ask { .append(8, $0) } == 2)
      // It resumes, and finds out: what it was asked is done by the host that has the reactor.
      #expect(try await late == 3)
      #expect(try await other.lists["1"].ask { .read($0) } == [7, 8, 99])
    }
  }

  @Test func `the old one has ended before the new one begins, as Dapr 9514 has not`()
    async throws
  {
    try await simulatedWorld { world in
      let one = try await world.start("a")
      #expect(try await one.lists["1"].ask { .append(6, $0) } == 1)
      async let slow = one.lists["1"].ask { .appendSlowly(7, milliseconds: 3_000, $0) }
      try await world.sleep(.milliseconds(100))
      let two = try await world.start("b")
      async let drained = one.node.drain()
      try await world.sleep(.milliseconds(500))
      // While the old one works on, no other host has it: the answer comes after all of its work.
      #expect(try await two.lists["1"].ask { .append(8, $0) } == 3)
      #expect(try await slow == 2)
      #expect(await drained.isEmpty)
    }
  }

  @Test func `of fifty takers one becomes the owner`() async throws {
    try await simulatedWorld(seeds: 0..<5) { world in
      let store = SimulatedConnection(machine: try await world.start("a"))
      let hosts = (0..<50).map { ClusterHost(id: HostID(world.makeID()), address: "\($0)") }
      for host in hosts { _ = try await store.join(host, lease: .seconds(60)) }
      let takings = try await withThrowingTaskGroup(of: ClusterTakeResult.self) { group in
        for host in hosts {
          group.addTask { [key = key("1")] in
            try await store.take(key, for: host.id, version: 1, limit: 9)
          }
        }
        return try await group.reduce(into: []) { $0.append($1) }
      }
      #expect(takings.filter { if case .taken = $0 { true } else { false } }.count == 1)
      #expect(takings.filter { if case .owned = $0 { true } else { false } }.count == 49)
    }
  }

  @Test func `a lost answer to a commit is looked up, and nothing is written twice`()
    async throws
  {
    var faults = SimulatedFaults()
    faults.losesAnswersOneIn = 3
    try await simulatedWorld(seeds: 0..<50, faults) { world in
      var machine: SimulatedMachine?
      while machine == nil { machine = try? await world.start("a") }
      let one = try #require(machine)
      for item in 1...5 {
        #expect(try await one.lists["1"].ask { .append(item, $0) } == item)
      }
      #expect(world.database.contents.entries(of: key("1"), after: 0, limit: 9).count == 5)
    }
  }

  @Test func `cancelling the asking task cancels the work on the other host`() async throws {
    try await simulatedWorld { world in
      let machines = [try await world.start("a"), try await world.start("b")]
      _ = try await machines[0].lists["1"].ask { .append(7, $0) }
      let other = try #require(machines.first { $0.lists.idsHere.isEmpty })
      let owner = try #require(machines.first { !$0.lists.idsHere.isEmpty })
      let asking = PipelineTasks.inheriting {
        await #expect(throws: CancellationError.self) {
          try await other.lists["1"].ask { .hang($0) }
        }
      }
      try await world.sleep(.milliseconds(300))
      asking.cancel()
      await asking.value
      // Nothing is left to be done there: it can be drained.
      #expect(await owner.node.drain().isEmpty)
    }
  }

  @Test func `a deadline is transmitted`() async throws {
    try await simulatedWorld { world in
      let machines = [try await world.start("a"), try await world.start("b")]
      for machine in machines {
        let begun = world.now
        await #expect {
          try await machine.lists["1"].ask(within: .seconds(2)) { .hang($0) }
        } throws: { error in
          if case ClusterError.failed(_, let failure) = error {
            failure.kind == .late
          } else {
            false
          }
        }
        #expect(world.now - begun < .seconds(4))
      }
    }
  }

  @Test func `an error has the same reason here and on another host`() async throws {
    try await simulatedWorld { world in
      let machines = [try await world.start("a"), try await world.start("b")]
      for machine in machines {
        await #expect {
          try await machine.lists["1"].ask { .refuse($0) }
        } throws: { error in
          if case ClusterError.failed(_, let failure) = error {
            failure == ClusterFailure(.failed, "sold out", refusal: "SoldOut")
          } else {
            false
          }
        }
        await #expect {
          try await machine.lists["1"].ask { .forget($0) }
        } throws: { error in
          if case ClusterError.failed(_, let failure) = error {
            failure.kind == .released
          } else {
            false
          }
        }
      }
    }
  }

  @Test func `states come without gap or repetition while the reactor moves`() async throws {
    try await simulatedWorld { world in
      let machines = [try await world.start("a"), try await world.start("b")]
      let watcher = try await world.start("c")
      _ = try await machines[0].lists["1"].ask { .append(0, $0) }
      let seen = Log<[Int]>()
      let watching = PipelineTasks.inheriting {
        do {
          for try await state in watcher.lists["1"].state { seen.append(state) }
        } catch {}
      }
      for item in 1...6 {
        if item == 3 { world.living.first { !$0.lists.idsHere.isEmpty && $0 !== watcher }?.kill() }
        _ = try await watcher.lists["1"].ask { .append(item, $0) }
      }
      while seen.entries.last?.count != 7 { try await world.sleep(.milliseconds(100)) }
      let first = seen.entries[0].count
      #expect(seen.entries.map(\.count) == Array(first...7))
      watching.cancel()
    }
  }

  @Test func `a host that joins takes its share, and no action is refused`() async throws {
    try await simulatedWorld(seeds: 0..<3) { world in
      let one = try await world.start("a", idle: nil)
      let two = try await world.start("b", idle: nil)
      for id in 0..<60 { try await one.lists["\(id)"].send(.add(1)) }
      let three = try await world.start("c", idle: nil)
      for round in 0..<10 {
        for id in 0..<60 {
          let count = try await two.lists["\(id)"].ask { .append(round + 2, $0) }
          #expect(count == round + 2)
        }
        try await world.sleep(.milliseconds(500))
      }
      let counts = [one, two, three].map(\.lists.idsHere.count)
      #expect(counts.reduce(0, +) == 60)
      #expect(counts.allSatisfy { $0 >= 8 }, "\(counts)")
    }
  }
}
