package import Reactor

/// The list: searched while typing, loaded page by page, refreshed and retried.
///
/// At most one load runs. Typed text waits for a pause and then cancels the running load; a search,
/// a refresh and a retry cancel it at once. A first load and further pages are dropped while a load
/// runs.
package actor RepositoriesReactor: LanedReactor {
  package enum Action: Sendable, Equatable {
    /// A visitor opens the page: loads the first page, unless it is loaded.
    case appear
    /// The text of the field after each key.
    case type(String)
    /// Searches for the text at once.
    case search(String)
    case loadMore
    case refresh
    /// Repeats what failed.
    case retry
    /// Ends automatic retries.
    case stopRetrying
  }

  package enum Mutation: Sendable, Equatable {
    case began(State.Activity, text: String)
    case tried(Int)
    case failed(GitHubError, attempts: Int, isRetrying: Bool)
    case loaded(RepositoryPage)
    case loadedMore(RepositoryPage)
    case stopped
  }

  package typealias State = RepositoriesState

  private enum Key: Hashable, Sendable { case load, typing }

  nonisolated package let initialState = State()
  nonisolated package let pipeline = Pipeline()
  private let github: any GitHub
  private let clock: any Clock<Duration>

  package init(_ github: any GitHub, clock: any Clock<Duration>) {
    (self.github, self.clock) = (github, clock)
  }

  package func lane(for action: Action) -> Lane? {
    switch action {
    case .type: .latest(Key.typing).debounced(for: .milliseconds(300), clock: clock)
    case .search, .refresh, .retry: .latest(Key.load)
    case .appear, .loadMore: .leading(Key.load)
    case .stopRetrying: nil
    }
  }

  package func mutate(action: Action) -> MutationStream<Mutation> {
    let state = currentState
    switch action {
    case .appear:
      return state.total == nil && state.activity == nil ? load(.first, state.text) : .empty
    case .type(let text):
      let text = text.asQuery
      guard text != state.text else { return .empty }
      cancel(lane: Key.load)
      return load(.search, text)
    case .search(let text):
      cancel(lane: Key.typing)
      return load(.search, text.asQuery)
    case .refresh:
      cancel(lane: Key.typing)
      return load(.refresh, state.text)
    case .retry:
      guard let failure = state.failure else { return .empty }
      cancel(lane: Key.typing)
      if failure.during == .more, let next = state.next { return loadMore(page: next) }
      return load(failure.during, state.text)
    case .loadMore:
      guard state.canLoadMore, let next = state.next else { return .empty }
      return loadMore(page: next)
    case .stopRetrying:
      // A first attempt is not a retry.
      guard state.activity != nil, state.failure?.isRetrying == true else { return .empty }
      cancel(lane: Key.load)
      cancel(lane: Key.typing)
      return .just(.stopped)
    }
  }

  package func reduce(state: inout State, mutation: Mutation) {
    switch mutation {
    case .began(let activity, let text):
      (state.activity, state.text, state.failure) = (activity, text, nil)
    case .tried(let attempts):
      state.failure?.attempts = attempts
    case .failed(let error, let attempts, let isRetrying):
      guard let activity = state.activity else { return }
      state.failure = State.Failure(
        error: error, during: activity, attempts: attempts, isRetrying: isRetrying)
      if !isRetrying { state.activity = nil }
    case .loaded(let page):
      (state.rows, state.total, state.next) = (page.items, page.total, page.next)
      (state.activity, state.failure) = (nil, nil)
    case .loadedMore(let page):
      // Repositories that moved from one page to the next meanwhile are returned twice.
      let known = Set(state.rows.map(\.id))
      state.rows += page.items.filter { !known.contains($0.id) }
      (state.total, state.next) = (page.total, page.next)
      (state.activity, state.failure) = (nil, nil)
    case .stopped:
      state.activity = nil
      state.failure?.isRetrying = false
    }
  }

  // MARK: Loading

  private func load(_ activity: State.Activity, _ text: String) -> MutationStream<Mutation> {
    fetch(activity, text, page: 1) { .loaded($0) }
  }

  private func loadMore(page: Int) -> MutationStream<Mutation> {
    fetch(.more, currentState.text, page: page) { .loadedMore($0) }
  }

  /// The number of attempts, and the delays between them.
  private static let attempts = 5
  private static let delay = RetryDelay.exponential(from: .seconds(1), jitter: 0)

  private func fetch(
    _ activity: State.Activity, _ text: String, page: Int,
    _ mutation: @escaping @Sendable (RepositoryPage) -> Mutation
  ) -> MutationStream<Mutation> {
    .run { [github, clock] emit in
      await emit(.began(activity, text: text))
      var attempts = 0
      do {
        let found = try await retry(
          Self.attempts, delay: Self.delay, clock: clock,
          if: { ($0 as? GitHubError)?.mayPass == true }
        ) {
          attempts += 1
          if attempts > 1 { await emit(.tried(attempts)) }
          do {
            return try await github.repositories(matching: text, page: page)
          } catch let error as GitHubError where error.mayPass && attempts < Self.attempts {
            await emit(.failed(error, attempts: attempts, isRetrying: true))
            throw error
          }
        }
        await emit(mutation(found))
      } catch let error as GitHubError {
        await emit(.failed(error, attempts: attempts, isRetrying: false))
      }
    }
  }
}

extension String {
  /// The text without surrounding blanks, limited to the length that GitHub accepts.
  var asQuery: String {
    let words = split(whereSeparator: { $0.isWhitespace || $0.isNewline })
    return String(words.joined(separator: " ").prefix(100))
  }
}
