import AsyncHTTPClient
import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import Logging
import NIOCore
import RepositoryCore
import Synchronization
import Testing

@testable import RepositoryDemo

/// A GitHub over a socket, as in the documentation of its REST API.
///
/// Holds: the requests, guarded by its own lock.
final class SocketGitHub: Sendable {
  /// A request as it arrived.
  struct Question: Sendable {
    let host: String
    let path: String
    let headers: HTTPFields
    /// Decoded as a server does: a plus is a blank, unless it has been escaped.
    let query: [String: String]

    init(_ request: Request) {
      (host, path) = (request.head.authority ?? "", request.uri.path)
      headers = request.headers
      let items = (request.uri.query ?? "").split(separator: "&").map { item in
        item.split(separator: "=", maxSplits: 1).map {
          $0.replacing("+", with: " ").removingPercentEncoding ?? "no text: \($0)"
        }
      }
      query = Dictionary(items.map { ($0[0], $0.dropFirst().first ?? "") }) { $1 }
    }

    func header(_ name: String) -> String? { headers[.known(name)] }
  }

  private let questions = Mutex<[Question]>([])

  /// The requests, in order.
  var asked: [Question] { questions.withLock { $0 } }

  /// Listens until the body ends, and answers with the closure.
  static func listening(
    _ answer: @escaping @Sendable (Question) throws -> Response,
    _ body: @escaping @Sendable (_ github: SocketGitHub, _ address: String) async throws -> Void
  ) async throws {
    let github = SocketGitHub()
    var logger = Logger(label: "test")
    logger.logLevel = .critical
    let responder = CallbackResponder { (request: Request, _: BasicRequestContext) in
      let question = Question(request)
      github.questions.withLock { $0.append(question) }
      return try answer(question)
    }
    let server = Application(
      responder: responder, configuration: .init(address: .hostname("127.0.0.1", port: 0)),
      logger: logger)
    try await server.test(.live) { client in
      try await body(github, "http://127.0.0.1:\(try #require(client.port))")
    }
  }

  /// Runs a client that connects to it over that socket.
  static func asking(
    token: String? = nil, folder: String = "",
    _ answer: @escaping @Sendable (Question) throws -> Response,
    _ body: @escaping @Sendable (_ client: any GitHub, _ github: SocketGitHub) async throws -> Void
  ) async throws {
    try await listening(answer) { github, address in
      try await client(of: address + folder, token: token) { try await body($0, github) }
    }
  }

  /// A client of a given address, whose connections end with the body.
  static func client(
    of address: String, token: String? = nil, _ body: (any GitHub) async throws -> Void
  ) async throws {
    let http = HTTPClient(configuration: HTTPTransport.configuration)
    let result: Result<Void, any Error>
    do {
      let transport = try HTTPTransport(address, token: token, client: http)
      let now = Date(timeIntervalSince1970: 1_700_000_000)
      try await body(GitHubClient(transport, clock: ContinuousClock(), now: { now }))
      result = .success(())
    } catch {
      result = .failure(error)
    }
    try await http.shutdown()
    try result.get()
  }
}

extension Response {
  /// A response like GitHub's, with another body.
  init(github status: HTTPResponse.Status, _ body: String = "", _ headers: HTTPFields = [:]) {
    var all: HTTPFields = [
      .contentType: "application/json; charset=utf-8", .known("X-GitHub-Media-Type"): "github.v3",
      .known("X-RateLimit-Limit"): "60", .known("X-RateLimit-Remaining"): "56",
      .known("X-RateLimit-Reset"): "1372700873",
    ]
    for field in headers { all[field.name] = field.value }
    self.init(
      status: status, headers: all, body: ResponseBody(byteBuffer: ByteBuffer(string: body)))
  }
}
