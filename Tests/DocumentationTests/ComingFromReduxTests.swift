import Reactor
import ReactorComposition
import ReactorRuntime
import TestLimits
import TestSupport
import Testing

// The samples of the page Coming from Redux and ReSwift, copied by hand.

private struct Todos: ReactorPart {
  enum Action: Equatable { case add(String), remove(Int), clear }
  struct State: Equatable { var titles: [String] = [] }

  func reduce(state: inout State, mutation: Action) {
    switch mutation {
    case .add(let title): state.titles.append(title)
    case .remove(let index): state.titles.remove(at: index)
    case .clear: state.titles = []
    }
  }
}

private struct Tweet: Identifiable, Equatable {
  let id: Int
  var isLiked = false
}

private enum TweetError: Error { case offline }

private protocol TweetService: Sendable {
  func tweets(before id: Int?) async throws -> [Tweet]
}

/// A timeline that is loaded page by page, older ones behind.
private struct Timeline: ReactorPart {
  enum Action { case load, clear }
  enum Mutation { case loading, loaded([Tweet]), failed(String), clear }

  struct State {
    var tweets: [Tweet.ID: Tweet] = [:]
    var ids: [Tweet.ID] = []
    var isLoading = false
    var error: String?
    var maxID: Int? { ids.last }

    mutating func put(_ page: [Tweet]) {
      for tweet in page where tweets.updateValue(tweet, forKey: tweet.id) == nil {
        ids.append(tweet.id)
      }
    }
  }

  let service: any TweetService

  func mutate(action: Action, state: State) -> MutationStream<Mutation> {
    switch action {
    case .load where state.isLoading: .empty
    case .load:
      .concat(
        .just(.loading),
        .run { [service] emit in
          do {
            await emit(.loaded(try await service.tweets(before: state.maxID)))
          } catch let error as TweetError {
            await emit(.failed("\(error)"))
          }
        })
    case .clear: .just(.clear)
    }
  }

  func reduce(state: inout State, mutation: Mutation) {
    switch mutation {
    case .loading: (state.isLoading, state.error) = (true, nil)
    case .loaded(let page):
      state.isLoading = false
      state.put(page)
    case .failed(let error): (state.isLoading, state.error) = (false, error)
    case .clear: state = State()
    }
  }
}

private actor AppReactor: ComposedReactor {
  enum Action { case todos(Todos.Action), timeline(Timeline.Action), logOut }
  struct State { var todos = Todos.State(), timeline = Timeline.State() }

  let initialState = State()
  let pipeline: Pipeline
  let todos = Todos()
  let timeline: Timeline

  init(service: any TweetService, through appMiddleware: [any ActionMiddleware]) {
    pipeline = Pipeline(through: appMiddleware)
    timeline = Timeline(service: service)
  }

  func mutate(action: Action) -> MutationStream<Mutation> {
    switch action {
    case .todos(let action): todos.mutate(action: action, at: \.todos, of: currentState)
    case .timeline(let action): timeline.mutate(action: action, at: \.timeline, of: currentState)
    case .logOut:
      .of(Mutation(.clear, of: todos, at: \.todos), Mutation(.clear, of: timeline, at: \.timeline))
    }
  }

  nonisolated func report(_ report: ReactorReport) {}
}

private struct Logging: ActionMiddleware {
  let log: @Sendable (String) -> Void

  init(to log: @escaping @Sendable (String) -> Void) { self.log = log }

  func handle<R: Reactor>(
    _ action: R.Action, in context: MiddlewareContext<R>
  ) -> ActionVerdict<R.Action> {
    log("\(context.reactor) \(context.actionNumber): \(ReportText.text(of: action))")
    return .pass
  }
}

/// What only a user who is logged in may do.
private protocol NeedsLogin { var needsLogin: Bool { get } }
private struct NotLoggedIn: ExpectedError {}

private struct Authorising: ActionMiddleware {
  let isLoggedIn: @Sendable () -> Bool

  func handle<R: Reactor>(
    _ action: R.Action, in context: MiddlewareContext<R>
  ) -> ActionVerdict<R.Action> {
    guard let action = action as? any NeedsLogin, action.needsLogin else { return .pass }
    return isLoggedIn() ? .pass : .drop(NotLoggedIn())
  }
}

/// Drops an action that is equal to the one before.
private struct Deduplicating: ActionMiddleware {
  private var last: (any Sendable)?

  mutating func handle<R: Reactor>(
    _ action: R.Action, in context: MiddlewareContext<R>
  ) -> ActionVerdict<R.Action> {
    defer { last = action }
    guard let action = action as? any Equatable, action.isEqual(to: last) else { return .pass }
    return .drop(DropReason("the same again"))
  }
}

extension Equatable {
  fileprivate func isEqual(to other: Any?) -> Bool { other as? Self == self }
}

extension AppReactor.Action: NeedsLogin {
  var needsLogin: Bool { if case .timeline = self { true } else { false } }
}

/// Three tweets for each page, older ones each time; fails as often as the test has set.
private final class Tweets: TweetService {
  let questions = Log<Int?>()
  let failures = Guarded(0)

  func tweets(before id: Int?) async throws -> [Tweet] {
    questions.append(id)
    let fails = failures.withLock { failures in
      failures -= 1
      return failures >= 0
    }
    if fails { throw TweetError.offline }
    let newest = (id ?? 10) - 1
    return (newest - 2...newest).reversed().map { Tweet(id: $0) }
  }
}

@Suite(.bounded) struct ComingFromReduxTests {
  private let log = Log<String>()
  private let tweets = Tweets()

  private func app() -> AppReactor { AppReactor(service: tweets, through: [Deduplicating()]) }

  @Test func `store and dispatch`() async {
    let lines = self.log
    let log: @Sendable (String) -> Void = { lines.append($0) }
    let store = PartReactor(Todos(), from: Todos.State(), through: [Logging(to: log)])
    store.send(.add("milk"))
    await store.send(.add("bread")).settled  // in the state now
    #expect(await store.currentState.titles == ["milk", "bread"])
    #expect(lines.entries == ["\(store.identity) 0: add", "\(store.identity) 1: add"])
    await store.send(.remove(0)).settled
    #expect(await store.currentState.titles == ["bread"])
  }

  @Test func `subscribe and select`() async {
    let store = PartReactor(Todos(), from: Todos.State())
    store.send(.add("milk"))
    store.send(.add("bread"))
    await store.stop().settled
    let shown = Log<Int>()
    func show(_ count: Int) { shown.append(count) }
    for await count in store.state.select(\.titles.count) {
      show(count)
    }
    #expect(shown.entries == [2])
  }

  @Test func `a thunk loads a timeline page by page`() async {
    let app = app()
    await app.send(.timeline(.load)).settled
    await app.send(.timeline(.load)).settled
    #expect(await app.currentState.timeline.ids == [9, 8, 7, 6, 5, 4])
    #expect(tweets.questions.entries == [nil, 7])
    tweets.failures.withLock { $0 = 1 }
    await app.send(.timeline(.load)).settled
    #expect(await app.currentState.timeline.error == "offline")
    #expect(await app.currentState.timeline.isLoading == false)
    await app.send(.timeline(.load)).settled
    #expect(await app.currentState.timeline.error == nil)
    #expect(await app.currentState.timeline.tweets.count == 9)
  }

  @Test func `combined reducers`() async {
    let app = app()
    await app.send(.todos(.add("milk"))).settled
    await app.send(.timeline(.load)).settled
    await app.send(.logOut).settled
    #expect(await app.currentState.todos == Todos.State())
    #expect(await app.currentState.timeline.tweets.isEmpty)
  }

  @Test func `a scope knows its part only`() async {
    let app = app()
    let shown = Log<Int>()
    func show(_ count: Int) { shown.append(count) }
    let todos = app.scope(\.todos) { (action: Todos.Action) in .todos(action) }
    todos.send(.add("milk"))
    await app.stop().settled
    for await titles in todos.select(\.titles) { show(titles.count) }
    #expect(shown.entries == [1])
  }

  @Test func `middleware for reactors of all types`() async {
    let (lines, session) = (self.log, Session())
    let log: @Sendable (String) -> Void = { lines.append($0) }
    let appMiddleware: [any ActionMiddleware] = [
      Logging(to: log), Authorising { session.isLoggedIn }, Deduplicating(),
    ]
    let app = AppReactor(service: tweets, through: appMiddleware)
    let todos = PartReactor(Todos(), from: Todos.State(), through: appMiddleware)
    session.isLoggedIn = false
    guard case .droppedByMiddleware(is NotLoggedIn) = await app.outcome(of: .timeline(.load))
    else { return #expect(Bool(false), "let through") }
    #expect(await app.outcome(of: .todos(.add("milk"))).isFinished)
    session.isLoggedIn = true
    #expect(await app.outcome(of: .timeline(.load)).isFinished)
    #expect(await todos.outcome(of: .add("bread")).isFinished)
    let again = await todos.outcome(of: .add("bread"))
    guard case .droppedByMiddleware(let reason as DropReason) = again else {
      return #expect(Bool(false), "let through")
    }
    #expect("\(reason)" == "the same again")
    #expect(lines.count == 5)
  }

  @Test func `a stage for the actions of one type`() async {
    let trimming = ActionStage(for: Todos.Action.self) { action in
      if case .add("") = action { .drop(DropReason("a title is needed")) } else { .pass }
    }
    let todos = PartReactor(Todos(), from: Todos.State(), through: [trimming])
    #expect(await !todos.outcome(of: .add("")).isFinished)
    #expect(await todos.outcome(of: .add("milk")).isFinished)
  }

  @Test func `rows by their ids`() {
    var state = Timeline.State()
    let page = [Tweet(id: 8), Tweet(id: 7), Tweet(id: 8, isLiked: true)]
    state.put(page)
    #expect(state.ids == [8, 7])
    state.tweets[7]?.isLiked = true
    #expect(state.tweets[7]?.isLiked == true)
    state.tweets[7] = nil
    state.ids.removeAll { $0 == 7 }
    let (one, ids) = (state.tweets[8], state.ids)
    #expect(one?.isLiked == true)
    #expect(ids == [8])
  }
}

/// Whether a user is logged in.
private final class Session: Sendable {
  private let state = Guarded(true)

  var isLoggedIn: Bool {
    get { state.withLock { $0 } }
    set { state.withLock { $0 = newValue } }
  }
}
