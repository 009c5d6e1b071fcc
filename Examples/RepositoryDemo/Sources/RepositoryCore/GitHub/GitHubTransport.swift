package import Foundation

/// A question to GitHub's API.
package struct GitHubRequest: Equatable {
  package var path: String
  package var query: [URLQueryItem] = []
  package var accept = "application/vnd.github+json"
}

/// What it answers.
package struct GitHubResponse {
  package var status: Int
  /// Names in small letters.
  package var headers: [String: String]
  package var body: Data

  package init(status: Int, headers: [String: String] = [:], body: Data = Data()) {
    (self.status, self.headers, self.body) = (status, headers, body)
  }
}

/// The way to GitHub: over the network, or to the fake in this program.
package protocol GitHubTransport: Sendable {
  /// Asks.
  ///
  /// - Throws: A `GitHubError`; anything else, but for a cancellation, means that there is no way.
  func get(_ request: GitHubRequest) async throws -> GitHubResponse
}
