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
        count = state.$board.count
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

  @Test func `a part on the heap is a value`() {
    var one = Part()
    var other = one
    other.numbers[0] = 7
    #expect(one.numbers[0] == 0)
    #expect(other.numbers[0] == 7)
    one.numbers[0] = 7
    #expect(one == other)
    #expect("\(one)" == "Part(numbers: [7, 0])")
  }
}

private struct Part: Equatable, CustomStringConvertible {
  struct Numbers: Equatable {
    var first = 0
    var second = 0

    subscript(index: Int) -> Int {
      get { index == 0 ? first : second }
      set { if index == 0 { first = newValue } else { second = newValue } }
    }
  }

  @OnHeap var numbers = Numbers()

  var description: String { "Part(numbers: [\(numbers.first), \(numbers.second)])" }
}

/// A megabyte, all of it in the value itself.
private struct Board: Sendable {
  var cells = InlineArray<1024, InlineArray<1024, UInt8>>(repeating: .init(repeating: 0))
  var count = 0
}

private actor LargeReactor: Reactor {
  typealias Action = Int
  struct State: Sendable { @OnHeap var board = Board() }

  let initialState = State()
  let pipeline = Pipeline()
  private nonisolated let executor: SmallStackExecutor

  init(_ executor: SmallStackExecutor) { self.executor = executor }

  nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

  var count: Int { currentState.$board.count }

  func reduce(state: inout State, mutation: Int) {
    state.board.cells[mutation][mutation] = 1
    state.board.count += 1
  }
}
