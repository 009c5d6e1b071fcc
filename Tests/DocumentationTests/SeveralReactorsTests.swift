import Reactor
import ReactorComposition
import ReactorTesting
import TestLimits
import TestSupport
import Testing

// The samples of the page Several reactors, copied by hand.

private enum AppAction { case logOut, refresh, open(String) }

private actor LoginReactor: Reactor {
  enum Action { case logIn(String), forget }
  struct State { var user: String? }

  let initialState = State()
  let pipeline = Pipeline()

  func reduce(state: inout State, mutation: Action) {
    switch mutation {
    case .logIn(let user): state.user = user
    case .forget: state.user = nil
    }
  }
}

private actor ItemsReactor: Reactor {
  enum Action { case load, clear }
  struct State { var items: [String] = [] }

  let initialState = State()
  let pipeline = Pipeline()

  func reduce(state: inout State, mutation: Action) {
    switch mutation {
    case .load: state.items.append("item")
    case .clear: state.items = []
    }
  }
}

private actor CartReactor: Reactor {
  struct Line { var price: Int }
  struct State { var lines: [Line] = [] }

  let initialState = State()
  let pipeline = Pipeline()

  func reduce(state: inout State, mutation: Int) { state.lines.append(Line(price: mutation)) }
}

/// Keeps notes.
private final class NoteStore: Sendable {
  let texts = Log<String>()
}

private actor NoteReactor: Reactor {
  enum Action { case write(String) }
  enum Output { case saved(Int) }

  let initialState = ""
  let pipeline = Pipeline()
  let name: String
  private let store: NoteStore

  init(_ name: String, _ store: NoteStore) { (self.name, self.store) = (name, store) }

  func mutate(action: Action) -> MutationStream<String> {
    switch action {
    case .write(let text):
      .run { emit in
        self.store.texts.append(text)
        await emit(text)
        self.output(.saved(text.count))
      }
    }
  }

  func reduce(state: inout String, mutation: String) { state = mutation }
}

private actor EditorReactor: Reactor {
  typealias Action = String
  let initialState = ""
  let pipeline = Pipeline()
  let name: String

  init(_ name: String) { self.name = name }

  func reduce(state: inout String, mutation: String) { state += mutation }
}

private actor NotebookReactor: Reactor {
  enum Action { case add(String), remove(String), edit(String?) }
  enum Mutation {
    case added(String), removed(String), edited(String?), saved(String, length: Int)
  }
  struct State { var notes: [String] = [], edited: String?, lengths: [String: Int] = [:] }

  let initialState = State()
  let pipeline = Pipeline()
  let notes: ReactorChildren<String, NoteReactor>  // one for each element of an array or a set
  let editor: ReactorChild<EditorReactor>  // one for an optional, or for a case of an enum

  init(store: NoteStore) {
    notes = pipeline.children(\.notes) { name, _ in
      NoteReactor(name, store)
    } output: { name, output in
      switch output {
      case .saved(let length): .saved(name, length: length)
      }
    }
    editor = pipeline.child(\.edited) { name, _ in EditorReactor(name) }
  }

  func mutate(action: Action) -> MutationStream<Mutation> {
    switch action {
    case .add(let name): .just(.added(name))
    case .remove(let name): .just(.removed(name))
    case .edit(let name): .just(.edited(name))
    }
  }

  func reduce(state: inout State, mutation: Mutation) {
    switch mutation {
    case .added(let name): state.notes.append(name)
    case .removed(let name): state.notes.removeAll { $0 == name }
    case .edited(let name): state.edited = name
    case .saved(let name, let length): state.lengths[name] = length
    }
  }
}

/// A screen for each case.
private actor ScreensReactor: Reactor {
  enum Screen: Sendable { case login, home(String) }
  typealias Action = Screen
  struct State { var screen = Screen.login }

  let initialState = State()
  let pipeline = Pipeline()
  let home: ReactorChild<EditorReactor>

  init() {
    typealias HomeReactor = EditorReactor
    home = pipeline.child { state in
      if case .home(let user) = state.screen { user } else { nil }
    } make: { user, _ in
      HomeReactor(user)
    }
  }

  func reduce(state: inout State, mutation: Screen) { state.screen = mutation }
}

private enum CountAction { case increase }

private actor ByOne: Reactor {
  let initialState = 0
  let pipeline = Pipeline()
  func reduce(state: inout Int, mutation: CountAction) { state += 1 }
}

private actor ByTen: Reactor {
  let initialState = 0
  let pipeline = Pipeline()
  func mutate(action: CountAction) -> MutationStream<Int> { .just(10) }
  func reduce(state: inout Int, mutation: Int) { state += mutation }
}

/// Takes as long as its gate is closed.
private actor SlowReactor: Reactor {
  enum Action { case load }
  let initialState = 0
  let pipeline = Pipeline()
  private let gate: Gate

  init(_ gate: Gate) { self.gate = gate }

  func mutate(action: Action) -> MutationStream<Int> { .run { [gate] _ in try await gate.wait() } }
  func reduce(state: inout Int, mutation: Int) {}
}

@Suite(.bounded) struct SeveralReactorsTests {
  @Test func `any reactor of the same actions and states, and one that is a stub`() async throws {
    let stub = try await ReactorStub(ByOne())
    await stub.show(7)
    var totals: [Int] = []
    func increase(_ counter: some Reactor<CountAction, Int>) async -> Int {
      await counter.send(.increase).settled
      return await counter.currentState
    }
    let counters: [any Reactor<CountAction, Int>] = [ByOne(), ByTen(), stub.reactor]
    for counter in counters { totals.append(await increase(counter)) }  // 1, 10, 7
    #expect(totals == [1, 10, 7])
    #expect(stub.actions == [.increase])
  }

  @Test func `reactors of any kind in one array`() async {
    let (login, list) = (LoginReactor(), ItemsReactor())
    var names: [String] = []
    let all: [any Reactor] = [login, list]
    for reactor in all where await reactor.isIdle { names.append("\(reactor.identity)") }
    for reactor in all { await reactor.stop(.drain).settled }
    #expect(names == ["\(login.identity)", "\(list.identity)"])
    #expect(login.send(.forget).refusal == .stopped && list.send(.load).refusal == .stopped)
  }

  private let login = LoginReactor()
  private let list = ItemsReactor()
  private let app = ReactorGroup<AppAction>()

  private func addAll() throws {
    app.add(login) { action in if case .logOut = action { .forget } else { nil } }
    try app.add(list, after: login) { action in
      switch action {
      case .logOut: .clear
      case .refresh, .open: .load
      }
    }
  }

  @Test func `one action for many`() async throws {
    try addAll()
    await login.send(.logIn("Ann")).settled
    await app.send(.refresh).settled
    let receipt = app.send(.logOut)
    for refusal in receipt.refusals { print(refusal) }  // List#2: inboxFull
    await receipt.settled
    #expect(receipt.refusals.isEmpty)
    #expect(await login.currentState.user == nil)
    #expect(await list.currentState.items.isEmpty)
    let cycle = #expect(throws: CyclicOrderError.self) {
      try app.add(login, after: list) { _ in nil }
    }
    #expect(
      cycle?.description == "\(login.identity) after \(list.identity) after \(login.identity)")
  }

  @Test func `members under their keys`() async throws {
    let lobby = ItemsReactor()
    let byRoom = app.index { action in if case .open(let room) = action { room } else { nil } }
    byRoom.add(lobby, at: "lobby") { _ in .load }  // asked about actions for the lobby only
    await app.send(.open("lobby")).settled
    await app.send(.open("attic")).settled
    #expect(await lobby.currentState.items.count == 1)
  }

  @Test func `all states at once`() async throws {
    try addAll()
    app.send(.refresh)
    let now = await app.snapshot()
    print(now[login]?.user ?? "nobody", now[list]?.items.count ?? 0)
    #expect(now[login] != nil)
    #expect(now[list]?.items.count == 1)
  }

  @Test func `watching several`() async throws {
    try addAll()
    let rendered = Log<String>()
    func render(_ user: String?, _ items: [String]) {
      rendered.append("\(user ?? "nobody") \(items)")
    }
    for await (login, list) in combining(login.state, list.state) {
      render(login.user, list.items)
      break
    }
    let title = combining(login.state, list.state).select { login, list in
      "\(login.user ?? "nobody"): \(list.items.count)"
    }
    var titles = title.makeAsyncIterator()
    #expect(await titles.next() == "nobody: 0")
    app.send(.refresh)
    #expect(await titles.next() == "nobody: 1")
    #expect(rendered.entries == ["nobody []"])
  }

  @Test func `once for all observers`() async throws {
    let cart = CartReactor()
    let total = cart.state.derived { $0.lines.reduce(0) { $0 + $1.price } }
    var totals = total.makeAsyncIterator()
    #expect(await totals.next() == 0)
    cart.send(7)
    #expect(await totals.next() == 7)
    let both = combining(login.state, list.state).derived { login, list in
      login.user == nil && list.items.isEmpty
    }
    var isEmpty = both.makeAsyncIterator()
    #expect(await isEmpty.next() == true)
  }

  @Test func `parents and children`() async {
    let store = NoteStore()
    let notebook = NotebookReactor(store: store)
    await notebook.send(.add("milk")).settled
    notebook.notes["milk"]?.send(.write("two bottles"))
    for await state in notebook.state where state.lengths["milk"] == 11 { break }
    await notebook.send(.edit("milk")).settled
    #expect(notebook.editor.reactor?.name == "milk")
    await notebook.send(.edit(nil)).settled
    #expect(notebook.editor.reactor == nil)
    await notebook.send(.remove("milk")).settled  // the child is stopped, and released
    #expect(notebook.notes["milk"] == nil)
    #expect(store.texts.entries == ["two bottles"])
  }

  @Test func `a child for a case of an enum`() async {
    let screens = ScreensReactor()
    #expect(await screens.currentState.screen.user == nil)
    #expect(screens.home.reactor == nil)
    await screens.send(.home("ann")).settled
    #expect(screens.home.reactor?.name == "ann")
    await screens.send(.login).settled
    #expect(screens.home.reactor == nil)
  }

  @Test func `the end of all`() async throws {
    try addAll()
    let (gate, clock, logger) = (Gate(), ManualClock(), Logger())
    let slow = SlowReactor(gate)
    app.add(slow) { _ in .load }
    app.send(.refresh)
    await gate.reached()
    let stopping = Task { [app] in
      let late = await app.stop(.drain, within: .seconds(5), clock: clock)
      for one in late { logger.warning("\(one)") }
    }
    await clock.advance(past: 5)
    await stopping.value
    // List#2: #7 'load', running for 5.0 seconds
    #expect(logger.lines.entries.count == 1)
    let line = logger.lines.entries.first ?? ""
    #expect(line.hasPrefix("\(slow.identity): #0 'load', running for "), "\(line)")
    #expect(app.send(.refresh).refusals.map(\.reactor) == [list.identity, slow.identity])
  }
}

/// What a logger is to the page.
private struct Logger: Sendable {
  let lines = Log<String>()
  func warning(_ text: String) { lines.append(text) }
}

extension ScreensReactor.Screen {
  fileprivate var user: String? { if case .home(let user) = self { user } else { nil } }
}
