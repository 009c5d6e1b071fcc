import Reactor
import ReactorComposition

// What the page Coming from Redux and ReSwift shows of a whole program: compiled, and not run.

private enum ReduxSamples {
  struct Todos: ReactorPart {
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

  struct Tweet: Identifiable, Equatable {
    let id: Int
    var isLiked = false
  }

  enum TweetError: Error { case offline }

  protocol TweetService: Sendable {
    func tweets(before id: Int?) async throws -> [Tweet]
  }

  /// A timeline that is loaded page by page, older ones behind.
  struct Timeline: ReactorPart {
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

  actor AppReactor: Reactor {
    enum Action { case todos(Todos.Action), timeline(Timeline.Action), logOut }
    enum Mutation { case todos(Todos.Mutation), timeline(Timeline.Mutation) }
    struct State { var todos = Todos.State(), timeline = Timeline.State() }

    let initialState = State()
    let pipeline = Pipeline(through: appMiddleware)
    let todos = Todos()
    let timeline: Timeline

    init(service: any TweetService) { timeline = Timeline(service: service) }

    func mutate(action: Action) -> MutationStream<Mutation> {
      switch action {
      case .todos(let action):
        todos.mutate(action: action, state: currentState.todos).map(Mutation.todos)
      case .timeline(let action):
        timeline.mutate(action: action, state: currentState.timeline).map(Mutation.timeline)
      case .logOut: .of(.todos(.clear), .timeline(.clear))
      }
    }

    func reduce(state: inout State, mutation: Mutation) {
      switch mutation {
      case .todos(let mutation): todos.reduce(state: &state.todos, mutation: mutation)
      case .timeline(let mutation): timeline.reduce(state: &state.timeline, mutation: mutation)
      }
    }

    nonisolated func report(_ report: ReactorReport) {}
  }

  struct Logging: ActionMiddleware {
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
  protocol NeedsLogin { var needsLogin: Bool { get } }
  struct NotLoggedIn: ExpectedError {}

  struct Authorising: ActionMiddleware {
    let isLoggedIn: @Sendable () -> Bool

    func handle<R: Reactor>(
      _ action: R.Action, in context: MiddlewareContext<R>
    ) -> ActionVerdict<R.Action> {
      guard let action = action as? any NeedsLogin, action.needsLogin else { return .pass }
      return isLoggedIn() ? .pass : .drop(NotLoggedIn())
    }
  }

  /// Drops an action that is equal to the one before.
  struct Deduplicating: ActionMiddleware {
    private var last: (any Sendable)?

    mutating func handle<R: Reactor>(
      _ action: R.Action, in context: MiddlewareContext<R>
    ) -> ActionVerdict<R.Action> {
      defer { last = action }
      guard let action = action as? any Equatable, action.isEqual(to: last) else { return .pass }
      return .drop(DropReason("the same again"))
    }
  }

  struct Session: Sendable { let isLoggedIn = false }
  static let session = Session()
  static let log: @Sendable (String) -> Void = { print($0) }

  static let appMiddleware: [any ActionMiddleware] = [
    Logging(to: log), Authorising { session.isLoggedIn }, Deduplicating(),
  ]

  static func show(_ count: Int) {}

  static func store() async {
    let store = PartReactor(Todos(), from: Todos.State(), through: [Logging(to: log)])

    store.send(.add("milk"))
    await store.send(.add("bread")).settled
  }

  static func scope(_ app: AppReactor) async {
    let todos = app.scope(\.todos) { (action: Todos.Action) in .todos(action) }
    todos.send(.add("milk"))
    for await titles in todos.select(\.titles) { show(titles.count) }
  }
}

extension Equatable {
  fileprivate func isEqual(to other: Any?) -> Bool { other as? Self == self }
}
