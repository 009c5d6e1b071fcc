import AsyncHTTPClient
import Foundation
import NIOCore
import NIOHTTP1
import Reactor
import ReactorJournal
import TestLimits
import TestSupport
import Testing

@testable import BookingOffice

/// The example as it is started: its database, its configuration, and its ends.
@Suite(.bounded) struct BookingOfficeProcessTests {
  private struct Ticket: Codable, Hashable { let room: String, number: Int, seats: Int }
  private struct Board: Decodable { let free: Int }

  /// The service on a database of its own, and a client.
  private final class Office {
    let database = FileManager.default.temporaryDirectory
      .appendingPathComponent("office-\(UUID().uuidString).sqlite").path
    let client = HTTPClient(eventLoopGroupProvider: .singleton)
    var process: ServiceProcess
    var port = ""

    /// Starts it; `settings` are of its environment.
    init(_ settings: [String: String] = [:]) throws {
      process = try Self.start(database, settings)
    }

    static func start(
      _ database: String, _ settings: [String: String] = [:]
    ) throws -> ServiceProcess {
      let usual = ["DATABASE": database, "HTTP_PORT": "0"]
      return try ServiceProcess(
        "BookingOffice", usual.merging(settings) { $1 }, readsErrors: true)
    }

    func ready() async throws {
      port = try #require(await process.text(after: "listening on 127.0.0.1:"))
    }

    func restart() async throws {
      process = try Self.start(database)
      try await ready()
    }

    func free(_ room: String) async throws -> Int {
      try JSONDecoder().decode(Board.self, from: Data(try await text("rooms/\(room)").utf8)).free
    }

    /// What the rooms have sold, from their journals, once the service has ended.
    func sold() async throws -> [String: [Ticket]] {
      let journal = try await Journal(.sqlite(at: database))
      var sold: [String: [Ticket]] = [:]
      for name in ["opera", "cinema", "circus"] {
        let room = try await journal.open(name) { Room(name) }
        sold[name] = await room.currentState.tickets.map {
          Ticket(room: $0.room, number: $0.number, seats: $0.seats)
        }
        await room.stop().settled
      }
      return sold
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

  @Test(
    arguments: [(["--help"], 0), (["-h"], 0), (["--port", "80"], 64), (["x"], 64)]
      as [([String], Int32)])
  func `with --help, or an unknown argument, it prints its usage and does not start`(
    arguments: [String], status: Int32
  ) async throws {
    let database = FileManager.default.temporaryDirectory
      .appendingPathComponent("office-\(UUID().uuidString).sqlite").path
    // A setting that is wrong ends it where it does begin.
    let process = try ServiceProcess(
      "BookingOffice", ["DATABASE": database, "LOG_LEVEL": "loud"], arguments: arguments,
      readsErrors: true)
    let usage = try #require(await process.text(after: "usage: BookingOffice"))
    #expect(usage.isEmpty)
    #expect(await process.end().0 == status)
    #expect(!FileManager.default.fileExists(atPath: database))
  }

  @Test func `a sale is durable after kill -9, amid many sales`() async throws {
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
    var free: [String: Int] = [:]
    for room in ["opera", "cinema", "circus"] { free[room] = try await office.free(room) }
    office.process.terminate()
    #expect(await office.process.end().0 == 0)
    var kept: Set<Ticket> = []
    for (room, tickets) in try await office.sold() {
      // Each number once, each seat paid for once.
      #expect(tickets.map(\.number) == Array(1..<tickets.count + 1))
      #expect(free[room] == 100 - tickets.count)
      kept.formUnion(tickets)
    }
    let acknowledged = sold.entries
    #expect(acknowledged.count >= 30)
    #expect(Set(acknowledged.map(\.ticket)).subtracting(kept).isEmpty)
    try await office.client.shutdown()
  }

  @Test func `a request that is repeated after kill -9 is sold once`() async throws {
    let office = try Office()
    try await office.ready()
    let ticket = try await Self.book(office.client, office.port, 1, "opera", key: "a")
    office.process.killAtOnce()
    try await office.restart()
    let again = try await Self.book(office.client, office.port, 1, "opera", key: "a")
    #expect(again == ticket)
    office.process.terminate()
    #expect(await office.process.end().0 == 0)
    #expect(try await office.sold()["opera"] == [ticket])
    try await office.client.shutdown()
  }

  @Test func `a graceful end succeeds, and the next start has the same state`() async throws {
    let office = try Office()
    try await office.ready()
    let ticket = try await Self.book(office.client, office.port, 1, "opera")
    let metrics = try await office.text("metrics")
    #expect(
      metrics.contains(#"reactor_actions_total{reactor="Room",action="book"} 1"#), "\(metrics)")
    let route = #"http_route="/sessions/{id}/bookings",http_request_method="POST""#
    let answers = #"hb_requests_total{\#(route),http_response_status_code="200"} 1"#
    #expect(metrics.contains(answers), "\(metrics)")
    office.process.terminate()
    #expect(await office.process.end().0 == 0)
    try await office.restart()
    #expect(try await office.free("opera") == 99)
    office.process.terminate()
    #expect(await office.process.end().0 == 0)
    #expect(try await office.sold()["opera"] == [ticket])
    try await office.client.shutdown()
  }

  @Test func `a body may be as long as the settings allow`() async throws {
    let office = try Office(["BODY_LIMIT": "20"])
    try await office.ready()
    let statuses = Log<Int>()
    for body in [#"{"room":"o"}"#, #"{"room":"opera","seats":1}"#] {
      var request = HTTPClientRequest(
        url: "http://127.0.0.1:\(office.port)/sessions/visitor/bookings")
      request.method = .POST
      request.headers.add(name: "Content-Type", value: "application/json")
      request.body = .bytes(ByteBuffer(string: body))
      let response = try await office.client.execute(request, deadline: .distantFuture)
      _ = try await response.body.collect(upTo: 1 << 20)
      statuses.append(Int(response.status.code))
    }
    // The short one is read, and has no seats.
    #expect(statuses.entries == [400, 413])
    office.process.terminate()
    #expect(await office.process.end().0 == 0)
    try await office.client.shutdown()
  }

  @Test func `it listens at the host of the settings`() async throws {
    let office = try Office(["HTTP_HOST": "127.0.0.2"])
    let port = await office.process.text(after: "listening on 127.0.0.2:")
    #expect(port != nil)
    office.process.terminate()
    #expect(await office.process.end().0 == 0)
    try await office.client.shutdown()
  }

  @Test(arguments: [
    ("HTTP_PORT", "many", "HTTP_PORT"), ("LOG_LEVEL", "loud", "log.level"),
    ("DATABASE", "/nowhere/office.sqlite", "/nowhere/office.sqlite"),
    ("ACTION_SECONDS", "soon", "ACTION_SECONDS"), ("DRAIN_SECONDS", "soon", "DRAIN_SECONDS"),
    ("BODY_LIMIT", "much", "BODY_LIMIT"),
  ])
  func `a wrong setting is one line with its name`(
    name: String, value: String, expected: String
  ) async throws {
    let database = FileManager.default.temporaryDirectory
      .appendingPathComponent("office-\(UUID().uuidString).sqlite").path
    let environment = ["DATABASE": database].merging([name: value]) { $1 }
    let process = try ServiceProcess("BookingOffice", environment, readsErrors: true)
    let line = try #require(await process.line(after: "error: "))
    #expect(line.contains(expected), "\(line)")
    #expect(await process.end().0 == 1)
    for end in ["", ".owners"] { try? FileManager.default.removeItem(atPath: database + end) }
  }
}
