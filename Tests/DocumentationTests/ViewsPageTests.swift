import ListChanges
import Observation
import Reactor
import ReactorComposition
import ReactorObservation
import TestLimits
import TestSupport
import Testing

// The samples of *Lists*, *Views that are loaded later* and *On the main actor* on the page
// Observing state.

private enum Row: Identifiable, Hashable {
  case header(String), advertisement, repository(Int, name: String), loadMore

  var id: Int {
    switch self {
    case .header: -1
    case .advertisement: -2
    case .repository(let id, _): id
    case .loadMore: -3
    }
  }
}

private actor RowsReactor: Reactor {
  typealias Action = [Row]
  typealias Mutation = [Row]

  struct State { var rows: [Row] = [.loadMore] }

  let initialState = State()
  let pipeline = Pipeline()

  func reduce(state: inout State, mutation: [Row]) { state.rows = mutation }
}

@MainActor private final class RowsScreen: RowsView {
  let updates = Log<String>()

  func update(_ changes: ListChanges<Row>, commit: @escaping @MainActor () -> Void) {
    commit()
    updates.append("\(changes)")
  }

  func reload(because error: DuplicateIdentifier, commit: @escaping @MainActor () -> Void) {
    commit()
    updates.append("reload")
  }
}

private struct Todos: ReactorPart {
  enum Action { case add(String) }
  struct State: Equatable { var titles: [String] = [] }

  func reduce(state: inout State, mutation: Action) {
    switch mutation {
    case .add(let title): state.titles.append(title)
    }
  }
}

private actor AppReactor: ComposedReactor {
  enum Action { case todos(Todos.Action) }
  struct State { var todos = Todos.State() }

  let initialState = State()
  let pipeline = Pipeline()

  func mutate(action: Action) -> MutationStream<Mutation> {
    switch action {
    case .todos(let action): Todos().mutate(action: action, at: \.todos, of: currentState)
    }
  }
}

@MainActor @Suite(.bounded) struct ViewsPageTests {
  actor CounterReactor: Reactor {
    typealias Action = Int
    typealias Mutation = Int

    struct State { var value = 0 }

    let initialState = State()
    let pipeline = Pipeline()

    func reduce(state: inout State, mutation: Int) { state.value += mutation }
  }

  final class Label: Sendable {
    let shown = Log<Int>()

    func show(_ value: Int) { shown.append(value) }
  }

  @MainActor @Observable final class CounterScreen: DeferredReactorView {
    let deferredBinding = DeferredBinding<CounterReactor>()
    var label: Label?
    var isViewLoaded: Bool { label != nil }

    func bind(reactor: CounterReactor, subscriptions: ReactorSubscriptions) {
      subscriptions.observe(reactor.state.select(\.value)) { [weak self] in self?.label?.show($0) }
    }
  }

  @Test func `rows of several kinds are shown in a list`() async {
    let (reactor, screen) = (RowsReactor(), RowsScreen())
    let subscriptions = ReactorSubscriptions()
    let list = ListBinding(to: screen)
    subscriptions.observe(reactor.state.buffering(.newest).select(\.rows), in: list)
    #expect(await screen.updates.entries(upTo: 1) == ["insert 0"])
    reactor.send([.header("1"), .repository(1, name: "Reactor"), .loadMore])
    #expect(await screen.updates.entries(upTo: 2) == ["insert 0", "insert 0, 1"])
    #expect(list.rows.count == 3)
    withExtendedLifetime(subscriptions) {}
  }

  @Test func `a screen is bound once its view is loaded`() async {
    let (screen, counter) = (CounterScreen(), CounterReactor())
    screen.reactor = counter  // before the view is loaded
    screen.label = Label()  // now it is bound
    #expect(await screen.label?.shown.entries(upTo: 1) == [0])
  }

  @Test func `a view mirrors its part`() async {
    let app = AppReactor()
    let todos = await ObservedScope(app.scope(\.todos) { (action: Todos.Action) in .todos(action) })
    #expect(todos.titles == [])
    todos.send(.add("milk"))
    while todos.titles.isEmpty { await Task.yield() }
    #expect(todos.titles == ["milk"])
  }
}
