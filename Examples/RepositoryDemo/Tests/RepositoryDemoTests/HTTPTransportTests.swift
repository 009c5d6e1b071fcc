import Foundation
import HTTPTypes
import Hummingbird
import NIOCore
import NIOPosix
import RepositoryCore
import Testing

@testable import RepositoryDemo

/// The connection to the real GitHub: the requests on the socket, and how the responses are parsed.
@Suite(.timeLimit(.minutes(2))) struct HTTPTransportTests {
  private static let hello = Answers.id("octocat/Hello-World")
  private static let bare = Answers.id("octocat/bare")
  private typealias Answers = DocumentedAnswers

  // MARK: Requests

  @Test func `a search request is as documented`() async throws {
    try await SocketGitHub.asking { _ in
      Response(github: .ok, Answers.search(Answers.repository(), Answers.bare, total: 61))
    } _: { client, github in
      let page = try await client.repositories(matching: "hello world", page: 2)
      let question = try #require(github.asked.first)
      #expect(question.path == "/search/repositories")
      #expect(
        question.query == ["q": "hello world", "sort": "stars", "per_page": "30", "page": "2"])
      #expect(question.header("Accept") == "application/vnd.github+json")
      #expect(question.header("User-Agent") == "RepositoryDemo")
      #expect(question.header("X-GitHub-Api-Version") == "2022-11-28")
      #expect(page.items.map(\.id.description) == ["octocat/Hello-World", "octocat/bare"])
      #expect((page.total, page.next) == (61, 3))
    }
  }

  @Test(arguments: [
    "C++", "a&page=9", "x=1;y", "\"exact\" #1 100%", "stars:>0 language:c#", "並行 🦊", "a/b?c",
  ])
  func `the text of a search arrives as it was typed`(text: String) async throws {
    try await SocketGitHub.asking { _ in
      Response(github: .ok, Answers.search())
    } _: { client, github in
      _ = try await client.repositories(matching: text, page: 1)
      #expect(github.asked.map(\.query["q"]) == [text])
      #expect(github.asked.map(\.query["page"]) == ["1"])
    }
  }

  @Test(arguments: [
    (nil, nil), ("", nil), ("github_pat_1", "Bearer github_pat_1"),
    (" github_pat_1\n", "Bearer github_pat_1"),
  ])
  func `only a client with a token sends one`(token: String?, header: String?) async throws {
    try await SocketGitHub.asking(token: token) { _ in
      Response(github: .ok, Answers.search())
    } _: { client, github in
      _ = try await client.repositories(matching: "", page: 1)
      #expect(github.asked.map { $0.header("Authorization") } == [header])
    }
  }

  @Test(arguments: ["/api/v3", "/api/v3/"])
  func `an API may be in a folder`(folder: String) async throws {
    try await SocketGitHub.asking(folder: folder) { _ in
      Response(github: .ok, Answers.repository())
    } _: { client, github in
      _ = try await client.repository(Self.hello)
      #expect(github.asked.map(\.path) == ["/api/v3/repos/octocat/Hello-World"])
    }
  }

  @Test(arguments: ["", "api.github.com", "ftp://api.github.com", "https://", "http:///x"])
  func `an address that is not one of the web is refused`(text: String) {
    #expect(throws: HTTPTransport.BadAddress.self) { try HTTPTransport(text, token: nil) }
  }

  // MARK: Responses

  @Test func `a repository is read from an answer with many other fields`() async throws {
    try await SocketGitHub.asking { question in
      Response(github: .ok, question.path.hasSuffix("/bare") ? Answers.bare : Answers.repository())
    } _: { client, _ in
      let (id, bare) = (Self.hello, Self.bare)
      let updated = Date(timeIntervalSince1970: 1_296_069_283)
      let (full, least) = (try await client.repository(id), try await client.repository(bare))
      #expect(
        full
          == Repository(
            id: id, summary: "This your first repo!", language: "C", stars: 80, forks: 9,
            openIssues: 4, license: "MIT", topics: ["octocat", "atom"], updated: updated))
      #expect(least == Repository(id: bare, updated: updated))
    }
  }

  @Test func `a README is requested as text, and may be missing`() async throws {
    try await SocketGitHub.asking { question in
      if question.path != "/repos/octocat/Hello-World/readme" {
        return Response(github: .notFound, Answers.message("Not Found"))
      }
      let isRaw = question.header("Accept") == "application/vnd.github.raw+json"
      return Response(github: .ok, isRaw ? "# Grüße\n" : Answers.readme)
    } _: { client, _ in
      let texts = [
        try await client.readme(of: Self.hello), try await client.readme(of: Self.bare),
      ]
      #expect(texts == ["# Grüße\n", nil])
    }
  }

  @Test func `neighbours are other repositories of the owner`() async throws {
    try await SocketGitHub.asking { _ in
      Response(github: .ok, Answers.search(Answers.repository(), Answers.bare))
    } _: { client, github in
      let neighbours = try await client.neighbours(of: Self.hello)
      #expect(neighbours.map(\.id.name) == ["bare"])
      #expect(github.asked.map(\.query["q"]) == ["user:octocat"])
    }
  }

  @Test func `a redirect is followed, and the token is not sent to another host`() async throws {
    try await SocketGitHub.asking(token: "secret") { question in
      let elsewhere = question.host.replacing("127.0.0.1", with: "localhost")
      return switch question.path {
      case "/repos/octocat/Hello-World":
        Response(
          github: .movedPermanently, Answers.message("Moved Permanently"),
          [.location: "/repositories/1296269"])
      case "/repositories/1296269":
        Response(github: .temporaryRedirect, "", [.location: "http://\(elsewhere)/new"])
      default: Response(github: .ok, Answers.repository("octocat/Hello-Moon"))
      }
    } _: { client, github in
      let moved = try await client.repository(Self.hello)
      #expect(moved.id.name == "Hello-Moon")
      #expect(
        github.asked.map { $0.header("Authorization") } == ["Bearer secret", "Bearer secret", nil])
      #expect(Set(github.asked.map { $0.header("Accept") }) == ["application/vnd.github+json"])
    }
  }

  // MARK: Failures

  static let now = 1_700_000_000.0
  static func limited(_ seconds: Double) -> GitHubError {
    .rateLimited(until: Date(timeIntervalSince1970: seconds))
  }

  @Test(arguments: [
    (401, [:], GitHubError.response(status: 401)),
    (403, [:], .response(status: 403)),
    (403, ["X-RateLimit-Remaining": "0", "X-RateLimit-Reset": "1700000099"], limited(now + 99)),
    (403, ["Retry-After": "7"], limited(now + 7)),
    (429, ["X-RateLimit-Remaining": "0", "X-RateLimit-Reset": "1700000099"], limited(now + 99)),
    // If no time is given, the documentation asks for a minute.
    (429, [:], limited(now + 60)),
    (429, ["Retry-After": "inf"], limited(now + 60)),
    (429, ["Retry-After": "1e300"], limited(now + 60)),
    (403, ["X-RateLimit-Remaining": "0", "X-RateLimit-Reset": "nan"], .response(status: 403)),
    (404, [:], .notFound), (422, [:], .response(status: 422)), (500, [:], .response(status: 500)),
    (502, [:], .response(status: 502)), (503, ["Retry-After": "7"], .response(status: 503)),
  ])
  func `each refusal of GitHub has an error of its own`(
    status: Int, headers: [String: String], error: GitHubError
  ) async throws {
    try await SocketGitHub.asking { _ in
      var fields: HTTPFields = [:]
      for (name, value) in headers { fields[.known(name)] = value }
      return Response(github: .init(code: status), Answers.message("No"), fields)
    } _: { client, _ in
      await #expect(throws: error) { try await client.repositories(matching: "", page: 1) }
    }
  }

  @Test(arguments: [
    "", "{", "[]", "null", "<html>Unicorn!</html>", #"{"total_count": 1}"#,
    String(Answers.search(Answers.repository()).dropLast(40)),
    #"{"total_count": 1e40, "items": []}"#,
  ])
  func `an answer that is not as documented cannot be read`(body: String) async throws {
    try await SocketGitHub.asking { _ in
      Response(github: .ok, body)
    } _: { client, _ in
      await #expect(throws: GitHubError.unreadable) {
        try await client.repositories(matching: "", page: 1)
      }
    }
  }

  @Test func `a name that no repository can have is left out of the results`() async throws {
    try await SocketGitHub.asking { _ in
      Response(
        github: .ok, Answers.search(Answers.repository("octocat/../x"), Answers.repository()))
    } _: { client, _ in
      let page = try await client.repositories(matching: "", page: 1)
      #expect(page.items.map(\.id) == [Self.hello])
    }
  }

  @Test func `an answer above the size limit is unreadable, and GitHub is not offline`()
    async throws
  {
    try await SocketGitHub.asking { question in
      let size = question.path.hasSuffix("readme") ? (4 << 20) + 1 : 4 << 20
      return Response(github: .ok, String(repeating: " ", count: size))
    } _: { client, _ in
      await #expect(throws: GitHubError.unreadable) { try await client.readme(of: Self.hello) }
      await #expect(throws: GitHubError.unreadable) { try await client.repository(Self.hello) }
    }
  }

  @Test func `an answer that breaks off means offline`() async throws {
    struct BrokenOff: Error {}
    try await SocketGitHub.asking { _ in
      Response(
        status: .ok, headers: [.contentLength: "1000"],
        body: ResponseBody(contentLength: 1000) { writer in
          try await writer.write(ByteBuffer(string: "{"))
          throw BrokenOff()
        })
    } _: { client, _ in
      await #expect(throws: GitHubError.offline) {
        try await client.repositories(matching: "", page: 1)
      }
    }
  }

  @Test func `a redirect to itself means offline`() async throws {
    try await SocketGitHub.asking { question in
      Response(github: .found, "", [.location: question.path])
    } _: { client, _ in
      await #expect(throws: GitHubError.offline) {
        try await client.repository(Self.hello)
      }
    }
  }

  @Test func `a connection that is closed or refused means offline`() async throws {
    let listener = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
      .childChannelInitializer { $0.close() }.bind(host: "127.0.0.1", port: 0).get()
    let port = try #require(listener.localAddress?.port)
    for isThere in [true, false] {
      if !isThere { try await listener.close() }
      try await SocketGitHub.client(of: "http://127.0.0.1:\(port)") { client in
        await #expect(throws: GitHubError.offline) {
          try await client.repositories(matching: "", page: 1)
        }
      }
    }
  }
}
