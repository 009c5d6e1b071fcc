import Foundation
import Reactor
import ReactorJournal
import ReactorTesting
import TestLimits
import TestSupport
import Testing

@testable import ReactorDistribution

/// What becomes of calls while a host hands over everything, and goes.
@Suite(.bounded) struct DrainingTests {
  @Test(arguments: [4_000, 5_500, 12_000])
  func `an action that has failed is not run again because its host leaves`(
    milliseconds: Int
  ) async throws {
    try await simulatedWorld(seeds: 0..<10) { world in
      let (one, two) = (try await world.start("a"), try await world.start("b"))
      let jobLog = JobLog()
      let (_, there) = (one.jobs(jobLog), two.jobs(jobLog))
      try await world.sleep(.seconds(3))
      let id = one.jobIDs(1)[0]
      let asking = RunningCall { try await there[id].ask { .fail(milliseconds: milliseconds, $0) } }
      try await world.sleep(.milliseconds(300))
      #expect(await one.node.drain().isEmpty)
      await #expect(throws: ClusterError.self) { try await asking.value }
      #expect(jobLog.begun.entries == [milliseconds])
    }
  }

  @Test func `a host that leaves reports long work as going on, and later its outcome`()
    async throws
  {
    try await simulatedWorld(seeds: 0..<10) { world in
      let (one, two) = (try await world.start("a"), try await world.start("b"))
      let (_, there) = (one.jobs(), two.jobs())
      try await world.sleep(.seconds(3))
      let id = one.jobIDs(1)[0]
      // Longer than an ask without a response retries.
      async let asked = there[id].ask { .work(7, milliseconds: 90_000, $0) }
      try await world.sleep(.milliseconds(300))
      #expect(await one.node.drain().isEmpty)
      #expect(try await asked == 7)
      #expect(try await there[id].currentState() == [7])
    }
  }

  @Test func `work that is cancelled while its host leaves is cancelled there`() async throws {
    try await simulatedWorld(seeds: 0..<10) { world in
      let (one, two) = (try await world.start("a"), try await world.start("b"))
      let (_, there) = (one.jobs(), two.jobs())
      try await world.sleep(.seconds(3))
      let id = one.jobIDs(1)[0]
      let asking = RunningCall { try await there[id].ask { .work(7, milliseconds: 40_000, $0) } }
      try await world.sleep(.milliseconds(300))
      async let abandoned = one.node.drain()
      try await world.sleep(.seconds(10))
      asking.cancel()
      _ = try? await asking.value
      _ = await abandoned
      #expect(world.now < .seconds(25))
      #expect(try await there[id].currentState().isEmpty)
    }
  }

  @Test func `work that ends as its host leaves may ask reactors of a remaining host`()
    async throws
  {
    try await simulatedWorld(seeds: 0..<10) { world in
      let (one, two) = (try await world.start("a"), try await world.start("b"))
      let (here, there) = (one.jobs(), two.jobs())
      try await world.sleep(.seconds(3))
      let (id, other) = (one.jobIDs(1)[0], two.jobIDs(1)[0])
      async let asked = there[id].ask { .consult(other, after: 500, milliseconds: 8_000, $0) }
      try await world.sleep(.milliseconds(300))
      #expect(await one.node.drain().isEmpty)
      #expect(try await asked == 1)
      #expect(try await there[other].currentState() == [1])
      _ = here
    }
  }

  @Test func `work that ends may ask a reactor that its own host hands over`() async throws {
    try await simulatedWorld(seeds: 0..<10) { world in
      let (one, two) = (try await world.start("a"), try await world.start("b"))
      let (_, there) = (one.jobs(), two.jobs())
      try await world.sleep(.seconds(3))
      let ids = one.jobIDs(2)
      async let busy = there[ids[0]].ask { .work(7, milliseconds: 3_000, $0) }
      async let asked = there[ids[1]].ask { .consult(ids[0], after: 500, milliseconds: 10, $0) }
      try await world.sleep(.milliseconds(300))
      #expect(await one.node.drain().isEmpty)
      #expect(try await busy == 7)
      #expect(try await asked == 1)
    }
  }

  @Test func `where no host remains, an ask during the drain ends with an error`() async throws {
    try await simulatedWorld(seeds: 0..<10) { world in
      let one = try await world.start("a")
      let here = one.jobs()
      try await world.sleep(.seconds(1))
      async let busy = here["y"].ask { .work(7, milliseconds: 3_000, $0) }
      let asking = RunningCall {
        try await here["x"].ask { .consult("y", after: 500, milliseconds: 10, $0) }
      }
      try await world.sleep(.milliseconds(300))
      #expect(await one.node.drain().isEmpty)
      #expect(try await busy == 7)
      await #expect(throws: ClusterError.self) { try await asking.value }
      // It does not wait for as long as a call retries.
      #expect(world.now < .seconds(10))
    }
  }

  @Test func `a call that another host works on when its own host is gone is unfinished`()
    async throws
  {
    try await simulatedWorld(seeds: 0..<10) { world in
      let (one, two) = (try await world.start("a"), try await world.start("b"))
      let (here, there) = (one.jobs(), two.jobs())
      try await world.sleep(.seconds(3))
      let id = two.jobIDs(1)[0]
      async let asked = here[id].ask { .hang($0) }
      try await world.sleep(.milliseconds(300))
      _ = await one.node.drain()
      do {
        _ = try await asked
        Issue.record("it hangs")
      } catch {
        guard case ClusterError.unfinished = error else {
          Issue.record("\(error)")
          return
        }
      }
      _ = there
    }
  }

  @Test func `work that a leaving host has stored only in part is unfinished`()
    async throws
  {
    try await simulatedWorld(seeds: 0..<10) { world in
      let one = try await world.start("a")
      let here = one.jobs()
      let asking = RunningCall { try await here["x"].ask { .begin(7, $0) } }
      let key = JournalKey(name: "job", id: "x")
      while world.database.contents.entries(of: key, after: 0, limit: 9).isEmpty {
        try await world.sleep(.milliseconds(100))
      }
      let going = RunningCall { await one.node.drain() }
      try await world.sleep(.seconds(1))
      going.cancel()
      await #expect {
        try await asking.value
      } throws: { error in
        if case ClusterError.unfinished = error { true } else { false }
      }
      _ = try await going.value
    }
  }
}
