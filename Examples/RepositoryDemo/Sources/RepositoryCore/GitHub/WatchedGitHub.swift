/// Reports whether GitHub can be reached, according to its answers.
package struct WatchedGitHub: GitHub {
  private let base: any GitHub
  private let tell: @Sendable (_ isReachable: Bool) -> Void

  package init(_ base: any GitHub, tell: @escaping @Sendable (_ isReachable: Bool) -> Void) {
    (self.base, self.tell) = (base, tell)
  }

  package func repositories(matching text: String, page: Int) async throws -> RepositoryPage {
    try await watch { try await base.repositories(matching: text, page: page) }
  }

  package func repositories(of user: String, page: Int) async throws -> RepositoryPage {
    try await watch { try await base.repositories(of: user, page: page) }
  }

  package func repository(_ id: RepositoryID) async throws -> Repository {
    try await watch { try await base.repository(id) }
  }

  package func readme(of id: RepositoryID) async throws -> String? {
    try await watch { try await base.readme(of: id) }
  }

  package func neighbours(of id: RepositoryID) async throws -> [Repository] {
    try await watch { try await base.neighbours(of: id) }
  }

  private func watch<Value>(_ body: () async throws -> Value) async throws -> Value {
    do {
      let value = try await body()
      tell(true)
      return value
    } catch let error as GitHubError {
      tell(!error.isNetwork)
      throw error
    }
  }
}
