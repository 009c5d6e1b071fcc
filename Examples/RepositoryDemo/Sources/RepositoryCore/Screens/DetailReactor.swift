package import Reactor
package import ReactorComposition

/// One repository: its facts, its README and its neighbours, loaded concurrently.
package actor DetailReactor: LanedReactor {
  package typealias Registry = ReactorRegistry<RepositoryID, DetailReactor>

  package enum Action: Sendable, Equatable {
    case appear
    case refresh
  }

  package enum Mutation: Sendable, Equatable {
    case began
    case loaded(Repository, readme: String?, neighbours: [Repository])
    case failed(GitHubError)
  }

  package struct State: Sendable, Equatable {
    /// The requested name: the repository may have been renamed, or the case may differ.
    package let id: RepositoryID
    package var repository: Repository?
    /// The README as safe HTML.
    package var readme: String?
    package var neighbours: [Repository] = []
    package var isLoading = false
    package var failure: GitHubError?

    /// The current name, as far as it is known.
    package var name: RepositoryID { repository?.id ?? id }

    /// Whether loading again is unnecessary: the repository is loaded, or does not exist.
    package var isKnown: Bool { repository != nil || failure == .notFound }

    package init(id: RepositoryID) { self.id = id }
  }

  nonisolated package let initialState: State
  nonisolated package let pipeline: Pipeline
  private let github: any GitHub
  private let render: @Sendable (String) -> String

  /// - Parameters:
  ///   - id: The repository.
  ///   - github: The GitHub to load it from.
  ///   - render: Renders Markdown as safe HTML.
  package init(
    _ id: RepositoryID, _ github: any GitHub, render: @escaping @Sendable (String) -> String
  ) {
    (self.github, self.render) = (github, render)
    initialState = State(id: id)
    pipeline = Pipeline(named: id.description)
  }

  package func lane(for action: Action) -> Lane? {
    switch action {
    case .appear: .leading("load")
    case .refresh: .latest("load")
    }
  }

  package func mutate(action: Action) -> MutationStream<Mutation> {
    if action == .appear, currentState.isKnown { return .empty }
    let id = currentState.id
    return .run { [github, render] emit in
      await emit(.began)
      do {
        async let repository = github.repository(id)
        async let readme = github.readme(of: id)
        // Neighbours are optional: without them the page is still complete.
        async let neighbours = try? github.neighbours(of: id)
        let html = try await readme.map(render)
        let found = try await repository
        let others = (await neighbours ?? []).filter { $0.id != found.id }
        await emit(.loaded(found, readme: html, neighbours: Array(others.prefix(6))))
      } catch let error as GitHubError {
        await emit(.failed(error))
      }
    }
  }

  package func reduce(state: inout State, mutation: Mutation) {
    switch mutation {
    case .began:
      (state.isLoading, state.failure) = (true, nil)
    case .loaded(let repository, let readme, let neighbours):
      (state.repository, state.readme, state.neighbours) = (repository, readme, neighbours)
      state.isLoading = false
    case .failed(let error):
      (state.isLoading, state.failure) = (false, error)
    }
  }
}
