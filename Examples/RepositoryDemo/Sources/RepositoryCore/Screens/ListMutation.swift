/// One change of one list.
package enum ListMutation: Sendable, Equatable {
  case began(RepositoriesState.Activity, text: String)
  case tried(Int)
  case failed(GitHubError, attempts: Int, isRetrying: Bool)
  case loaded(RepositoryPage)
  case loadedMore(RepositoryPage)
  case stopped
}

extension RepositoriesState {
  mutating func reduce(_ mutation: ListMutation) {
    switch mutation {
    case .began(let activity, let text):
      (self.activity, self.text, failure) = (activity, text, nil)
    case .tried(let attempts): failure?.attempts = attempts
    case .failed(let error, let attempts, let isRetrying):
      guard let activity else { return }
      failure = Failure(
        error: error, during: activity, attempts: attempts, isRetrying: isRetrying)
      if !isRetrying { self.activity = nil }
    case .loaded(let page):
      (repositories, isLoaded) = (page.items, true)
      end(page)
    case .loadedMore(let page):
      // Repositories that moved from one page to the next meanwhile are returned twice.
      let known = Set(repositories.map(\.id))
      repositories += page.items.filter { !known.contains($0.id) }
      end(page)
    case .stopped:
      activity = nil
      failure?.isRetrying = false
    }
  }

  private mutating func end(_ page: RepositoryPage) {
    (total, next) = (page.total, page.next)
    (activity, failure) = (nil, nil)
  }
}
