import Reactor
import ReactorComposition
import TestLimits
import TestSupport
import Testing

/// Counts; the action is the mutation.
private struct Counting: ReactorPart {
  enum Action: Equatable { case add(Int), clear }
  typealias State = Int

  func reduce(state: inout Int, mutation: Action) {
    switch mutation {
    case .add(let amount): state += amount
    case .clear: state = 0
    }
  }
}

/// Loads, with an effect.
private struct Loading: ReactorPart {
  enum Action { case load, clear }
  enum Mutation: Equatable { case loading, loaded(String), clear }

  struct State: Equatable {
    var isLoading = false
    var text: String?
  }

  let gate: Gate

  func mutate(action: Action, state: State) -> MutationStream<Mutation> {
    switch action {
    case .load where state.isLoading: .empty
    case .load:
      .concat(
        .just(.loading),
        .run { [gate] emit in
          try await gate.wait()
          await emit(.loaded("text"))
        })
    case .clear: .just(.clear)
    }
  }

  func reduce(state: inout State, mutation: Mutation) {
    switch mutation {
    case .loading: state.isLoading = true
    case .loaded(let text): state = State(text: text)
    case .clear: state = State()
    }
  }
}

/// A part that consists of parts.
private struct Pair: ComposedPart {
  enum Action { case left(Counting.Action), right(Counting.Action) }

  struct State: Equatable {
    var left = 0
    var right = 0
  }

  let counting = Counting()

  func mutate(action: Action, state: State) -> MutationStream<Mutation> {
    switch action {
    case .left(let action): counting.mutate(action: action, at: \.left, of: state)
    case .right(let action): counting.mutate(action: action, at: \.right, of: state)
    }
  }
}

private actor JoinedReactor: ComposedReactor {
  enum Action {
    case pair(Pair.Action), loading(Loading.Action), row(Int, Counting.Action)
    case editor(Counting.Action), clear
  }

  struct State: Equatable {
    var pair = Pair.State()
    var loading = Loading.State()
    var rows: [Int: Int] = [1: 0]
    var editor: Int?
  }

  let initialState: State
  let pipeline = Pipeline()
  let loading: Loading
  private let pair = Pair()
  private let counting = Counting()

  init(_ gate: Gate, from state: State = State()) {
    (loading, initialState) = (Loading(gate: gate), state)
  }

  func mutate(action: Action) -> MutationStream<Mutation> {
    switch action {
    case .pair(let action): pair.mutate(action: action, at: \.pair, of: currentState)
    case .loading(let action): loading.mutate(action: action, at: \.loading, of: currentState)
    case .row(let id, let action):
      counting.mutate(action: action, at: \.rows[id], of: currentState)
    case .editor(let action): counting.mutate(action: action, at: \.editor, of: currentState)
    case .clear:
      .of(
        Mutation(.clear, of: loading, at: \.loading),
        Mutation(.clear, of: counting, at: \.pair.left))
    }
  }
}

@Suite(.bounded) struct PartMutationTests {
  private let gate = Gate()

  @Test func `a part that is joined by one line takes its actions and mutations`() async {
    let reactor = JoinedReactor(gate)
    await reactor.send(.pair(.left(.add(3)))).settled
    await reactor.send(.pair(.right(.add(1)))).settled
    gate.open()
    await reactor.send(.loading(.load)).settled
    #expect(await reactor.currentState.pair == Pair.State(left: 3, right: 1))
    #expect(await reactor.currentState.loading == Loading.State(text: "text"))
    await reactor.send(.clear).settled
    #expect(await reactor.currentState.pair == Pair.State(left: 0, right: 1))
    #expect(await reactor.currentState.loading == Loading.State())
  }

  @Test func `an effect of a joined part begins in its turn, and its part sees the state`() async {
    let reactor = JoinedReactor(gate)
    let receipt = reactor.send(.loading(.load))
    await gate.reached()
    #expect(await reactor.currentState.loading.isLoading)
    await reactor.send(.loading(.load)).settled
    #expect(gate.arrivals == 1)
    receipt.cancel()
    await receipt.settled
    #expect(await reactor.currentState.loading.text == nil)
  }

  @Test func `an action or a mutation of a part that is absent is ignored`() async {
    let reactor = JoinedReactor(gate)
    await reactor.send(.row(1, .add(5))).settled
    await reactor.send(.row(9, .add(5))).settled
    await reactor.send(.editor(.add(5))).settled
    #expect(await reactor.currentState.rows == [1: 5])
    #expect(await reactor.currentState.editor == nil)
    var state = JoinedReactor.State()
    PartMutation(.add(5), of: Counting(), at: \.editor).apply(to: &state)
    #expect(state == JoinedReactor.State())
    state.editor = 1
    PartMutation(.add(5), of: Counting(), at: \.editor).apply(to: &state)
    #expect(state.editor == 6)
  }

  @Test func `mutations are equal by place and value`() {
    typealias Mutation = PartMutation<JoinedReactor.State>
    let counting = Counting()
    let one = Mutation(.add(1), of: counting, at: \.pair.left)
    #expect(one == Mutation(.add(1), of: counting, at: \.pair.left))
    #expect(one != Mutation(.add(2), of: counting, at: \.pair.left))
    #expect(one != Mutation(.add(1), of: counting, at: \.pair.right))
    #expect(
      Mutation(.add(1), of: counting, at: \.rows[1])
        != Mutation(.add(1), of: counting, at: \.rows[2]))
    #expect(one.value as? Counting.Action == .add(1))
    #expect(one.path == \JoinedReactor.State.pair.left)
  }

  @Test func `reports have the name of the part and of the case, and no contents`() {
    let mutation = PartMutation<JoinedReactor.State>(.add(17), of: Counting(), at: \.pair.left)
    #expect(ReportText.text(of: mutation) == "Counting.add")
    #expect("\(mutation)" == "Counting.add(17)")
  }
}
