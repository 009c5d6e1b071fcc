import AsyncAlgorithms
import Reactor
import Testing
import TestLimits

/// The hooks' inputs are ordinary async sequences: swift-async-algorithms takes them as they are.
@Suite(.bounded) struct OperatorTests {
  @Test func `merge, debounce, throttle and removeDuplicates take the actions`() async {
    let reactor = OperatorReactor()
    var states = reactor.state.makeAsyncIterator()
    #expect(await states.next() == 0)
    await reactor.send(1).settled
    // Debounced and throttled by nothing at all, the action still comes through, once.
    while let state = await states.next(), state != 1 {}
    #expect(await reactor.currentState == 1)
  }
}

private actor OperatorReactor: Reactor {
  typealias Action = Int
  typealias Mutation = Int
  let initialState = 0
  let pipeline = Pipeline()

  func transform(action: Actions) -> some AsyncSequence<Int, Never> {
    merge(action.debounce(for: .zero), AsyncStream { $0.finish() })
      ._throttle(for: .zero)
      .removeDuplicates()
  }

  func transform(mutation: Mutations) -> some AsyncSequence<Int, Never> {
    merge(mutation.removeDuplicates(), AsyncStream { $0.finish() })
  }

  func reduce(state: inout Int, mutation: Int) { state += mutation }

  func transform(state: States) -> some AsyncSequence<Int, Never> {
    merge(state.removeDuplicates(), AsyncStream { $0.finish() })
  }
}
