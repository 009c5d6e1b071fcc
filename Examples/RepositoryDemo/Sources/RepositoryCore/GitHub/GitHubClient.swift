package import Foundation
import Reactor

/// A client of GitHub's REST API, over any transport.
package struct GitHubClient<Time: Clock>: GitHub where Time.Duration == Duration {
  static var pageSize: Int { 30 }
  /// GitHub returns no more results of a search.
  static var searchLimit: Int { 1000 }

  private let transport: any GitHubTransport
  private let clock: Time
  private let limit: Duration
  private let now: @Sendable () -> Date

  /// - Parameters:
  ///   - transport: The connection to GitHub.
  ///   - clock: The clock that measures how long an answer takes.
  ///   - limit: How long an answer may take.
  ///   - now: Returns the current time, for the time limits that GitHub sends.
  package init(
    _ transport: any GitHubTransport, clock: Time, limit: Duration = .seconds(10),
    now: @escaping @Sendable () -> Date = { Date() }
  ) {
    (self.transport, self.clock, self.limit, self.now) = (transport, clock, limit, now)
  }

  package func repositories(matching text: String, page: Int) async throws -> RepositoryPage {
    try await search(text.isEmpty ? "stars:>0" : text, page: page)
  }

  package func repositories(of user: String, page: Int) async throws -> RepositoryPage {
    guard RepositoryID(owner: user, name: "any") != nil else { throw GitHubError.notFound }
    let size = Self.pageSize
    let response = try await get(
      GitHubRequest(
        path: "/users/\(user)/repos",
        query: [
          URLQueryItem(name: "type", value: "owner"), URLQueryItem(name: "sort", value: "updated"),
          URLQueryItem(name: "per_page", value: "\(size)"),
          URLQueryItem(name: "page", value: "\(page)"),
        ]))
    let found = try decode([RepositoryBody].self, response.body)
    // GitHub does not send the number of all; it is known on the last page.
    let hasNext = response.headers["link"]?.contains("rel=\"next\"") == true
    return RepositoryPage(
      items: found.compactMap(\.repository),
      total: hasNext ? nil : (page - 1) * size + found.count, next: hasNext ? page + 1 : nil)
  }

  package func neighbours(of id: RepositoryID) async throws -> [Repository] {
    try await search("user:\(id.owner)", page: 1).items.filter { $0.id != id }
  }

  package func repository(_ id: RepositoryID) async throws -> Repository {
    let body = try await get(GitHubRequest(path: "/repos/\(id)")).body
    guard let repository = try decode(RepositoryBody.self, body).repository else {
      throw GitHubError.unreadable
    }
    return repository
  }

  package func readme(of id: RepositoryID) async throws -> String? {
    let request = GitHubRequest(
      path: "/repos/\(id)/readme", accept: "application/vnd.github.raw+json")
    do {
      return String(decoding: try await get(request).body, as: UTF8.self)
    } catch GitHubError.notFound {
      return nil
    }
  }

  private func search(_ text: String, page: Int) async throws -> RepositoryPage {
    let size = Self.pageSize
    let response = try await get(
      GitHubRequest(
        path: "/search/repositories",
        query: [
          URLQueryItem(name: "q", value: text), URLQueryItem(name: "sort", value: "stars"),
          URLQueryItem(name: "per_page", value: "\(size)"),
          URLQueryItem(name: "page", value: "\(page)"),
        ]))
    let found = try decode(SearchBody.self, response.body)
    let reachable = min(found.totalCount, Self.searchLimit)
    return RepositoryPage(
      items: found.items.compactMap(\.repository), total: found.totalCount,
      next: page * size < reachable && !found.items.isEmpty ? page + 1 : nil)
  }

  private func get(_ request: GitHubRequest) async throws -> GitHubResponse {
    let response: GitHubResponse
    do {
      response = try await race { [transport] in
        try await transport.get(request)
      } or: { [clock, limit] in
        try await clock.sleep(for: limit)
        throw GitHubError.slow
      }
    } catch {
      if Task.isCancelled { throw CancellationError() }
      throw error as? GitHubError ?? .offline
    }
    guard response.status == 200 else { throw refusal(response) }
    return response
  }

  private func refusal(_ response: GitHubResponse) -> GitHubError {
    switch response.status {
    case 404: return .notFound
    case 403, 429:
      if let seconds = seconds("retry-after", response) {
        return .rateLimited(until: now().addingTimeInterval(seconds))
      }
      if response.headers["x-ratelimit-remaining"] == "0",
        let reset = seconds("x-ratelimit-reset", response)
      {
        return .rateLimited(until: Date(timeIntervalSince1970: reset))
      }
      // If no time is given, GitHub's documentation asks for a minute.
      return response.status == 429
        ? .rateLimited(until: now().addingTimeInterval(60)) : .response(status: 403)
    default: return .response(status: response.status)
    }
  }

  /// The number is limited to what a date can represent; anything else in the header is ignored.
  private func seconds(_ name: String, _ response: GitHubResponse) -> TimeInterval? {
    response.headers[name].flatMap { UInt32($0) }.map(TimeInterval.init)
  }

  private func decode<Body: Decodable>(_ type: Body.Type, _ data: Data) throws -> Body {
    let decoder = JSONDecoder()
    decoder.keyDecodingStrategy = .convertFromSnakeCase
    decoder.dateDecodingStrategy = .iso8601
    do { return try decoder.decode(type, from: data) } catch { throw GitHubError.unreadable }
  }
}
