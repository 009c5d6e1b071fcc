package import Reactor

/// The lists of a session: searched while typing, loaded page by page, refreshed and retried.
///
/// In each list at most one load runs. Typed text waits for a pause and then cancels the running
/// load; a search, a refresh and a retry cancel it at once. A first load and further pages are
/// dropped while a load runs. The lists have separate lanes, so that neither waits for the other.
package actor ListsReactor: LanedReactor {
  package enum Action: Sendable, Equatable {
    case list(ListName, ListAction)
    /// A visitor opens a list: loads its first page, unless it is loaded.
    case opened(ListName)
    /// The session begins, or is started over.
    case launched
    case setVisitor(Visitor)
    /// A star waits for a login, or waits no longer.
    case setWaiting(RepositoryID, Bool)
    /// Shown only for visitors with announcements enabled.
    case announce(Announcement)
    case dismiss(announcement: Int)
    case clearAnnouncements
    case visitAdvertisement
    /// Ends automatic retries in all lists.
    case close
  }

  /// What happens in one list.
  package enum ListAction: Sendable, Equatable {
    case load
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
    case list(ListName, ListMutation)
    case launched
    case setVisitor(Visitor)
    case setWaiting(RepositoryID, Bool)
    case announced(Announcement)
    case dismissed(announcement: Int)
    case clearedAnnouncements
    case visitedAdvertisement
  }

  package typealias State = ListsState

  private struct Key: Hashable, Sendable {
    enum Lane: Hashable, Sendable { case load, typing }

    var list: ListName
    var lane: Lane
  }

  nonisolated package let initialState: State
  nonisolated package let pipeline = Pipeline()
  private let github: any GitHub
  private let settings: SettingsReactor
  private let clock: any Clock<Duration>

  /// - Parameters:
  ///   - github: The GitHub to load from.
  ///   - settings: The settings of the same session.
  ///   - clock: The clock that measures pauses and delays.
  package init(
    _ github: any GitHub, settings: SettingsReactor, clock: any Clock<Duration>
  ) {
    (self.github, self.settings, self.clock) = (github, settings, clock)
    initialState = State()
  }

  package func lane(for action: Action) -> Lane? {
    guard case .list(let list, let action) = action else { return nil }
    let load = Key(list: list, lane: .load)
    return switch action {
    case .type:
      .latest(Key(list: list, lane: .typing)).debounced(for: .milliseconds(300), clock: clock)
    case .search, .refresh, .retry: .latest(load)
    case .load, .loadMore: .leading(load)
    case .stopRetrying: nil
    }
  }

  package func mutate(action: Action) -> MutationStream<Mutation> {
    switch action {
    case .list(let list, let action): return mutate(list, action)
    case .opened(let list):
      if canLoad(list) { send(.list(list, .load)) }
      return .empty
    case .launched: return .just(.launched)
    case .setVisitor(let visitor):
      let old = currentState.visitor
      guard visitor.isNewer(than: old) else { return .empty }
      if visitor.user != old.user { cancelLoad(of: .own) }
      return .just(.setVisitor(visitor))
    case .setWaiting(let id, let isWaiting):
      // With a login, no star waits.
      if isWaiting, currentState.visitor.user != nil { return .empty }
      return .just(.setWaiting(id, isWaiting))
    case .announce(let announcement):
      return .run { [settings] emit in
        guard await settings.currentState.showsAnnouncements else { return }
        await emit(.announced(announcement))
      }
    case .dismiss(let id): return .just(.dismissed(announcement: id))
    case .clearAnnouncements:
      return currentState.announcements.isEmpty ? .empty : .just(.clearedAnnouncements)
    case .visitAdvertisement:
      return currentState.hasAdvertisement ? .just(.visitedAdvertisement) : .empty
    case .close:
      for list in ListName.allCases { send(.list(list, .stopRetrying)) }
      return .empty
    }
  }

  package func reduce(state: inout State, mutation: Mutation) {
    state.change { state in
      switch mutation {
      case .list(let list, let mutation): state[list].reduce(mutation)
      case .launched:
        (state.hasAdvertisement, state.announcements) = (true, [])
      case .setVisitor(let visitor):
        if visitor.user != state.visitor.user { state.own = RepositoriesState() }
        state.visitor = visitor
      case .setWaiting(let id, true): state.waiting.insert(id)
      case .setWaiting(let id, false): state.waiting.remove(id)
      case .announced(let announcement):
        state.announcements.insert(announcement, at: 0)
        state.announcements = Array(state.announcements.prefix(State.announcementLimit))
      case .dismissed(let id): state.announcements.removeAll { $0.id == id }
      case .clearedAnnouncements: state.announcements = []
      case .visitedAdvertisement: state.hasAdvertisement = false
      }
    }
  }

  // MARK: One list

  private func mutate(_ list: ListName, _ action: ListAction) -> MutationStream<Mutation> {
    let state = currentState[list]
    switch action {
    case .load: return canLoad(list) ? load(list, .first, state.text) : .empty
    case .type(let text):
      let text = text.asQuery
      guard text != state.text else { return .empty }
      cancel(lane: Key(list: list, lane: .load))
      return load(list, .search, text)
    case .search(let text):
      cancel(lane: Key(list: list, lane: .typing))
      return load(list, .search, text.asQuery)
    case .refresh:
      cancel(lane: Key(list: list, lane: .typing))
      return load(list, .refresh, state.text)
    case .retry:
      guard let failure = state.failure else { return .empty }
      cancel(lane: Key(list: list, lane: .typing))
      if failure.during == .more, let next = state.next { return loadMore(list, page: next) }
      return load(list, failure.during, state.text)
    case .loadMore:
      guard state.canLoadMore, let next = state.next else { return .empty }
      return loadMore(list, page: next)
    case .stopRetrying:
      // A first attempt is not a retry.
      guard state.activity != nil, state.failure?.isRetrying == true else { return .empty }
      cancelLoad(of: list)
      return .just(.list(list, .stopped))
    }
  }

  /// The own list requires a user.
  private func canLoad(_ list: ListName) -> Bool {
    let state = currentState
    return !state[list].isLoaded && state[list].activity == nil
      && (list == .everything || state.visitor.user != nil)
  }

  private func cancelLoad(of list: ListName) {
    cancel(lane: Key(list: list, lane: .load))
    cancel(lane: Key(list: list, lane: .typing))
  }

  private func load(
    _ list: ListName, _ activity: RepositoriesState.Activity, _ text: String
  ) -> MutationStream<Mutation> {
    fetch(list, activity, text, page: 1) { .loaded($0) }
  }

  private func loadMore(_ list: ListName, page: Int) -> MutationStream<Mutation> {
    fetch(list, .more, currentState[list].text, page: page) { .loadedMore($0) }
  }

  /// The number of attempts, and the delays between them.
  private static let attempts = 5
  private static let delay = RetryDelay.exponential(from: .seconds(1), jitter: 0)

  private func fetch(
    _ list: ListName, _ activity: RepositoriesState.Activity, _ text: String, page: Int,
    _ mutation: @escaping @Sendable (RepositoryPage) -> ListMutation
  ) -> MutationStream<Mutation> {
    let user = currentState.visitor.user
    return .run { [github, clock] emit in
      await emit(.list(list, .began(activity, text: text)))
      var attempts = 0
      do {
        let found = try await retry(
          Self.attempts, delay: Self.delay, clock: clock,
          if: { ($0 as? GitHubError)?.mayPass == true }
        ) {
          attempts += 1
          if attempts > 1 { await emit(.list(list, .tried(attempts))) }
          do {
            return switch list {
            case .everything: try await github.repositories(matching: text, page: page)
            case .own: try await github.repositories(of: user ?? "", page: page)
            }
          } catch let error as GitHubError where error.mayPass && attempts < Self.attempts {
            await emit(.list(list, .failed(error, attempts: attempts, isRetrying: true)))
            throw error
          }
        }
        await emit(.list(list, mutation(found)))
      } catch let error as GitHubError {
        await emit(.list(list, .failed(error, attempts: attempts, isRetrying: false)))
      }
    }
  }
}

// What happens in one list has the name of the list in logs.

extension ListsReactor.Action: CustomReactorReportable {
  package var reportDescription: String {
    guard case .list(let list, let action) = self else { return ReportText.name(of: self) }
    return "\(list.rawValue).\(ReportText.name(of: action))"
  }
}

extension ListsReactor.Mutation: CustomReactorReportable {
  package var reportDescription: String {
    guard case .list(let list, let mutation) = self else { return ReportText.name(of: self) }
    return "\(list.rawValue).\(ReportText.name(of: mutation))"
  }
}

extension ListsReactor: AppScreen {
  package static func action(for action: AppAction) -> Action? {
    switch action {
    case .launched: .launched
    case .opened(.everything): .opened(.everything)
    case .opened(.own): .opened(.own)
    case .opened(.advertisement): .visitAdvertisement
    case .opened: nil
    // The announcements have been read.
    case .pressed(.everything, _): .clearAnnouncements
    case .pressed: nil
    case .favourite(let repository, _): .setWaiting(repository.id, true)
    case .favouriteEnded(let id): .setWaiting(id, false)
    case .unfavourite, .reachable, .loggedOutEverywhere: nil
    case .visitor(let visitor): .setVisitor(visitor)
    case .announcement(let announcement): .announce(announcement)
    case .closing: .close
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
