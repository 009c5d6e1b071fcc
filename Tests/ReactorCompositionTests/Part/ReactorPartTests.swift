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

/// Finds; has an effect, and looks at its state before.
private struct Finding: ReactorPart {
  enum Action: Equatable { case find(String), clear }
  enum Mutation: Equatable { case loading, found([String]), clear }

  struct State: Equatable {
    var isLoading = false
    var found: [String] = []
  }

  let gate: Gate

  func mutate(action: Action, state: State) -> MutationStream<Mutation> {
    switch action {
    case .find where state.isLoading: .empty
    case .find(let text):
      .concat(
        .just(.loading),
        .run { [gate] emit in
          try await gate.wait()
          await emit(.found([text]))
        })
    case .clear: .just(.clear)
    }
  }

  func reduce(state: inout State, mutation: Mutation) {
    switch mutation {
    case .loading: state.isLoading = true
    case .found(let found): state = State(found: found)
    case .clear: state = State()
    }
  }
}

private actor TreeReactor: Reactor {
  enum Action {
    case left(Counting.Action)
    case finding(Finding.Action)
    case row(Int, Counting.Action)
    case editor(Counting.Action)
    case setEditor(Int?)
    case clear
  }

  enum Mutation {
    case left(Counting.Mutation)
    case finding(Finding.Mutation)
    case row(Int, Counting.Mutation)
    case editor(Counting.Mutation)
    case setEditor(Int?)
  }

  struct State {
    var left = 0
    var finding = Finding.State()
    var rows: [Int: Int] = [1: 0, 2: 0]
    var editor: Int?
  }

  nonisolated let initialState = State()
  nonisolated let pipeline = Pipeline()
  private let counting = Counting()
  private let finding: Finding

  init(_ gate: Gate) { finding = Finding(gate: gate) }

  func mutate(action: Action) -> MutationStream<Mutation> {
    switch action {
    case .left(let action):
      counting.mutate(action: action, state: currentState.left).map(Mutation.left)
    case .finding(let action):
      finding.mutate(action: action, state: currentState.finding).map(Mutation.finding)
    case .row(let id, let action): .just(.row(id, action))
    case .editor(let action): .just(.editor(action))
    case .setEditor(let value): .just(.setEditor(value))
    case .clear: .of(.left(.clear), .finding(.clear))
    }
  }

  func reduce(state: inout State, mutation: Mutation) {
    switch mutation {
    case .left(let mutation): counting.reduce(state: &state.left, mutation: mutation)
    case .finding(let mutation): finding.reduce(state: &state.finding, mutation: mutation)
    case .row(let id, let mutation): counting.reduce(state: &state.rows[id], mutation: mutation)
    case .editor(let mutation): counting.reduce(state: &state.editor, mutation: mutation)
    case .setEditor(let value): state.editor = value
    }
  }
}

@Suite(.bounded) struct ReactorPartTests {
  private let gate = Gate()

  @Test func `each part takes its own actions, and one action may be for several`() async {
    let (tree, gate) = (TreeReactor(gate), gate)
    gate.open()
    await tree.send(.left(.add(3))).settled
    await tree.send(.finding(.find("a"))).settled
    #expect(await tree.currentState.left == 3)
    #expect(await tree.currentState.finding == Finding.State(found: ["a"]))
    await tree.send(.clear).settled
    #expect(await tree.currentState.left == 0)
    #expect(await tree.currentState.finding == Finding.State())
  }

  @Test func `a part's effect begins in its turn, and is cancelled by its receipt`() async {
    let tree = TreeReactor(gate)
    let receipt = tree.send(.finding(.find("a")))
    await gate.reached()
    #expect(await tree.currentState.finding.isLoading)
    await tree.send(.finding(.find("b"))).settled  // one at a time, says the part
    receipt.cancel()
    await receipt.settled
    #expect(await tree.currentState.finding.found == [])
  }

  @Test func `a mutation of a part that does not exist is ignored`() async {
    let tree = TreeReactor(gate)
    await tree.send(.row(1, .add(5))).settled
    await tree.send(.row(9, .add(5))).settled
    #expect(await tree.currentState.rows == [1: 5, 2: 0])
    await tree.send(.editor(.add(1))).settled
    #expect(await tree.currentState.editor == nil)
    await tree.send(.setEditor(2)).settled
    await tree.send(.editor(.add(1))).settled
    #expect(await tree.currentState.editor == 3)
  }

  @Test func `a part runs as a reactor of its own`() async {
    let store = PartReactor(Counting(), from: 5, named: "counter")
    await store.send(.add(2)).settled
    #expect(await store.currentState == 7)
    #expect(store.identity.name == "counter")
    let strict = PartReactor(
      Counting(), from: 0,
      through: [
        ActionStage(for: Counting.Action.self) { $0 == .clear ? .drop(DropReason("no")) : .pass }
      ])
    strict.send(.add(1))
    await strict.send(.clear).settled
    #expect(await strict.currentState == 1)
  }

  @Test func `a scope sends the part's actions, and shows the part alone`() async {
    let tree = TreeReactor(gate)
    let left = tree.scope(\.left) { (action: Counting.Action) in .left(action) }
    var values = left.state.makeAsyncIterator()
    #expect(await values.next() == 0)
    await tree.send(.row(1, .add(5))).settled
    await left.send(.add(2)).settled
    #expect(await values.next() == 2)
    #expect(await left.currentState == 2)
    #expect(await left.outcome(of: .add(1)).isFinished)
    let doubled = left.scope({ $0 * 2 }, action: { (amount: Int) in Counting.Action.add(amount) })
    await doubled.send(4).settled
    #expect(await doubled.currentState == 14)
  }
}
