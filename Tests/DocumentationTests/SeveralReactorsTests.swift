import Reactor
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

@Suite struct SeveralReactorsTests {
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
    let circle = #expect(throws: GroupCircle.self) {
      try app.add(login, after: list) { _ in nil }
    }
    #expect(
      circle?.description == "\(login.identity) after \(list.identity) after \(login.identity)")
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

  @Test func `once for all who look`() async throws {
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
    let list = NotebookReactor(store: store)
    await list.send(.add("milk")).settled
    list.notes["milk"]?.send(.write("two bottles"))
    for await state in list.state where state.lengths["milk"] == 11 { break }
    await list.send(.edit("milk")).settled
    #expect(list.editor.reactor?.name == "milk")
    await list.send(.edit(nil)).settled
    #expect(list.editor.reactor == nil)
    await list.send(.remove("milk")).settled  // stopped, and let go
    #expect(list.notes["milk"] == nil)
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
    let logger = Log<String>()
    for late in await app.stop(.drain, within: .seconds(5)) { logger.append("\(late)") }
    #expect(logger.entries.isEmpty)
    #expect(app.send(.refresh).refusals.map(\.reactor) == [list.identity])
  }
}

extension ScreensReactor.Screen {
  fileprivate var user: String? { if case .home(let user) = self { user } else { nil } }
}
