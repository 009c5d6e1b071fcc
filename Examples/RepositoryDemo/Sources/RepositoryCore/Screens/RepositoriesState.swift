/// The state of the screen with the list.
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

  /// The text of the search; while a search runs, the rows are those of the previous one.
  package var text = ""
  package var rows: [Repository] = []
  /// The number of repositories on all pages; `nil` before the first page has arrived.
  package var total: Int?
  package var next: Int?
  package var activity: Activity?
  package var failure: Failure?

  package init() {}

  /// Nothing has been loaded yet, but a load is running.
  package var showsPlaceholders: Bool { rows.isEmpty && activity != nil && failure == nil }
  package var isEmpty: Bool { rows.isEmpty && total == 0 && activity == nil }
  package var canLoadMore: Bool { next != nil && activity == nil && !rows.isEmpty }
}
