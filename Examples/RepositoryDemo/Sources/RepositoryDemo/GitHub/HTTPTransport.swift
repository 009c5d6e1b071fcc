import AsyncHTTPClient
import Foundation
import NIOCore
import NIOHTTP1
import RepositoryCore

/// The connection to the real GitHub.
struct HTTPTransport: GitHubTransport {
  private let client: HTTPClient
  private let base: URLComponents
  private let token: String?

  /// - Parameters:
  ///   - base: The address of the API.
  ///   - token: The access token; without one, GitHub answers only few requests.
  ///   - client: The HTTP client; by default one that lives as long as the program.
  /// - Throws: `BadAddress` if the address is not a web address.
  init(_ base: String, token: String?, client: HTTPClient = HTTPTransport.client) throws {
    guard let url = URLComponents(string: base), ["http", "https"].contains(url.scheme),
      url.host?.isEmpty == false
    else { throw BadAddress(text: base) }
    // A token from a file or an environment variable may end with a line break, or be empty.
    let token = token?.trimmingCharacters(in: .whitespacesAndNewlines) ?? ""
    (self.base, self.token, self.client) = (url, token.isEmpty ? nil : token, client)
  }

  private static let client = HTTPClient(configuration: configuration)

  /// Configured like a browser, except that a refused connection fails at once: the caller retries,
  /// and shows that.
  static var configuration: HTTPClient.Configuration {
    var configuration = HTTPClient.Configuration.singletonConfiguration
    configuration.connectionPool.retryConnectionEstablishment = false
    return configuration
  }

  struct BadAddress: Error, CustomStringConvertible {
    let text: String
    var description: String { "'\(text)' is no address; it should be like https://api.github.com" }
  }

  func get(_ request: GitHubRequest) async throws -> GitHubResponse {
    var url = base
    url.path = (base.path.hasSuffix("/") ? String(base.path.dropLast()) : base.path) + request.path
    if !request.query.isEmpty {
      url.queryItems = request.query
      // `URLComponents` leaves it unescaped, and the server would decode it as a blank.
      url.percentEncodedQuery = url.percentEncodedQuery?.replacing("+", with: "%2B")
    }
    guard let address = url.string else { throw BadAddress(text: request.path) }
    var question = HTTPClientRequest(url: address)
    question.headers = [
      "Accept": request.accept, "User-Agent": "RepositoryDemo",
      "X-GitHub-Api-Version": "2022-11-28",
    ]
    if let token { question.headers.add(name: "Authorization", value: "Bearer \(token)") }
    let answer = try await client.execute(question, timeout: .seconds(15))
    let body: ByteBuffer
    do {
      body = try await answer.body.collect(upTo: 4 << 20)
    } catch is NIOTooManyBytesError {
      throw GitHubError.unreadable
    }
    let headers = answer.headers.map { ($0.name.lowercased(), $0.value) }
    return GitHubResponse(
      status: Int(answer.status.code),
      headers: Dictionary(headers, uniquingKeysWith: { first, _ in first }),
      body: Data(body.readableBytesView))
  }
}
