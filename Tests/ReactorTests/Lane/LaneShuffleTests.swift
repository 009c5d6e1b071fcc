import TestLimits
import TestSupport
import Testing

@testable import Reactor

/// Everything at once, by chance: each seed is a reactor, its lanes, and a script.
///
/// `REACTOR_SEED=17` in the environment runs one seed alone.
@Suite(.bounded) struct LaneShuffleTests {
  @Test(arguments: TestCounts.seeds())
  func `in any history, every action has one outcome and nothing is left`(_ seed: UInt64) async {
    var random = SplitMix64(seed: seed)
    let problems =
      switch random.below(8) {
      case 0, 1, 2: await LaneShuffle(PlainLaned.self, random).run()
      case 3, 4: await LaneShuffle(ActionHookedLaned.self, random).run()
      case 5: await LaneShuffle(MutationHookedLaned.self, random).run()
      case 6: await LaneShuffle(StateHookedLaned.self, random).run()
      default: await LaneShuffle(FullyHookedLaned.self, random).run()
      }
    #expect(problems == [], "REACTOR_SEED=\(seed)")
  }
}
