import AsyncHTTPClient
import Foundation
import NIOCore
import NIOHTTP1
import TestSupport
import Testing

/// The example as it is started: its database, its configuration, and its ends.
@Suite(.timeLimit(.minutes(10))) struct BookingOfficeProcessTests {
  private struct Ticket: Codable, Hashable { let room: String, number: Int, seats: Int }
  private struct Sold: Decodable { let free: Int, tickets: [Ticket] }

  /// The service on a database of its own, and a client.
  private final class Office {
    let database = FileManager.default.temporaryDirectory
      .appendingPathComponent("office-\(UUID().uuidString).sqlite").path
    let client = HTTPClient(eventLoopGroupProvider: .singleton)
    var process: ServiceProcess
    var port = ""

    init() throws { process = try Self.start(database) }

    static func start(_ database: String) throws -> ServiceProcess {
      try ServiceProcess(
        "BookingOffice", ["DATABASE": database, "HTTP_PORT": "0"], readsErrors: true)
    }

    func ready() async throws {
      port = try #require(await process.text(after: "listening on 127.0.0.1:"))
    }

    func restart() async throws {
      process = try Self.start(database)
      try await ready()
    }

    func get<Value: Decodable>(_ path: String, as type: Value.Type) async throws -> Value {
      try JSONDecoder().decode(type, from: Data(try await text(path).utf8))
    }

    func text(_ path: String) async throws -> String {
      let request = HTTPClientRequest(url: "http://127.0.0.1:\(port)/\(path)")
      let response = try await client.execute(request, deadline: .distantFuture)
      return String(buffer: try await response.body.collect(upTo: 1 << 20))
    }

    deinit {
      for end in ["", "-wal", "-shm", ".owners"] {
        try? FileManager.default.removeItem(atPath: database + end)
      }
    }
  }

  private static func book(
    _ client: HTTPClient, _ port: String, _ visitor: Int, _ room: String, key: String? = nil
  ) async throws -> Ticket {
    var request = HTTPClientRequest(
      url: "http://127.0.0.1:\(port)/sessions/visitor-\(visitor)/bookings")
    request.method = .POST
    request.headers.add(name: "Content-Type", value: "application/json")
    if let key { request.headers.add(name: "Idempotency-Key", value: key) }
    request.body = .bytes(ByteBuffer(string: #"{"room":"\#(room)","seats":1}"#))
    let response = try await client.execute(request, deadline: .distantFuture)
    let body = try await response.body.collect(upTo: 1 << 20)
    return try JSONDecoder().decode(Ticket.self, from: Data(body.readableBytesView))
  }

  @Test func `what was sold is sold after kill -9, in the middle of much selling`() async throws {
    let office = try Office()
    try await office.ready()
    let sold = Log<(visitor: Int, ticket: Ticket)>()
    await withTaskGroup(of: Void.self) { [client = office.client, port = office.port] group in
      for visitor in 0..<24 {
        group.addTask {
          let room = ["opera", "cinema", "circus"][visitor % 3]
          while let ticket = try? await Self.book(client, port, visitor, room) {
            sold.append((visitor, ticket))
          }
        }
      }
      group.addTask { [process = office.process] in
        _ = await sold.entries(upTo: 30)
        process.killAtOnce()
      }
    }
    try await office.restart()
    var kept: Set<Ticket> = []
    for room in ["opera", "cinema", "circus"] {
      let state = try await office.get("rooms/\(room)", as: Sold.self)
      // Each number once, each seat paid for once.
      #expect(state.tickets.map(\.number) == Array(1..<state.tickets.count + 1))
      #expect(state.free == 100 - state.tickets.count)
      kept.formUnion(state.tickets)
    }
    let acknowledged = sold.entries
    #expect(acknowledged.count >= 30)
    #expect(Set(acknowledged.map(\.ticket)).subtracting(kept).isEmpty)
    office.process.terminate()
    #expect(await office.process.end().0 == 0)
    try await office.client.shutdown()
  }

  @Test func `what is asked for again after kill -9 is sold once`() async throws {
    let office = try Office()
    try await office.ready()
    let ticket = try await Self.book(office.client, office.port, 1, "opera", key: "a")
    office.process.killAtOnce()
    try await office.restart()
    let again = try await Self.book(office.client, office.port, 1, "opera", key: "a")
    #expect(again == ticket)
    #expect(try await office.get("rooms/opera", as: Sold.self).tickets == [ticket])
    office.process.terminate()
    #expect(await office.process.end().0 == 0)
    try await office.client.shutdown()
  }

  @Test func `asked to end it ends well, and goes on where it was`() async throws {
    let office = try Office()
    try await office.ready()
    let ticket = try await Self.book(office.client, office.port, 1, "opera")
    let metrics = try await office.text("metrics")
    #expect(
      metrics.contains(#"reactor_actions_total{reactor="Room",action="book"} 1"#), "\(metrics)")
    #expect(metrics.contains("http_server_requests") || metrics.contains("hb"), "\(metrics)")
    office.process.terminate()
    #expect(await office.process.end().0 == 0)
    try await office.restart()
    let sold = try await office.get("rooms/opera", as: Sold.self)
    #expect(sold.tickets == [ticket])
    office.process.terminate()
    #expect(await office.process.end().0 == 0)
    try await office.client.shutdown()
  }

  @Test(arguments: [
    ("HTTP_PORT", "many", "HTTP_PORT"), ("LOG_LEVEL", "loud", "log.level"),
    ("DATABASE", "/nowhere/office.sqlite", "/nowhere/office.sqlite"),
  ])
  func `a setting that is wrong is one line that names it`(
    name: String, value: String, told: String
  ) async throws {
    let database = FileManager.default.temporaryDirectory
      .appendingPathComponent("office-\(UUID().uuidString).sqlite").path
    let environment = ["DATABASE": database].merging([name: value]) { $1 }
    let process = try ServiceProcess("BookingOffice", environment, readsErrors: true)
    let line = try #require(await process.line(after: "error: "))
    #expect(line.contains(told), "\(line)")
    #expect(await process.end().0 == 1)
    for end in ["", ".owners"] { try? FileManager.default.removeItem(atPath: database + end) }
  }
}
