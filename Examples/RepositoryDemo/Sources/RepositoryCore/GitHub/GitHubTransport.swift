package import Foundation

/// A request to GitHub's API.
package struct GitHubRequest: Equatable {
  package var path: String
  package var query: [URLQueryItem] = []
  package var accept = "application/vnd.github+json"
}

/// The response to a request.
package struct GitHubResponse {
  package var status: Int
  /// The names are in lower case.
  package var headers: [String: String]
  package var body: Data

  package init(status: Int, headers: [String: String] = [:], body: Data = Data()) {
    (self.status, self.headers, self.body) = (status, headers, body)
  }
}

/// The connection to GitHub: over the network, or to the fake in this program.
package protocol GitHubTransport: Sendable {
  /// Sends a request.
  ///
  /// - Throws: A `GitHubError`; any other error except a cancellation means that GitHub cannot be
  ///   reached.
  func get(_ request: GitHubRequest) async throws -> GitHubResponse
}
