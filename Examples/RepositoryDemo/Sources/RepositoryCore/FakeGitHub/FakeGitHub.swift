package import Foundation

/// A GitHub within this program: answers like GitHub's API, in its JSON, with generated
/// repositories.
///
/// The same seed generates the same repositories.
package final class FakeGitHub: GitHubTransport {
  private let catalogue: FakeCatalogue
  private let station: WeatherStation
  private let allowance: FakeAllowance
  private let clock: any Clock<Duration>
  private let latency: Duration

  /// - Parameters:
  ///   - seed: The seed of the repositories.
  ///   - count: How many there are.
  ///   - station: Which faults are simulated.
  ///   - perMinute: How many requests per minute are answered.
  ///   - latency: How long an answer takes.
  ///   - clock: The clock that measures it.
  ///   - now: Returns the current time.
  package init(
    seed: UInt64 = 1, count: Int = 3000, station: WeatherStation = WeatherStation(),
    perMinute: Int = 5000, latency: Duration = .zero, clock: any Clock<Duration>,
    now: @escaping @Sendable () -> Date = { Date() }
  ) {
    catalogue = FakeCatalogue(seed: seed, count: count)
    (self.station, self.clock, self.latency) = (station, clock, latency)
    allowance = FakeAllowance(perMinute: perMinute, now: now)
  }

  package func get(_ request: GitHubRequest) async throws -> GitHubResponse {
    let weather = station.weather
    if weather == .offline { throw FakeNetworkDown() }
    let wait = weather == .slow ? Duration.seconds(3) : latency
    if wait > .zero { try await clock.sleep(for: wait) }
    if weather == .failing { return GitHubResponse(status: 502) }
    if let refusal = allowance.refusal(isAlways: weather == .limited) { return refusal }
    let answer = try answer(to: request)
    guard weather == .garbled else { return answer }
    return GitHubResponse(status: 200, body: Data(answer.body.prefix(answer.body.count / 2)))
  }

  private func answer(to request: GitHubRequest) throws -> GitHubResponse {
    let parts = request.path.split(separator: "/").map(String.init)
    if parts == ["search", "repositories"] { return try search(request) }
    if parts.count == 3, parts[0] == "users", parts[2] == "repos" {
      return try repositories(of: parts[1], request)
    }
    guard parts.count >= 3, parts[0] == "repos",
      let id = RepositoryID(owner: parts[1], name: parts[2]), let one = catalogue.repository(id)
    else { return GitHubResponse(status: 404) }
    if parts.count == 3 { return try json(RepositoryBody(one)) }
    guard parts.count == 4, parts[3] == "readme", let text = FakeReadme.text(of: one) else {
      return GitHubResponse(status: 404)
    }
    return GitHubResponse(status: 200, body: Data(text.utf8))
  }

  private func repositories(of user: String, _ request: GitHubRequest) throws -> GitHubResponse {
    let (_, size, page) = query(request)
    guard page >= 1 else { return GitHubResponse(status: 422) }
    let all = catalogue.repositories(of: user)
    var response = try json(all.dropFirst((page - 1) * size).prefix(size).map(RepositoryBody.init))
    if all.count > page * size {
      response.headers["link"] =
        "<https://api.github.com\(request.path)?page=\(page + 1)>; rel=\"next\""
    }
    return response
  }

  private func query(
    _ request: GitHubRequest
  ) -> (values: [String: String], size: Int, page: Int) {
    let values = Dictionary(
      request.query.map { ($0.name, $0.value ?? "") }, uniquingKeysWith: { $1 })
    let size = min(max(Int(values["per_page"] ?? "") ?? 30, 1), 100)
    return (values, size, Int(values["page"] ?? "") ?? 1)
  }

  private func search(_ request: GitHubRequest) throws -> GitHubResponse {
    let (values, size, page) = query(request)
    // GitHub gives the same answer beyond the first thousand results.
    guard page >= 1, page * size <= 1000 + size else { return GitHubResponse(status: 422) }
    let found = catalogue.matching(values["q"] ?? "")
    let items = found.dropFirst((page - 1) * size).prefix(size).map(RepositoryBody.init)
    return try json(SearchBody(totalCount: found.count, items: items))
  }

  private func json(_ body: some Encodable) throws -> GitHubResponse {
    let encoder = JSONEncoder()
    encoder.keyEncodingStrategy = .convertToSnakeCase
    encoder.dateEncodingStrategy = .iso8601
    return GitHubResponse(status: 200, body: try encoder.encode(body))
  }
}

struct FakeNetworkDown: Error {}
