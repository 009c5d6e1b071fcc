import Reactor
import ReactorComposition
import TestLimits
import TestSupport
import Testing

// The samples of *Actions that are types* and *autoBatchEnhancer* on the page Coming from Redux and
// ReSwift.

private protocol AppAction: Sendable {}
private struct RequestUser: AppAction { let id: Int }
private struct ToggleFavourite: AppAction { let id: Int }
private struct LogOut: AppAction {}

private protocol UserService: Sendable {
  func user(_ id: Int) async throws -> String
}

/// Takes the actions of one type, which are its mutations.
private struct Favourites: ReactorPart {
  func reduce(state: inout Set<Int>, mutation: ToggleFavourite) {
    if state.remove(mutation.id) == nil { state.insert(mutation.id) }
  }
}

/// Receives every action, and takes those of two types.
private struct Users: ReactorPart {
  enum Mutation { case loaded(String), loggedOut }
  let service: any UserService

  func mutate(action: any AppAction, state: String?) -> MutationStream<Mutation> {
    switch action {
    case let action as RequestUser:
      .run { [service] emit in await emit(.loaded(try await service.user(action.id))) }
    case is LogOut: .just(.loggedOut)
    default: .empty
    }
  }

  func reduce(state: inout String?, mutation: Mutation) {
    switch mutation {
    case .loaded(let name): state = name
    case .loggedOut: state = nil
    }
  }
}

private actor AppStore: ComposedReactor {
  typealias Action = any AppAction
  struct State { var favourites: Set<Int> = [], user: String? }

  let initialState = State()
  let pipeline = Pipeline()
  let favourites = Favourites()
  let users: Users

  init(service: any UserService) { users = Users(service: service) }

  func mutate(action: Action) -> MutationStream<Mutation> {
    .merge(
      favourites.mutate(broadcast: action, at: \.favourites, of: currentState),
      users.mutate(broadcast: action, at: \.user, of: currentState))
  }
}

private struct NamedUsers: UserService {
  func user(_ id: Int) async throws -> String { "user \(id)" }
}

/// Imports; says how far it is.
private actor ImportReactor: Reactor {
  enum Action { case progress(Int), finish }
  enum Mutation { case progressed(Int), finished }

  struct State: Equatable {
    var progress = 0
    var isFinished = false
  }

  let initialState = State()
  let pipeline = Pipeline()

  func mutate(action: Action) -> MutationStream<Mutation> {
    switch action {
    case .progress(let progress): .just(.progressed(progress))
    case .finish: .just(.finished)
    }
  }

  func reduce(state: inout State, mutation: Mutation) {
    switch mutation {
    case .progressed(let progress): state.progress = progress
    case .finished: state.isFinished = true
    }
  }
}

extension ImportReactor.Mutation: PrioritizedNotification {
  var isLowPriority: Bool { if case .progressed = self { true } else { false } }
}

@Suite(.bounded) struct AppActionsTests {
  @Test func `each part takes the actions of its type`() async {
    let store = AppStore(service: NamedUsers())
    await store.send(ToggleFavourite(id: 3)).settled
    #expect(await store.currentState.favourites == [3])
    await store.send(RequestUser(id: 7)).settled
    #expect(await store.currentState.user == "user 7")
    await store.send(LogOut()).settled
    #expect(await store.currentState.user == nil)
    #expect(await store.currentState.favourites == [3])
  }

  @Test func `a stream of the actions of one type`() async {
    let store = AppStore(service: NamedUsers())
    let requests = store.actions { $0 is RequestUser }
    store.send(RequestUser(id: 7))
    #expect((await requests.next() as? RequestUser)?.id == 7)
  }

  @Test func `progress is rendered once for an interval, the end at once`() async {
    let (importer, clock) = (ImportReactor(), MillisecondClock())
    let rendered = Log<ImportReactor.State>()
    func render(_ state: ImportReactor.State) { rendered.append(state) }
    let sender = Task {
      _ = await rendered.entries(upTo: 1)
      await importer.send(.progress(10)).settled
      await importer.send(.progress(90)).settled
      await importer.send(.finish).settled
      await importer.stop().settled
    }
    for await state in importer.state(batching: .interval(.milliseconds(16), clock: clock)) {
      render(state)
    }
    await sender.value
    // The clock stands: only the state of normal priority has come, with the newest progress.
    #expect(rendered.entries == [.init(), .init(progress: 90, isFinished: true)])
  }
}
