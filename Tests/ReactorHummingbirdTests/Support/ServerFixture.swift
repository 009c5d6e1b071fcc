import AsyncHTTPClient
import Foundation
import Hummingbird
import Logging
import NIOCore
import NIOHTTP1
import ReactorHummingbird
import ReactorLifecycle
import ServiceLifecycle
import TestSupport

/// A service as it really runs: a group, a server on a free port, and a client.
struct ServerFixture: Sendable {
  let reactors: ReactorService
  let group: ServiceGroup
  let port: Int
  let client: HTTPClient
  let running: Task<Void, any Error>

  /// Serves for as long as something is done with it.
  ///
  /// - Parameters:
  ///   - reactors: The reactors.
  ///   - router: The routes.
  ///   - services: Makes the group's services of the reactors and the server.
  ///   - body: What is done.
  /// - Throws: What the body throws.
  static func with(
    _ reactors: ReactorService, _ router: Router<BasicRequestContext>,
    services: (_ reactors: any Service, _ server: any Service) -> [any Service] = { [$0, $1] },
    _ body: (ServerFixture) async throws -> Void
  ) async throws {
    let ports = Log<Int>()
    let app = Application(
      router: router, server: .http1(serving: reactors),
      configuration: ApplicationConfiguration(address: .hostname("127.0.0.1", port: 0)),
      onServerRunning: { ports.append($0.localAddress?.port ?? 0) }, logger: .silent)
    let group = ServiceGroup(services: services(reactors, app), logger: .silent)
    let running = Task { try await group.run() }
    let port = await ports.entries(upTo: 1)[0]
    let client = HTTPClient(eventLoopGroupProvider: .singleton)
    let fixture = ServerFixture(
      reactors: reactors, group: group, port: port, client: client, running: running)
    do {
      try await body(fixture)
    } catch {
      running.cancel()
      try? await client.shutdown()
      throw error
    }
    await group.triggerGracefulShutdown()
    _ = await running.result
    try await client.shutdown()
  }

  func get(_ path: String, _ headers: [(String, String)] = []) async throws -> FixtureResponse {
    var request = HTTPClientRequest(url: "http://127.0.0.1:\(port)/\(path)")
    for (name, value) in headers { request.headers.add(name: name, value: value) }
    return FixtureResponse(try await client.execute(request, deadline: .distantFuture))
  }

  /// A response whose body is still to come.
  struct FixtureResponse {
    let status: Int
    let type: String?
    let body: HTTPClientResponse.Body

    init(_ response: HTTPClientResponse) {
      status = Int(response.status.code)
      type = response.headers.first(name: "Content-Type")
      body = response.body
    }

    var text: String { get async throws { String(buffer: try await body.collect(upTo: 99_999)) } }
  }

  func end() async { await group.triggerGracefulShutdown() }

  /// An answer to any method, whose body is still to come.
  func ask(_ method: HTTPMethod, _ path: String) async throws -> HTTPClientResponse {
    var request = HTTPClientRequest(url: "http://127.0.0.1:\(port)/\(path)")
    request.method = method
    return try await client.execute(request, deadline: .distantFuture)
  }

  func post(
    _ path: String, _ body: String, _ headers: [(String, String)] = [],
    type: String = "application/json"
  ) async throws -> (status: Int, body: String) {
    var request = HTTPClientRequest(url: "http://127.0.0.1:\(port)/\(path)")
    request.method = .POST
    request.headers.add(name: "Content-Type", value: type)
    for (name, value) in headers { request.headers.add(name: name, value: value) }
    request.body = .bytes(ByteBuffer(string: body))
    let response = try await client.execute(request, deadline: .distantFuture)
    let text = String(buffer: try await response.body.collect(upTo: 1 << 20))
    return (Int(response.status.code), text)
  }
}

/// A stream of server-sent events, as a browser reads it.
struct EventReader {
  struct Event: Equatable {
    var id: String?
    var name: String?
    var data: String?
    var retry: String?
    var isComment = false
  }

  private var chunks: HTTPClientResponse.Body.AsyncIterator
  private var buffer = ByteBuffer()
  /// How many bytes have been searched for the end of a block.
  private var searched = 0

  init(_ response: ServerFixture.FixtureResponse) { chunks = response.body.makeAsyncIterator() }

  /// The next block, whatever it is; `nil` at the end.
  mutating func block() async throws -> Event? {
    while true {
      if let length = lengthOfBlock(), let block = buffer.readString(length: length) {
        buffer.moveReaderIndex(forwardBy: 2)
        buffer.discardReadBytes()
        searched = 0
        return Self.event(block[...])
      }
      guard var chunk = try await chunks.next() else { return nil }
      buffer.writeBuffer(&chunk)
    }
  }

  /// How many bytes there are before an empty line, if there is one.
  private mutating func lengthOfBlock() -> Int? {
    let newline = UInt8(ascii: "\n")
    let bytes = buffer.readableBytesView
    var start = bytes.startIndex + searched
    while let end = bytes[start...].firstIndex(of: newline), end + 1 < bytes.endIndex {
      if bytes[end + 1] == newline { return end - bytes.startIndex }
      start = end + 1
    }
    searched = max(0, bytes.count - 1)
    return nil
  }

  /// The next event with data.
  mutating func next() async throws -> Event? {
    while let event = try await block() {
      if event.data != nil { return event }
    }
    return nil
  }

  private static func event(_ block: Substring) -> Event {
    var event = Event()
    for bytes in block.utf8.split(separator: UInt8(ascii: "\n")) {
      let line = Substring(bytes)
      if line.hasPrefix(":") { event.isComment = true }
      if line.hasPrefix("id: ") { event.id = String(line.dropFirst(4)) }
      if line.hasPrefix("event: ") { event.name = String(line.dropFirst(7)) }
      if line.hasPrefix("data: ") { event.data = String(line.dropFirst(6)) }
      if line.hasPrefix("retry: ") { event.retry = String(line.dropFirst(7)) }
    }
    return event
  }
}

extension Logger {
  static var silent: Logger { Logger(label: "silent") { _ in SwiftLogNoOpLogHandler() } }
}
