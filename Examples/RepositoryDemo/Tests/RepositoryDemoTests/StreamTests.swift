import AsyncHTTPClient
import Foundation
import Hummingbird
import HummingbirdTesting
import Logging
import NIOCore
import NIOHTTP1
import Testing

@testable import RepositoryDemo

/// Live pages over a socket, by a client that reads as they come.
@Suite struct StreamTests {
  /// A browser with one stream.
  private struct Browser {
    let visitor: Visitor
    let base: String
    let client: HTTPClient

    /// Opens a stream; what comes in it, event by event.
    func events(
      _ page: String = "/", seen: String = "", last: String? = nil
    ) async throws -> Events {
      let address = "\(base)/events?page=\(page)&seen=\(seen)"
      var request = HTTPClientRequest(url: address)
      if let cookie = visitor.cookie { request.headers.add(name: "Cookie", value: cookie) }
      if let last { request.headers.add(name: "Last-Event-ID", value: last) }
      let answer = try await client.execute(request, timeout: .seconds(30))
      return Events(status: answer.status.code, chunks: answer.body.makeAsyncIterator())
    }
  }

  private struct Events {
    let status: UInt
    var chunks: HTTPClientResponse.Body.AsyncIterator
    private var text = ""

    init(status: UInt, chunks: HTTPClientResponse.Body.AsyncIterator) {
      (self.status, self.chunks) = (status, chunks)
    }

    /// The next event, by its fields.
    mutating func next() async throws -> [String: String]? {
      while true {
        while let end = text.range(of: "\n\n") {
          let event = text[..<end.lowerBound]
          text = String(text[end.upperBound...])
          let fields = event.split(separator: "\n").compactMap { line -> (String, String)? in
            let parts = line.split(separator: ": ", maxSplits: 1)
            return parts.count == 2 ? (String(parts[0]), String(parts[1])) : nil
          }
          let event_ = Dictionary(fields, uniquingKeysWith: { $1 })
          if event_["event"] != nil { return event_ }
        }
        guard let chunk = try await chunks.next() else { return nil }
        text += String(buffer: chunk)
      }
    }
  }

  private func browse(_ body: @escaping @Sendable (Browser) async throws -> Void) async throws {
    var options = App.Options()
    (options.latency, options.notices, options.requestsPerSecond) = (.zero, nil, 0)
    (options.rounds, options.port) = (16, 0)
    var logger = Logger(label: "test")
    logger.logLevel = .critical
    try await App(options, logger: logger).server().test(.live) { client in
      let port = try #require(client.port)
      var configuration = HTTPClient.Configuration()
      configuration.connectionPool.concurrentHTTP1ConnectionsPerHostSoftLimit = 20
      let streams = HTTPClient(configuration: configuration)
      let browser = Browser(
        visitor: Visitor(client), base: "http://127.0.0.1:\(port)", client: streams)
      let result: Result<Void, any Error>
      do { result = .success(try await body(browser)) } catch { result = .failure(error) }
      try await streams.shutdown()
      try result.get()
    }
  }

  @Test func `a page that is right gets what changes, and nothing else`() async throws {
    try await browse { browser in
      let page = try await browser.visitor.list()
      let seen = try #require(page.value(after: "data-seen=\""))
      var events = try await browser.events(seen: seen)
      try await browser.visitor.post("/actions/search", ["q": "parser"], headers: [.live: "1"])
      let event = try #require(try await events.next())
      #expect(event["event"] == "page")
      #expect(event["data"]?.contains("\"all\"") == false)
      #expect(event["data"]?.contains("parser") == true)
    }
  }

  @Test func `a page that is not right gets everything once`() async throws {
    try await browse { browser in
      try await browser.visitor.list()
      var events = try await browser.events(seen: "something-else")
      let event = try #require(try await events.next())
      #expect(event["data"]?.contains("\"all\"") == true)
    }
  }

  @Test func `a page that comes again has neither a gap nor a double`() async throws {
    try await browse { browser in
      try await browser.visitor.list()
      var events = try await browser.events(seen: "nothing")
      let first = try #require(try await events.next())
      let id = try #require(first["id"])
      // What happens while it is away.
      try await browser.visitor.post("/actions/search", ["q": "parser"])
      var again = try await browser.events(last: id)
      let second = try #require(try await again.next())
      #expect(second["data"]?.contains("\"all\"") == true)
      // And once more, with nothing in between but what comes after.
      var third = try await browser.events(last: second["id"])
      try await browser.visitor.post("/actions/theme", ["theme": "dark"])
      let change = try #require(try await third.next())
      #expect(change["data"]?.contains("\"all\"") == false)
      #expect(change["data"]?.contains("dark") == true)
    }
  }

  @Test func `a page from before a login is told to load anew`() async throws {
    try await browse { browser in
      try await browser.visitor.get("/login")
      var events = try await browser.events("/login", seen: "x")
      _ = try await events.next()
      try await browser.visitor.logIn()
      var event = try await events.next()
      while event?["event"] == "page" { event = try await events.next() }
      #expect(event?["event"] == "reload")
      #expect(try await events.next() == nil)
    }
  }

  @Test func `whoever has no session has no stream, and not too many`() async throws {
    try await browse { browser in
      #expect(try await browser.events().status == 204)
      try await browser.visitor.get("/")
      #expect(try await browser.events("/nowhere").status == 404)
      var open: [Events] = []
      for _ in 0..<12 { open.append(try await browser.events()) }
      #expect(try await browser.events().status == 429)
      #expect(open.allSatisfy { $0.status == 200 })
    }
  }
}
