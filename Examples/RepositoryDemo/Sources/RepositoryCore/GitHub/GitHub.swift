package import Foundation

/// The part of GitHub's API that the screens use.
package protocol GitHub: Sendable {
  /// Returns one page of the matching repositories, the most starred first; an empty text matches
  /// all.
  func repositories(matching text: String, page: Int) async throws -> RepositoryPage
  /// Returns one page of a user's own repositories, the newest first.
  ///
  /// - Throws: `notFound` if there is no such user.
  func repositories(of user: String, page: Int) async throws -> RepositoryPage
  func repository(_ id: RepositoryID) async throws -> Repository
  /// Returns the README in Markdown; `nil` if there is none.
  func readme(of id: RepositoryID) async throws -> String?
  /// Returns other repositories of the same owner.
  func neighbours(of id: RepositoryID) async throws -> [Repository]
}

/// Why GitHub gave no answer; a `GitHub` throws only these errors and cancellations.
package enum GitHubError: Error, Hashable {
  /// GitHub cannot be reached.
  case offline
  /// The answer took too long.
  case slow
  /// The answer was an error status.
  case response(status: Int)
  /// The answer does not have the documented format.
  case unreadable
  /// Too many requests; GitHub refuses more until the given time.
  case rateLimited(until: Date)
  /// There is no such repository, or no such user.
  case notFound

  /// Whether the network failed rather than GitHub.
  package var isNetwork: Bool { self == .offline || self == .slow }

  /// Whether the same request may succeed a moment later.
  package var mayPass: Bool {
    switch self {
    case .offline, .slow: true
    case .response(let status): status >= 500
    case .unreadable, .rateLimited, .notFound: false
    }
  }
}
