import TestLimits
import TestSupport
import Testing

@testable import Reactor

/// Everything at once, at random, as an observer receives it.
///
/// `REACTOR_SEED=17` in the environment runs one seed alone.
@Suite(.bounded) struct ObserverShuffleTests {
  @Test(arguments: TestCounts.seeds())
  func `replaying the observed steps leads to the same states and outcomes`(_ seed: UInt64) async {
    var random = SplitMix64(seed: seed)
    let problems =
      switch random.below(8) {
      case 0, 1, 2: await LaneShuffle(PlainLaned.self, random, isObserved: true).run()
      case 3, 4: await LaneShuffle(ActionHookedLaned.self, random, isObserved: true).run()
      case 5: await LaneShuffle(MutationHookedLaned.self, random, isObserved: true).run()
      case 6: await LaneShuffle(StateHookedLaned.self, random, isObserved: true).run()
      default: await LaneShuffle(FullyHookedLaned.self, random, isObserved: true).run()
      }
    #expect(problems == [], "REACTOR_SEED=\(seed)")
  }
}
