import AsyncAlgorithms
import ListChanges
import Reactor
import ReactorObservation

// The samples of the page Observing state whose loops do not end: compiled, and not run.

private enum WatchingStateSamples {
  struct Row: Identifiable, Equatable { let id: Int }
  static func render(_ state: SearchReactor.State) {}
  static func show(_ text: String?) {}
  static func handle(_ output: SearchReactor.Output) {}

  actor SearchReactor: Reactor {
    enum Action { case search(String) }
    enum Output { case found(Int) }
    struct State {
      var query = ""
      var isLoading = false
      var results: [Row] = []
      @Pulse var alert: String?
    }

    let initialState = State()
    let pipeline = Pipeline()

    func reduce(state: inout State, mutation: Action) {}
  }

  struct Table { func apply(_ changes: ListChanges<Row>) {} }

  static func watch(_ search: SearchReactor, _ table: Table) async throws {
    for await state in search.state { render(state) }

    for await query in search.state.select(\.query) { print(query) }
    for await (query, isLoading) in search.state.buffering(.newest).select(\.query, \.isLoading) {
      print(query, isLoading)
    }
    for await (query, isLoading) in search.state.select(\.query, \.isLoading) {
      print(query, isLoading)
    }
    for await change in search.state.select({ $0.results.count }).changes {
      print(change.old ?? 0, "→", change.new)
    }

    for await alert in search.state.pulses(of: \.$alert) { show(alert) }
    for await output in search.outputs() { handle(output) }

    for await change in search.state.select(\.results).changes {
      let changes = try ListChanges(from: change.old ?? [], to: change.new)
      table.apply(changes)
    }
  }

  enum OneShot {
    struct State { @Pulse var alert: String? }

    static func watch(_ search: SearchReactor) async {
      for await alert in search.state.pulses(of: \.$alert) { show(alert) }
    }

    static func watchAlerts(_ search: SearchReactor) async {
      for await alert in search.state.pulses(of: \.$alert) {
        if let alert { show(alert) }
      }
    }
  }

  struct Texts { func save(_ text: String) async throws -> Int { text.count } }

  actor EditorReactor: Reactor {
    enum Action { case save }
    enum Mutation { case written(String) }
    enum Output { case saved(Int) }
    struct State { var text = "" }

    let initialState = State()
    let pipeline = Pipeline()
    let store = Texts()

    func mutate(action: Action) -> MutationStream<Mutation> {
      switch action {
      case .save:
        .run { emit in
          let id = try await store.save(currentState.text)
          output(.saved(id))
        }
      }
    }

    func reduce(state: inout State, mutation: Mutation) {}
  }

  static func edit(_ editor: EditorReactor) async {
    let outputs = editor.outputs()
    editor.send(.save)
    if case .saved(let id) = await outputs.next() { print("saved as", id) }
  }

  @MainActor final class SearchScreen {
    private(set) lazy var binding = ReactorBinding<SearchReactor> {
      [weak self] reactor, subscriptions in
      subscriptions.observe(reactor.state.buffering(.newest).select(\.results)) { self?.show($0) }
      subscriptions.observe(reactor.state.pulses(of: \.$alert)) { self?.alert($0) }
    }

    func show(_ rows: [Row]) {}
    func alert(_ text: String?) {}
  }

  @MainActor static func bind(_ screen: SearchScreen, _ search: SearchReactor) {
    screen.binding.reactor = search
    screen.binding.reactor = nil
  }

  static func mirror() async {
    let search = await ObservedReactor(SearchReactor())
    await MainActor.run {
      _ = search.results
      search.set(\.query, to: "swift") { .search($0) }
      let query = search.property(\.query) { .search($0) }
      _ = query
    }
  }

  static func both(_ userReactor: SearchReactor, _ settingsReactor: SearchReactor) async {
    for await (user, settings) in combineLatest(userReactor.state, settingsReactor.state) {
      print(user, settings)
    }
  }

  actor Applying: MutationTransforming {
    enum Action { case none }
    enum Mutation { case apply(EditorReactor.Output) }

    let initialState = 0
    let pipeline = Pipeline()
    let editor = EditorReactor()

    func transform(mutation: Mutations) -> some AsyncSequence<Mutation, Never> {
      mutation.merging(editor.outputs().map { Mutation.apply($0) })
    }

    func mutate(action: Action) -> MutationStream<Mutation> { .empty }
    func reduce(state: inout Int, mutation: Mutation) {}
  }
}
