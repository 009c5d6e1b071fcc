import Foundation
import Reactor
import ReactorTesting
import TestLimits
import TestSupport
import Testing

@testable import ReactorDistribution

/// Calls that are cancelled, or whose time is up, while another host has the work.
@Suite(.bounded) struct CancellingTests {
  @Test func `an action that is cancelled while its reactor is made does not begin`() async throws {
    try await simulatedWorld(seeds: 0..<5) { world in
      let (one, two) = (try await world.start("a"), try await world.start("b"))
      let jobLog = JobLog()
      let here = one.jobs(jobLog)
      two.jobs(jobLog) { try await $0.sleep(for: .seconds(2)) }
      try await world.sleep(.seconds(3))
      let id = two.jobIDs(1)[0]
      let asking = RunningCall { try await here[id].ask { .hang($0) } }
      try await world.sleep(.milliseconds(500))
      asking.cancel()
      await #expect(throws: CancellationError.self) { try await asking.value }
      try await world.sleep(.seconds(60))
      #expect(jobLog.begun.entries.isEmpty)
      #expect(two.node.slots.count == 0)
    }
  }

  @Test func `an action whose time is up when its reactor is made does not begin`() async throws {
    try await simulatedWorld(seeds: 0..<5) { world in
      let (one, two) = (try await world.start("a"), try await world.start("b"))
      let here = one.jobs()
      let there = two.jobs { try await $0.sleep(for: .seconds(2)) }
      try await world.sleep(.seconds(3))
      let id = two.jobIDs(1)[0]
      await #expect(throws: ClusterError.self) {
        try await here[id].ask(within: .seconds(1)) { .append(7, $0) }
      }
      try await world.sleep(.seconds(5))
      #expect(try await there[id].currentState().isEmpty)
    }
  }

  @Test func `an action that is cancelled between two attempts is cancelled where it runs`()
    async throws
  {
    try await simulatedWorld(seeds: 0..<20) { world in
      let (one, two) = (try await world.start("a"), try await world.start("b"))
      let jobLog = JobLog()
      let (here, _) = (one.jobs(jobLog), two.jobs(jobLog))
      try await world.sleep(.seconds(3))
      let id = two.jobIDs(1)[0]
      // About when the other host says, once in a lease, that it takes longer.
      for millisecond in 0..<10 {
        let asking = RunningCall { try await here[id].ask { .hang($0) } }
        try await world.sleep(.milliseconds(5_000 + millisecond))
        asking.cancel()
        _ = try? await asking.value
      }
      try await world.sleep(.seconds(30))
      #expect(jobLog.ended.entries.count == jobLog.begun.entries.count)
      #expect(two.node.slots.count == 0)
    }
  }
}
