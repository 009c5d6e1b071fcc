import Reactor
import ReactorComposition
import TestLimits
import TestSupport
import Testing

/// Streams of states that are made of one another in a loop, on a stack of 256 KiB.
@Suite(.bounded) struct NestedStateTests {
  private let numbers = SharedState(0)

  @Test func `values that are derived from derived ones, and so on, are released`() async {
    await SmallStackReactor().turn { [numbers] _ in
      _ = (0..<TestCounts.levels).reduce(numbers.state) { values, _ in values.derived { $0 + 1 } }
    }
  }

  @Test func `states combined from combined states are released`() async {
    await SmallStackReactor().turn { [numbers] _ in
      _ = (0..<TestCounts.levels).reduce(numbers.state) { sums, _ in
        combining(sums, numbers.state).derived { $0 + $1 }
      }
    }
  }
}
