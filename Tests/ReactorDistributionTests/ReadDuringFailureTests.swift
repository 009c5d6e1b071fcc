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

/// Reading while the store is unavailable, or this host has no lease.
@Suite(.bounded) struct ReadDuringFailureTests {
  @Test func `a read whose answer is lost is repeated`() async throws {
    var faults = SimulatedFaults()
    faults.losesAnswersOneIn = 3
    try await simulatedWorld(faults) { world in
      var machine: SimulatedMachine?
      while machine == nil { machine = try? await world.start("a", idle: nil) }
      let one = try #require(machine)
      let seen = Log<[Int]>()
      let watching = watch(one, seen)
      while seen.entries.isEmpty { try await world.sleep(.milliseconds(100)) }
      for item in 1...5 {
        #expect(try await one.lists["1"].ask { .append(item, $0) } == item)
        #expect(try await one.lists["1"].currentState(.fenced) == Array(1...item))
      }
      while seen.entries.last?.count != 5 { try await world.sleep(.milliseconds(100)) }
      #expect(seen.entries == (0...5).map { Array(1..<($0 + 1)) })
      watching.cancel()
      await watching.value
    }
  }

  @Test func `observers and reads at a host that lost its lease wait for the next one`()
    async throws
  {
    try await simulatedWorld(seeds: 0..<10) { world in
      let one = try await world.start("a", idle: nil)
      let before = one.node.hostID
      #expect(try await one.lists["1"].ask { .append(1, $0) } == 1)
      let seen = Log<[Int]>()
      let watching = watch(one, seen)
      while seen.entries.isEmpty { try await world.sleep(.milliseconds(100)) }
      one.cut { $0.toDatabase = true }
      while one.node.incarnation != nil { try await world.sleep(.milliseconds(100)) }
      async let read = one.lists["1"].currentState(.fenced)
      try await world.sleep(.seconds(3))
      one.heal()
      #expect(try await read == [1])
      #expect(try await one.lists["1"].ask { .append(2, $0) } == 2)
      #expect(one.node.hostID != before)
      while seen.entries.last?.count != 2 { try await world.sleep(.milliseconds(100)) }
      #expect(seen.entries == [[1], [1, 2]])
      watching.cancel()
      await watching.value
    }
  }

  @Test func `a store that never answers again is reported as unreachable`() async throws {
    try await simulatedWorld(seeds: 0..<5) { world in
      let one = try await world.start("a", idle: nil)
      #expect(try await one.lists["1"].ask { .append(1, $0) } == 1)
      one.cut { $0.toDatabase = true }
      let begun = world.now
      await #expect {
        try await one.lists["1"].currentState()
      } throws: { error in
        if case ClusterError.unreachable = error { true } else { false }
      }
      #expect(world.now - begun <= one.node.options.retryTimeout * 2)
    }
  }

  /// Writes down every state that is seen from there.
  private func watch(_ machine: SimulatedMachine, _ seen: Log<[Int]>) -> Task<Void, Never> {
    PipelineTasks.inheriting {
      do {
        for try await state in machine.lists["1"].state { seen.append(state) }
      } catch is CancellationError {
      } catch { Issue.record("\(error)") }
    }
  }
}
