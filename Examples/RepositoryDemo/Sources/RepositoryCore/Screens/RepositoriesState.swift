/// Which of the lists.
package enum ListName: String, Sendable, Hashable, CaseIterable {
  /// The public repositories, searched or all.
  case everything
  /// The repositories of the logged-in user.
  case own
}

/// The state of one list.
package struct RepositoriesState: Equatable {
  /// The load that is running.
  package enum Activity: String, Equatable {
    case first, search, more, refresh
  }

  /// What failed, and whether it is retried.
  package struct Failure: Equatable {
    package var error: GitHubError
    /// The load that failed.
    package var during: Activity
    /// The number of attempts.
    package var attempts: Int
    /// Whether it will be retried automatically.
    package var isRetrying: Bool

    package init(error: GitHubError, during: Activity, attempts: Int = 1, isRetrying: Bool) {
      (self.error, self.during) = (error, during)
      (self.attempts, self.isRetrying) = (attempts, isRetrying)
    }
  }

  /// The text of the search; while a search runs, the repositories are those of the previous one.
  package var text = ""
  package var repositories: [Repository] = []
  /// The number of repositories on all pages, if GitHub has sent it.
  package var total: Int?
  package var next: Int?
  /// Whether the first page has arrived.
  package var isLoaded = false
  package var activity: Activity?
  package var failure: Failure?
  /// All rows of the list, rebuilt by ``ListsState/change(_:)``.
  package internal(set) var rows: [ListRow] = []

  package init() {}

  /// Nothing has been loaded yet, but a load is running.
  package var showsPlaceholders: Bool {
    repositories.isEmpty && activity != nil && failure == nil
  }
  package var isEmpty: Bool { repositories.isEmpty && isLoaded && activity == nil }
  package var canLoadMore: Bool { next != nil && activity == nil && !repositories.isEmpty }
  /// Whether nothing has been loaded, nothing is being loaded, and nothing has failed.
  package var isUntouched: Bool { !isLoaded && activity == nil && failure == nil }
}

/// The visitor, as the screens show it.
package struct Visitor: Sendable, Equatable {
  /// The user's name; `nil` without a login.
  package var user: String?
  /// Counts logins and logouts of the session.
  package var generation: Int
  package var favourites = FavouritesReactor.State()

  package init(
    user: String? = nil, generation: Int = 0, favourites: FavouritesReactor.State = .init()
  ) {
    (self.user, self.generation, self.favourites) = (user, generation, favourites)
  }

  /// Whether this is what comes after another one, whichever of them arrives first.
  func isNewer(than other: Visitor) -> Bool {
    (generation, favourites.changes ?? 0) > (other.generation, other.favourites.changes ?? 0)
      || generation == other.generation && user != other.user
  }
}

/// The state of all lists: one tree, with what both of them show.
package struct ListsState: Equatable {
  package var everything = RepositoriesState()
  package var own = RepositoriesState()
  package var visitor = Visitor()
  /// The repositories that are starred after the login.
  package var waiting: Set<RepositoryID> = []
  /// The newest first.
  package var announcements: [Announcement] = []
  package var hasAdvertisement = false

  /// How many announcements are shown.
  package static let announcementLimit = 3

  package init(visitor: Visitor = Visitor()) { self.visitor = visitor }

  package subscript(list: ListName) -> RepositoriesState {
    get {
      switch list {
      case .everything: everything
      case .own: own
      }
    }
    _modify {
      switch list {
      case .everything: yield &everything
      case .own: yield &own
      }
    }
  }

  /// Changes the state, and rebuilds the rows of all lists.
  package mutating func change(_ body: (inout ListsState) -> Void) {
    body(&self)
    for list in ListName.allCases { self[list].rows = ListRow.rows(of: list, in: self) }
  }
}
