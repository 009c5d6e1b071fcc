import HTTPTypes
import Hummingbird
import Logging
import NIOCore
import Reactor
import ReactorHummingbird
import ReactorLifecycle
import TestLimits
import TestSupport
import Testing

/// Once the end has begun, an answer is the last one of its connection, and says so.
@Suite(.bounded) struct ConnectionCloseHandlerTests {
  private static let length = 16 << 20

  private let desk = Desk()
  private let clock = ManualClock()

  private func serve(_ body: (ServerFixture) async throws -> Void) async throws {
    let router = Router()
    router.get("events", streaming: desk) { $0 }
    router.get("desk", of: desk) { $0 }
    router.post("tickets", asking: desk) { (order: Desk.Order, reply: Reply<Desk.Ticket>) in
      .buy(order.seats, reply)
    }
    router.post("by-hand") { request, context in
      try await "\(request.decode(as: Desk.Order.self, context: context).seats)"
    }
    router.get("long") { [gate = desk.gate, log = desk.log] _, _ -> Response in
      log.append("long")
      await gate.pass()
      return Response(
        status: .ok,
        body: ResponseBody(byteBuffer: ByteBuffer(repeating: 0x61, count: Self.length)))
    }
    let service = ReactorService(desk, drain: .steps(5), clock: clock, logger: .silent)
    router.health(of: service)
    try await ServerFixture.with(service, router, body)
  }

  private func count(_ text: String, in answer: String) -> Int {
    answer.lowercased().split(separator: text, omittingEmptySubsequences: false).count - 1
  }

  private func expectLast(_ answer: String) {
    #expect(count("connection: close\r\n", in: answer) == 1, "\(answer.prefix(999))")
  }

  private static let order = #"{"seats":2}"#

  @Test func `an answer that is under way as the end begins is the last one`() async throws {
    try await serve { fixture in
      let client = try await RawClient(port: fixture.port)
      try await client.begin("tickets", length: Self.order.utf8.count, Self.order)
      _ = await desk.log.entries(upTo: 1)
      await fixture.end()
      _ = await clock.sleeps.entries(upTo: 1)
      desk.gate.open()
      let answer = await client.rest()
      #expect(answer.hasPrefix("HTTP/1.1 200"), "\(answer)")
      expectLast(answer)
    }
  }

  @Test(arguments: [
    "GET /health/live", "GET /health/ready", "GET /desk", "GET /nowhere", "POST /tickets",
    "POST /by-hand",
  ])
  func `an answer while the service drains is the last one`(_ line: String) async throws {
    desk.gate.open()
    try await serve { fixture in
      fixture.reactors.shutdownHasBegun()
      _ = await clock.sleeps.entries(upTo: 1)
      let client = try await RawClient(port: fixture.port)
      try await client.send(
        "\(line) HTTP/1.1\r\nHost: here\r\nContent-Type: application/json\r\n"
          + "Content-Length: \(Self.order.utf8.count)\r\n\r\n\(Self.order)")
      expectLast(await client.rest())
    }
  }

  @Test func `an answer before the end is not the last one`() async throws {
    desk.gate.open()
    try await serve { fixture in
      let client = try await RawClient(port: fixture.port)
      for number in 1...2 {
        try await client.begin("tickets", length: Self.order.utf8.count, Self.order)
        let answer = await client.answer(until: #""total":\#(number * 2)"#)
        #expect(count("connection:", in: answer) == 0, "\(answer)")
      }
      try await client.close()
    }
  }

  @Test func `of concurrent requests the last answer is the last one`() async throws {
    try await serve { fixture in
      let client = try await RawClient(port: fixture.port)
      let request =
        "POST /tickets HTTP/1.1\r\nHost: here\r\nContent-Type: application/json\r\n"
        + "Content-Length: \(Self.order.utf8.count)\r\n\r\n\(Self.order)"
      try await client.send(request + request)
      _ = await desk.log.entries(upTo: 1)
      await fixture.end()
      _ = await clock.sleeps.entries(upTo: 1)
      desk.gate.open()
      let answer = await client.rest()
      #expect(count("http/1.1 200", in: answer) == 2, "\(answer)")
      expectLast(answer)
      #expect(answer.hasSuffix(#""total":4}"#), "\(answer)")
    }
  }

  @Test func `a live stream declares from its beginning that its connection ends with it`()
    async throws
  {
    try await serve { fixture in
      let client = try await RawClient(port: fixture.port)
      try await client.send("GET /events HTTP/1.1\r\nHost: here\r\n\r\n")
      expectLast(await client.answer(until: "data: "))
      await desk.stop().settled
      #expect(await client.rest().hasSuffix("0\r\n\r\n"))
    }
  }

  @Test func `a long answer is written whole, though its client reads it late`() async throws {
    try await serve { fixture in
      let client = try await RawClient(port: fixture.port, reads: false)
      try await client.send("GET /long HTTP/1.1\r\nHost: here\r\n\r\n")
      _ = await desk.log.entries(upTo: 1)
      await fixture.end()
      _ = await clock.sleeps.entries(upTo: 1)
      desk.gate.open()
      try await client.read()
      let answer = await client.rest()
      #expect(answer.utf8.count > Self.length)
    }
  }

  @Test func `a client that does not read a long answer delays the end by the drain alone`()
    async throws
  {
    try await serve { fixture in
      let client = try await RawClient(port: fixture.port, reads: false)
      try await client.send("GET /long HTTP/1.1\r\nHost: here\r\n\r\n")
      _ = await desk.log.entries(upTo: 1)
      await fixture.end()
      desk.gate.open()
      await clock.advance(past: 5)
      try await fixture.running.value
      #expect(fixture.reactors.phase == .ended)
      try await client.close()
    }
  }
}
