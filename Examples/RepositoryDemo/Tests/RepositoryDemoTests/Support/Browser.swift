import AsyncHTTPClient
import Foundation
import Hummingbird
import HummingbirdTesting
import Logging
import NIOCore
import NIOHTTP1
import Testing

@testable import RepositoryDemo

/// A browser with one stream.
struct Browser {
  let desk: Desk
  let visitor: Visitor
  let base: String
  let client: HTTPClient

  /// Opens a stream, which is closed when what is returned is released.
  func events(
    _ page: String = "/", window: String = "", seen: String = "", last: String? = nil
  ) async throws -> Events {
    let address = "\(base)/events?page=\(page)&window=\(window)&seen=\(seen)"
    var request = HTTPClientRequest(url: address)
    if let cookie = visitor.cookie { request.headers.add(name: "Cookie", value: cookie) }
    if let last { request.headers.add(name: "Last-Event-ID", value: last) }
    let answer = try await client.execute(request, timeout: .seconds(30))
    return Events(status: answer.status.code, chunks: answer.body.makeAsyncIterator())
  }
}

struct Events {
  let status: UInt
  var chunks: HTTPClientResponse.Body.AsyncIterator
  private var text = ""

  init(status: UInt, chunks: HTTPClientResponse.Body.AsyncIterator) {
    (self.status, self.chunks) = (status, chunks)
  }

  /// Returns the fields of the next event.
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

/// Runs an app that listens, and a browser that sends requests over a socket.
func browse(_ body: @escaping @Sendable (Browser) async throws -> Void) async throws {
  var options = App.Options()
  (options.latency, options.announcements, options.requestsPerSecond) = (.zero, nil, 0)
  (options.rounds, options.port) = (16, 0)
  let app = try await App(options, logger: .silent)
  let desk = app.desk
  try await app.server().test(.live) { client in
    let port = try #require(client.port)
    var configuration = HTTPClient.Configuration()
    configuration.connectionPool.concurrentHTTP1ConnectionsPerHostSoftLimit = 20
    let streams = HTTPClient(configuration: configuration)
    let browser = Browser(
      desk: desk, visitor: Visitor(client), base: "http://127.0.0.1:\(port)", client: streams)
    let result: Result<Void, any Error>
    do { result = .success(try await body(browser)) } catch { result = .failure(error) }
    try await streams.shutdown()
    try result.get()
  }
}

extension Events {
  /// Reads events until a page shows what is expected.
  mutating func read(into page: inout PageModel, until isRight: (PageModel) -> Bool) async throws {
    while !isRight(page) {
      let event = try #require(try await next())
      try page.apply(event)
    }
  }
}

extension PageModel {
  /// Whether no load is running.
  var isDone: Bool { regions["status"]?.contains("repositor") == true }
}
