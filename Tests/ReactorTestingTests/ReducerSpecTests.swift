import Reactor
import ReactorTesting
import Testing
import TestLimits

@Suite(.bounded) struct ReducerSpecTests {
  /// Runs a specification that is to fail, and checks what it says.
  private func failure(_ text: String, _ body: @escaping @Sendable () async -> Void) async {
    await withKnownIssue {
      await body()
    } matching: { issue in
      issue.comments.contains { $0.rawValue.contains(text) }
    }
  }

  // MARK: What passes

  @Test func `given, when, then`() async {
    await spec(ListReactor(), given: .init(items: [1]), when: .add(2), .add(3)) {
      $0.items = [1, 2, 3]
    }
    await spec(ListReactor(), given: .init(items: [1]), when: .clear, then: .init())
  }

  @Test func `without a given state, it is the initial one`() async {
    await spec(ListReactor(), when: .add(1)) { $0.items = [1] }
    await spec(ListReactor(), when: .add(1), then: .init(items: [1]))
  }

  @Test func `without a closure no change is expected`() async {
    await spec(ListReactor(), when: .clear)
  }

  @Test func `the pipeline is not needed`() async {
    let reactor = ListReactor()
    await spec(reactor, given: .init(items: [9]), when: .clear) { $0.items = [] }
    #expect(await reactor.currentState.items == [])
    await reactor.stop().settled
    await spec(reactor, when: .add(1)) { $0.items = [1] }
  }

  // MARK: What fails, and what it says

  @Test func `another state than expected`() async {
    await failure(
      """
      after add(2), the state differs from the expected one; correct reduce, or the expectation; \
      expected (-), actual (+):

        ListReactor.State(
          items: [
            [0]: 1,
      -     [1]: 3
      +     [1]: 2
          ]
        )
      """
    ) {
      await spec(ListReactor(), given: .init(items: [1]), when: .add(2)) { $0.items = [1, 3] }
    }
  }

  @Test func `of several mutations, what each has changed`() async {
    await failure(
      """
      step by step:

      clear:
      - ListReactor.State(
      -   items: [
      -     [0]: 1
      -   ]
      - )
      + ListReactor.State(items: [])

      clear:
      (no change)

      add(2):
      """
    ) {
      await spec(
        ListReactor(), given: .init(items: [1]), when: .clear, .clear, .add(2),
        then: .init(items: [3]))
    }
  }

  @Test func `a change that was not expected`() async {
    await failure(
      """
      add(2) changed the state unexpectedly; state the change in a closure:

      - ListReactor.State(items: [])
      """
    ) {
      await spec(ListReactor(), when: .add(2))
    }
  }

  @Test func `a change that did not happen`() async {
    await failure("after clear, the state differs from the expected one") {
      await spec(ListReactor(), when: .clear) { $0.items = [1] }
    }
  }

  @Test func `a closure that throws`() async {
    await failure("the closure that says what changes threw: Oops()") {
      await spec(ListReactor(), when: .clear) { _ in throw Oops() }
    }
  }

  @Test func `states that print the same`() async {
    await failure("// Not equal but no difference detected:") {
      await spec(StrangeReactor(), when: 1, then: Strange())
    }
  }

  @Test func `it fails at the line of the call`() async {
    let line = #line + 2
    await withKnownIssue {
      await spec(ListReactor(), when: .add(1))
    } matching: { issue in
      issue.sourceLocation?.line == line
    }
  }
}

private actor ListReactor: Reactor {
  enum Action { case none }
  enum Mutation { case add(Int), clear }
  struct State: Equatable { var items: [Int] = [] }

  let initialState = State()
  let pipeline = Pipeline()

  func mutate(action: Action) -> MutationStream<Mutation> { .empty }

  func reduce(state: inout State, mutation: Mutation) {
    switch mutation {
    case .add(let item): state.items.append(item)
    case .clear: state.items = []
    }
  }
}

/// A state that is equal to none.
private struct Strange: Equatable {
  static func == (left: Strange, right: Strange) -> Bool { false }
}

private actor StrangeReactor: Reactor {
  typealias Action = Int

  let initialState = Strange()
  let pipeline = Pipeline()

  func reduce(state: inout Strange, mutation: Int) {}
}
