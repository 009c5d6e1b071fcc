import Reactor
import ReactorComposition
import TestLimits
import TestSupport
import Testing

/// Combined states cost in proportion to the number of their subscribers, and of actions.
@Suite(.bounded) struct CombinedGrowthTests {
  @Test func `combined states of one reactor`() async throws {
    let growth = try await Growth.of(100) { count in
      let (one, two) = (TickReactor(), TickReactor())
      let group = ReactorGroup<Int>()
      group.add(one)
      group.add(two)
      await Growth.runSubscribers(of: count, at: { combining(one.state, two.state) }) {
        group.send(1)
      }
    }
    #expect(growth < Growth.most)
  }

  @Test func `actions of a group that a combined state has yet to show`() async throws {
    let growth = try await Growth.of(250) { count in
      let (one, two) = (TickReactor(), TickReactor())
      let group = ReactorGroup<Int>()
      group.add(one)
      group.add(two)
      var states = combining(one.state, two.state).makeAsyncIterator()
      _ = await states.next()
      for _ in 0..<count { group.send(1) }
      while let (sum, _) = await states.next(), sum < count {}
    }
    #expect(growth < Growth.most)
  }
}
