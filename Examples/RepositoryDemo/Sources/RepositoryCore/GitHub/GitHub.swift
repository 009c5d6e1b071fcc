package import Foundation

/// What the screens need of GitHub.
package protocol GitHub: Sendable {
  /// One page of what matches, the most starred first; an empty text matches everything.
  func repositories(matching text: String, page: Int) async throws -> RepositoryPage
  func repository(_ id: RepositoryID) async throws -> Repository
  /// In Markdown; `nil` if there is none.
  func readme(of id: RepositoryID) async throws -> String?
  /// Others of the same owner.
  func neighbours(of id: RepositoryID) async throws -> [Repository]
}

/// Why GitHub gave no answer; all that a `GitHub` throws, but for a cancellation.
package enum GitHubError: Error, Hashable {
  /// There is no way to it.
  case offline
  /// It took too long.
  case slow
  /// It answered that it could not.
  case response(status: Int)
  /// It answered something that is not what it documents.
  case unreadable
  /// It was asked too often, until then.
  case rateLimited(until: Date)
  /// There is no such thing.
  case notFound

  /// Whether it is the network's fault rather than GitHub's.
  package var isNetwork: Bool { self == .offline || self == .slow }

  /// Whether the same question may be answered a moment later.
  package var mayPass: Bool {
    switch self {
    case .offline, .slow: true
    case .response(let status): status >= 500
    case .unreadable, .rateLimited, .notFound: false
    }
  }
}
