import Reactor
import ReactorComposition
import TestLimits
import TestSupport
import Testing

/// Actions are types of their own, as in ReSwift.
private protocol TypedAction: Sendable {}
private struct RequestUser: TypedAction { let id: Int }
private struct ToggleFavourite: TypedAction { let id: Int }
private struct LogOut: TypedAction {}

/// Takes actions of one type.
private struct Favourites: ReactorPart {
  typealias State = Set<Int>

  func reduce(state: inout Set<Int>, mutation: ToggleFavourite) {
    if state.remove(mutation.id) == nil { state.insert(mutation.id) }
  }
}

/// Receives every action, and takes two of them.
private struct User: ReactorPart {
  enum Mutation: Equatable { case loading, loaded(Int), loggedOut }

  struct State: Equatable {
    var isLoading = false
    var id: Int?
  }

  let gate: Gate

  func mutate(action: any TypedAction, state: State) -> MutationStream<Mutation> {
    switch action {
    case let action as RequestUser:
      .concat(
        .just(.loading),
        .run { [gate] emit in
          try await gate.wait()
          await emit(.loaded(action.id))
        })
    case is LogOut: .just(.loggedOut)
    default: .empty
    }
  }

  func reduce(state: inout State, mutation: Mutation) {
    switch mutation {
    case .loading: state.isLoading = true
    case .loaded(let id): state = State(id: id)
    case .loggedOut: state = State()
    }
  }
}

/// Counts every action.
private struct Counting: ReactorPart {
  typealias State = Int

  func reduce(state: inout Int, mutation: any TypedAction) { state += 1 }
}

private actor AppStore: ComposedReactor {
  typealias Action = any TypedAction

  struct State: Equatable {
    var favourites: Set<Int> = []
    var user = User.State()
    var count = 0
  }

  let initialState = State()
  let pipeline = Pipeline()
  let user: User

  init(_ gate: Gate) { user = User(gate: gate) }

  func mutate(action: any TypedAction) -> MutationStream<Mutation> {
    .merge(
      Favourites().mutate(broadcast: action, at: \.favourites, of: currentState),
      user.mutate(broadcast: action, at: \.user, of: currentState),
      Counting().mutate(broadcast: action, at: \.count, of: currentState))
  }
}

@Suite(.bounded) struct BroadcastPartTests {
  private let gate = Gate()

  @Test func `each part receives every action, and takes those of its type`() async {
    let store = AppStore(gate)
    gate.open()
    await store.send(ToggleFavourite(id: 7)).settled
    #expect(await store.currentState == AppStore.State(favourites: [7], count: 1))
    await store.send(RequestUser(id: 1)).settled
    #expect(await store.currentState.user == User.State(id: 1))
    await store.send(LogOut()).settled
    #expect(await store.currentState == AppStore.State(favourites: [7], count: 3))
  }

  @Test func `what parts emit at once is reduced in the turn, in the order of the parts`() async {
    let store = AppStore(gate)
    let receipt = store.send(RequestUser(id: 1))
    await gate.reached()
    #expect(await store.currentState.user.isLoading)
    #expect(await store.currentState.count == 1)
    gate.open()
    await receipt.settled
    #expect(await store.currentState.user.id == 1)
  }

  @Test func `a stream has the actions of one type`() async {
    let store = AppStore(gate)
    let requests = store.actions { $0 is RequestUser }
    gate.open()
    store.send(LogOut())
    await store.send(RequestUser(id: 4)).settled
    #expect((await requests.next() as? RequestUser)?.id == 4)
  }
}
