import Observation
import Reactor
import ReactorObservation
import TestLimits
import TestSupport
import Testing

/// A late step of a mirror costs as much as one of the first.
@MainActor @Suite(.bounded) struct MirrorGrowthTests {
  private actor Form: Reactor {
    enum Action { case setCount(Int), setText(String) }
    struct State: Equatable {
      var count = 0
      var text = ""
    }
    typealias Mutation = Action

    let initialState = State()
    let pipeline = Pipeline()

    func reduce(state: inout State, mutation: Action) {
      switch mutation {
      case .setCount(let count): state.count = count
      case .setText(let text): state.text = text
      }
    }
  }

  @Test func `a mirror that is written to, and follows`() async {
    // Other tests run on the main actor's thread as well, so the cheapest of many tries counts.
    var least = Double.infinity
    for _ in 1...5 where least > Growth.mostLate / 1.5 { least = min(least, await ratio()) }
    #expect(least < Growth.mostLate)
  }

  /// How many times as much a step costs late in one life as early.
  private func ratio() async -> Double {
    let form = await ObservedReactor(Form())
    var costs: [Duration] = []
    // Each step goes to another thread and back, which takes long beside busy processes.
    let rounds = TestCounts.steps / 200
    for round in 0..<rounds + 5 {
      let start = CountedThread.time
      for number in 20 * round + 1...20 * (round + 1) {
        form.set(\.count, to: number) { .setCount($0) }
        form.send(.setText("\(number)"))
        await form.until { $0.count == number && $0.text == "\(number)" }
      }
      costs.append(CountedThread.time - start)
    }
    return (costs[rounds...].min() ?? .zero) / (costs[1..<6].min() ?? .zero)
  }
}
