import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import Logging
import NIOCore
import Testing

@testable import RepositoryDemo

/// Runs an app with a GitHub that answers at once; requests to it never leave this process.
func demo(
  _ change: (inout App.Options) -> Void = { _ in }, logger: Logger = .silent,
  _ body: @escaping @Sendable (any TestClientProtocol) async throws -> Void
) async throws {
  var options = App.Options()
  (options.latency, options.announcements, options.requestsPerSecond) = (.zero, nil, 0)
  options.rounds = 16
  change(&options)
  try await App(options, logger: logger).server().test(.router) { try await body($0) }
}

extension Logger {
  static var silent: Logger {
    var logger = Logger(label: "test")
    logger.logLevel = .critical
    return logger
  }
}

/// A browser, as far as these tests need one: stores its cookies and sends the token.
final class Visitor {
  private let client: any TestClientProtocol
  private var jar: [String: String] = [:]
  private(set) var token = ""
  /// The window of the last page.
  private(set) var windowID = ""

  init(_ client: any TestClientProtocol, cookie: String? = nil) {
    self.client = client
    for one in cookie?.split(separator: ";") ?? [] { keep(one) }
  }

  /// Another window of this browser, with the cookies that this one has now.
  func window() -> Visitor {
    let other = Visitor(client, cookie: cookie)
    other.token = token
    return other
  }

  /// A browser without cookies of this one.
  func stranger() -> Visitor { Visitor(client) }

  /// The cookies that it sends.
  var cookie: String? {
    jar.isEmpty ? nil : jar.map { "\($0)=\($1)" }.sorted().joined(separator: "; ")
  }

  /// Stores the cookies of an answer, as a browser does when it arrives.
  func take(_ answer: Answer) {
    for one in answer.headers[values: .setCookie] {
      keep(one.prefix { $0 != ";" })
      if one.contains("Max-Age=0"), let name = one.split(separator: "=").first {
        jar[String(name)] = nil
      }
    }
  }

  private func keep(_ text: Substring) {
    let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.count == 2 else { return }
    jar[parts[0].trimmingCharacters(in: .whitespaces)] = String(parts[1])
  }

  struct Answer {
    let status: Int
    let headers: HTTPFields
    let text: String

    /// The text between the quotation marks after the first occurrence of another text.
    func value(after text: String) -> String? {
      self.text.components(separatedBy: text).dropFirst().first?.components(separatedBy: "\"").first
    }
  }

  @discardableResult
  func get(_ uri: String, headers: HTTPFields = [:]) async throws -> Answer {
    try await send(.get, uri, headers, nil)
  }

  @discardableResult
  func post(
    _ uri: String, _ fields: [String: String], headers: HTTPFields = [:], token: String? = nil,
    takes: Bool = true
  ) async throws -> Answer {
    var allowed = CharacterSet.alphanumerics
    allowed.insert(charactersIn: "-._")
    let body = fields.merging(["token": token ?? self.token]) { own, _ in own }.map {
      "\($0)=\($1.addingPercentEncoding(withAllowedCharacters: allowed) ?? "")"
    }.joined(separator: "&")
    var headers = headers
    if headers[.contentType] == nil {
      headers[.contentType] = "application/x-www-form-urlencoded"
    }
    return try await send(.post, uri, headers, body, takes)
  }

  /// Sends a request by any method, without a body.
  func ask(_ method: HTTPRequest.Method, _ uri: String) async throws -> Answer {
    try await send(method, uri, [:], nil)
  }

  private func send(
    _ method: HTTPRequest.Method, _ uri: String, _ headers: HTTPFields, _ body: String?,
    _ takes: Bool = true
  ) async throws -> Answer {
    var headers = headers
    if let cookie { headers[.cookie] = cookie }
    let answer = try await client.execute(
      uri: uri, method: method, headers: headers, body: body.map { ByteBuffer(string: $0) })
    let read = Answer(
      status: answer.status.code, headers: answer.headers, text: String(buffer: answer.body))
    guard takes else { return read }
    take(read)
    if let token = read.value(after: "name=\"token\" value=\"") { self.token = token }
    if let window = read.value(after: "name=\"window\" value=\"") { windowID = window }
    return read
  }

  /// Opens the list, and reloads until it is loaded.
  @discardableResult
  func list() async throws -> Answer {
    // The page itself waits for a search.
    try await get("/?q=swift")
  }

  func logIn(_ name: String = "ada", _ password: String = "difference") async throws {
    try await get("/login")
    try await post("/login", ["name": name, "password": password, "new": "yes", "next": "/"])
    // The token has changed.
    try await get("/settings")
  }
}
