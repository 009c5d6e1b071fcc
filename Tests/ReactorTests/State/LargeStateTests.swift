import Reactor
import TestLimits
import TestSupport
import Testing

/// TCA#3146, #748, #3290: a large state must not blow the stack.
@Suite(.bounded) struct LargeStateTests {
  @Test func `a state of a megabyte is reduced and shown on a stack of half of that`() async {
    let executor = SmallStackExecutor(stack: 512 * 1024)
    let reactor = LargeReactor(executor)
    let lastCount = Task {
      // The task may subscribe after some actions, so it counts up to the last state, not states.
      var count = 0
      for await state in reactor.state {
        count = state.boards.withUnsafeBufferPointer { $0[0].count }
        if count == 10 { break }
      }
      return count
    }
    var observer = reactor.state.makeAsyncIterator()
    for action in 0..<10 {
      _ = await observer.next()
      await reactor.send(action).settled
    }
    #expect(await lastCount.value == 10)
    #expect(await reactor.count == 10)
    executor.stop()
  }
}

/// A megabyte, all of it in the value itself: as an element of an array it is on the heap.
private struct Board: Sendable {
  var cells = InlineArray<1024, InlineArray<1024, UInt8>>(repeating: .init(repeating: 0))
  var count = 0
}

private actor LargeReactor: Reactor {
  typealias Action = Int
  struct State: Sendable { var boards = [Board()] }

  let initialState = State()
  let pipeline = Pipeline()
  private nonisolated let executor: SmallStackExecutor

  init(_ executor: SmallStackExecutor) { self.executor = executor }

  nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

  var count: Int { currentState.boards.withUnsafeBufferPointer { $0[0].count } }

  func reduce(state: inout State, mutation: Int) {
    state.boards[0].cells[mutation][mutation] = 1
    state.boards[0].count += 1
  }
}
