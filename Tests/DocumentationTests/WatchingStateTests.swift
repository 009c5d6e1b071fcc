import AsyncAlgorithms
import ListChanges
import Reactor
import ReactorObservation
import TestLimits
import TestSupport
import Testing

// The samples of the page Observing state, copied by hand.

private struct Found: Identifiable, Equatable { let id: Int }

private actor WatchedReactor: Reactor {
  enum Action { case search(String), setResults([Found]), alert(String?), setLoading(Bool) }
  struct State {
    var query = ""
    var isLoading = false
    var results: [Found] = []
    @Pulse var alert: String?
  }

  let initialState = State()
  let pipeline = Pipeline()

  func reduce(state: inout State, mutation: Action) {
    switch mutation {
    case .search(let query): state.query = query
    case .setResults(let results): state.results = results
    case .alert(let text): state.alert = text
    case .setLoading(let isLoading): state.isLoading = isLoading
    }
  }
}

private actor SavingReactor: Reactor {
  enum Action { case save }
  enum Output: Equatable { case saved(Int) }
  struct State { var text = "text" }

  let initialState = State()
  let pipeline = Pipeline()
  private let store = Store()

  struct Store { func save(_ text: String) async throws -> Int { text.count } }

  func mutate(action: Action) -> MutationStream<Action> {
    switch action {
    case .save:
      .run { emit in
        let id = try await store.save(currentState.text)
        output(.saved(id))
      }
    }
  }

  func reduce(state: inout State, mutation: Action) {}
}

@MainActor private final class SearchScreen {
  var shown: [[Found]] = []
  var alerts: [String?] = []
  let changed = Log<Int>()

  private(set) lazy var binding = ReactorBinding<WatchedReactor> {
    [weak self] reactor, subscriptions in
    subscriptions.observe(reactor.state.buffering(.newest).select(\.results)) { self?.show($0) }
    subscriptions.observe(reactor.state.pulses(of: \.$alert)) { self?.alert($0) }
  }

  private func show(_ results: [Found]) {
    shown.append(results)
    changed.append(0)
  }

  private func alert(_ text: String?) {
    alerts.append(text)
    changed.append(0)
  }
}

@MainActor @Suite(.bounded) struct WatchingStateTests {
  private let search = WatchedReactor()

  @Test func `which states: every one, the newest, the last ten`() async {
    let skips = Log<Int>()
    var every = search.state.makeAsyncIterator()
    var newest = search.state.buffering(.newest).makeAsyncIterator()
    var last = search.state.buffering(.last(10) { skips.append($0) }).makeAsyncIterator()
    _ = await (every.next(), newest.next(), last.next())
    for number in 1...30 { await search.send(.search("\(number)")).settled }
    #expect(await every.next()?.query == "1")
    #expect(await newest.next()?.query == "30")
    #expect(await last.next()?.query == "21")
    #expect(skips.entries == [20])
  }

  @Test func `a part of the state`() async {
    var queries = search.state.select(\.query).makeAsyncIterator()
    var pairs = search.state.select(\.query, \.isLoading).makeAsyncIterator()
    var counts = search.state.select({ $0.results.count }).changes.makeAsyncIterator()
    _ = await (queries.next(), pairs.next(), counts.next())
    search.send(.setLoading(true))
    search.send(.search("a"))
    search.send(.setResults([Found(id: 1)]))
    #expect(await queries.next() == "a")
    let (query, isLoading) = await pairs.next() ?? ("", false)
    #expect(query == "" && isLoading)
    #expect(await counts.next() == StateChange(old: 0, new: 1))
  }

  @Test func `one-shot events, in the state and beside it`() async {
    var alerts = search.state.pulses(of: \.$alert, includingLast: true).makeAsyncIterator()
    search.send(.alert("saved"))
    #expect(await alerts.next() == "saved")

    let editor = SavingReactor()
    let outputs = editor.outputs()
    editor.send(.save)
    #expect(await outputs.next() == .saved(4))
  }

  @Test func `lists: what turns one into the other`() async throws {
    var results = search.state.select(\.results).changes.makeAsyncIterator()
    _ = await results.next()
    search.send(.setResults([Found(id: 1), Found(id: 2)]))
    let change = try #require(await results.next())
    let changes = try ListChanges(from: change.old ?? [], to: change.new)
    #expect(changes.inserts == [0, 1])
  }

  @Test func `a view shows what is bound to it`() async {
    let screen = SearchScreen()
    screen.binding.reactor = search
    _ = await screen.changed.entries(upTo: 1)
    search.send(.setResults([Found(id: 1)]))
    _ = await screen.changed.entries(upTo: 2)
    screen.binding.reactor = nil
    #expect(screen.shown == [[], [Found(id: 1)]])
    #expect(screen.alerts == [])
  }

  @Test func `a mirror on the main actor`() async {
    let search = await ObservedReactor(WatchedReactor())
    #expect(search.results == [])
    search.set(\.query, to: "swift") { .search($0) }
    #expect(search.query == "swift")
    let query = search.property(\.query) { .search($0) }
    query.value = "actors"
    #expect(query.value == "actors")
  }

  @Test func `several reactors together`() async {
    let other = WatchedReactor()
    var both = combineLatest(search.state, other.state).makeAsyncIterator()
    let (first, second) = await both.next().map { ($0.query, $1.query) } ?? ("-", "-")
    #expect(first == "" && second == "")
  }
}
