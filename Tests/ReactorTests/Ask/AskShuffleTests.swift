import TestLimits
import TestSupport
import Testing

@testable import Reactor

/// Everything at once, by chance: no answer is ever lost, and every ask ends once.
///
/// `REACTOR_SEED=17` in the environment runs one seed alone.
@Suite(.bounded) struct AskShuffleTests {
  @Test(arguments: TestCounts.seeds())
  func `in any history, each ask gets an answer or a reason`(_ seed: UInt64) async {
    var random = SplitMix64(seed: seed)
    let problems =
      switch random.below(4) {
      case 0: await AskShuffle(HookedAsked.self, random).run()
      case 1: await AskShuffle(BoundedAsked.self, random).run()
      default: await AskShuffle(PlainAsked.self, random).run()
      }
    #expect(problems == [], "REACTOR_SEED=\(seed)")
  }
}
