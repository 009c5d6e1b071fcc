import Reactor
import ReactorComposition
import TestLimits
import TestSupport
import Testing

// The samples of the page Coming from SwiftFlux, copied by hand.

private actor TodoStore: Reactor {
  enum Action { case create(String), remove(Int) }
  let initialState: [String] = []
  let pipeline = Pipeline()

  func reduce(state: inout [String], mutation: Action) {
    switch mutation {
    case .create(let title): state.append(title)
    case .remove(let index): state.remove(at: index)
    }
  }
}

private actor LogStore: Reactor {
  enum Action { case note(String) }
  let initialState: [String] = []
  let pipeline = Pipeline()

  func reduce(state: inout [String], mutation: Action) {
    if case .note(let title) = mutation { state.append(title) }
  }
}

/// Counts what it finds in another.
private actor CounterStore: Reactor {
  enum Action { case count }
  let initialState = 0
  let pipeline = Pipeline()
  private let todos: TodoStore

  init(_ todos: TodoStore) { self.todos = todos }

  func mutate(action: Action) -> MutationStream<Int> {
    .run { [todos] emit in await emit(await todos.currentState.count) }
  }

  func reduce(state: inout Int, mutation: Int) { state = mutation }
}

private enum TodoError: Error { case offline }

private protocol TodoService: Sendable {
  func create(_ title: String) async throws
}

private actor TodoScreen: Reactor {
  enum Action { case create(String), dismissError }
  enum Mutation { case showed(ViewState), created(String) }
  enum Output: Equatable { case created(String) }  // there: an event of the store's emitter
  enum ViewState: Equatable { case ready, creating, error(String) }
  struct State: Equatable { var todos: [String] = [], view = ViewState.ready }

  let initialState = State()
  let pipeline = Pipeline()
  private let service: any TodoService

  init(service: any TodoService) { self.service = service }

  func mutate(action: Action) -> MutationStream<Mutation> {
    switch action {
    case .create(let title):
      .run { emit in
        await emit(.showed(.creating))
        do {
          try await self.service.create(title)
          await emit(.created(title))
          self.output(.created(title))
        } catch let error as TodoError {
          await emit(.showed(.error("\(error)")))
        }
      }
    case .dismissError: .just(.showed(.ready))
    }
  }

  func reduce(state: inout State, mutation: Mutation) {
    switch mutation {
    case .showed(let view): state.view = view
    case .created(let title):
      state.todos.append(title)
      state.view = .ready
    }
  }
}

/// Creates whatever has a title.
private struct TitledTodos: TodoService {
  func create(_ title: String) async throws { if title.isEmpty { throw TodoError.offline } }
}

@Suite(.bounded) struct ComingFromFluxTests {
  private let todos = TodoStore()

  @Test func `todos that are created by a service`() async {
    let screen = TodoScreen(service: TitledTodos())
    let outputs = screen.outputs()
    var states = screen.state.makeAsyncIterator()
    _ = await states.next()
    screen.send(.create("milk"))
    #expect(await states.next()?.view == .creating)
    #expect(await states.next() == TodoScreen.State(todos: ["milk"]))
    #expect(await outputs.next() == .created("milk"))
    await screen.send(.create("")).settled
    #expect(await screen.currentState.view == .error("offline"))
    await screen.send(.dismissError).settled
    #expect(await screen.currentState == TodoScreen.State(todos: ["milk"]))
  }

  @Test func `dispatch`() async {
    let app = ReactorGroup<TodoStore.Action>()
    app.add(todos)
    app.send(.create("milk"))
    await app.send(.create("bread")).settled  // in the state now
    #expect(await todos.currentState == ["milk", "bread"])
    await app.send(.remove(0)).settled
    #expect(await todos.currentState == ["bread"])
  }

  @Test func `tokens`() async {
    let (app, log) = (ReactorGroup<TodoStore.Action>(), LogStore())
    app.add(todos)
    app.add(log) { action in
      if case .create(let title) = action { .note(title) } else { nil }
    }
    await app.send(.create("milk")).settled
    app.remove(log)
    await app.send(.create("bread")).settled
    #expect(await log.currentState == ["milk"])
  }

  @Test func `waitFor`() async throws {
    let (app, counter) = (ReactorGroup<TodoStore.Action>(), CounterStore(todos))
    app.add(todos)
    try app.add(counter, after: todos) { _ in .count }
    await app.send(.create("milk")).settled
    #expect(await counter.currentState == 1)
  }

  @Test func `watching a store`() async {
    await todos.send(.create("milk")).settled
    await todos.stop().settled
    let shown = Log<[String]>()
    func print(_ titles: [String]) { shown.append(titles) }
    for await titles in todos.state { print(titles) }
    #expect(shown.entries == [["milk"]])
  }

  @Test func `store groups`() async {
    let counter = CounterStore(todos)
    func print(_ titles: Int, _ count: Int) { #expect(titles == count) }
    for await (titles, count) in combining(todos.state, counter.state) {
      print(titles.count, count)
      break
    }
  }
}
