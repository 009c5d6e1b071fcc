/// What the screen with the list shows.
package struct RepositoriesState: Equatable {
  /// What is being waited for.
  package enum Activity: String, Equatable {
    case first, search, more, refresh
  }

  /// What went wrong, and what will be done about it.
  package struct Failure: Equatable {
    package var error: GitHubError
    /// What was being done.
    package var during: Activity
    /// How often it has been tried.
    package var attempts: Int
    /// Whether it will be tried again by itself.
    package var isRetrying: Bool

    package init(error: GitHubError, during: Activity, attempts: Int = 1, isRetrying: Bool) {
      (self.error, self.during) = (error, during)
      (self.attempts, self.isRetrying) = (attempts, isRetrying)
    }
  }

  /// What is searched for; the rows are of that, or of the search before while this one runs.
  package var text = ""
  package var rows: [Repository] = []
  /// How many there are on all pages; `nil` before the first has come.
  package var total: Int?
  package var next: Int?
  package var activity: Activity?
  package var failure: Failure?

  package init() {}

  /// Nothing is there yet, but it is on its way.
  package var showsPlaceholders: Bool { rows.isEmpty && activity != nil && failure == nil }
  package var isEmpty: Bool { rows.isEmpty && total == 0 && activity == nil }
  package var canLoadMore: Bool { next != nil && activity == nil && !rows.isEmpty }
}
