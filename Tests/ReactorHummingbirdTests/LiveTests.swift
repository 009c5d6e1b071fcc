import Hummingbird
import Logging
import Reactor
import ReactorComposition
import ReactorHummingbird
import ReactorLifecycle
import TestLimits
import TestSupport
import Testing

@Suite(.bounded) struct LiveTests {
  let desk = Desk()
  let clock = ManualClock()

  func serve(
    _ parts: any Drainable..., options: LiveOptions? = nil,
    routes: (Router<BasicRequestContext>) -> Void = { _ in },
    _ body: (ServerFixture) async throws -> Void
  ) async throws {
    let options = options ?? LiveOptions(heartbeat: .steps(10), retry: .steps(3), clock: clock)
    let router = Router()
    router.get("events", streaming: desk, options: options) { $0 }
    routes(router)
    let service = ReactorService(parts + [desk], logger: .silent)
    try await ServerFixture.with(service, router, body)
  }

  @Test func `a stream begins with the state, and has every newer one with its version`()
    async throws
  {
    try await serve { fixture in
      let response = try await fixture.get("events")
      #expect(response.status == 200)
      #expect(response.type == "text/event-stream")
      var events = EventReader(response)
      #expect(try await events.block()?.retry == "3000")
      let first = try #require(try await events.next())
      #expect(first.data == #"{"sold":0}"# && first.name == nil)
      await desk.send(.add(2)).settled
      let second = try #require(try await events.next())
      #expect(second.data == #"{"sold":2}"#)
      let (a, b) = (first.id?.split(separator: "."), second.id?.split(separator: "."))
      #expect(a?[0] == b?[0])
      #expect(a.flatMap { Int($0[1]) }.map { $0 + 1 } == b.flatMap { Int($0[1]) })
    }
  }

  @Test func `a client that reconnects with the state it has seen gets the next one`() async throws
  {
    try await serve { fixture in
      var events = EventReader(try await fixture.get("events"))
      let first = try #require(try await events.next())
      var again = EventReader(
        try await fixture.get("events", [("Last-Event-ID", first.id ?? "")]))
      _ = try await again.block()
      await desk.send(.add(2)).settled
      #expect(try await again.next()?.data == #"{"sold":2}"#)
      var late = EventReader(
        try await fixture.get("events", [("Last-Event-ID", first.id ?? "")]))
      #expect(try await late.next()?.data == #"{"sold":2}"#)
    }
  }

  @Test func `a change without connected clients is not taken for seen`() async throws {
    let router = Router()
    router.get("events", streaming: desk) { $0 }
    let seen = Log<String>()
    try await ServerFixture.with(ReactorService(logger: .silent), router) { fixture in
      var events = EventReader(try await fixture.get("events"))
      seen.append(try await events.next()?.id ?? "")
    }
    await desk.send(.add(2)).settled
    let last = [("Last-Event-ID", seen.entries[0])]
    try await ServerFixture.with(ReactorService(logger: .silent), router) { fixture in
      var events = EventReader(try await fixture.get("events", last))
      #expect(try await events.next()?.data == #"{"sold":2}"#)
    }
  }

  @Test func `a client that does not read delays neither the others nor the end`() async throws {
    struct View: Encodable {
      let sold: Int
      let padding: String
    }
    let padding = String(repeating: "x", count: 1 << 20)
    let clock = ManualClock()
    let router = Router()
    router.get("events", streaming: desk, options: LiveOptions(clock: clock)) {
      View(sold: $0.sold, padding: padding)
    }
    let service = ReactorService(desk, drain: .steps(5), clock: clock, logger: .silent)
    try await ServerFixture.with(service, router) { fixture in
      let stuck = try await fixture.get("events")
      var reading = EventReader(try await fixture.get("events"))
      for _ in 1...20 {
        _ = try await reading.next()
        await desk.send(.add(1)).settled
      }
      // The stuck one is in the middle of a write, which only its client could end.
      await fixture.end()
      try await fixture.running.value
      #expect(fixture.reactors.phase == .ended)
      withExtendedLifetime(stuck) {}
    }
  }

  @Test func `a silent stream is kept alive by comments`() async throws {
    try await serve { fixture in
      var events = EventReader(try await fixture.get("events"))
      _ = try await events.next()
      await clock.advance(past: 10)
      await clock.advance(past: 20)
      #expect(try await events.block()?.isComment == true)
    }
  }

  @Test func `a state is encoded once, for any number of clients`() async throws {
    struct View: Encodable {
      let sold: Int
      let log: Log<Int>
      func encode(to encoder: any Encoder) throws {
        log.append(sold)
        try sold.encode(to: encoder)
      }
    }
    let encoded = Log<Int>()
    try await serve { router in
      router.get("counted", streaming: desk) { View(sold: $0.sold, log: encoded) }
    } _: { fixture in
      var readers: [EventReader] = []
      for _ in 1...5 {
        var reader = EventReader(try await fixture.get("counted"))
        #expect(try await reader.next()?.data == "0")
        readers.append(reader)
      }
      await desk.send(.add(2)).settled
      for index in readers.indices {
        #expect(try await readers[index].next()?.data == "2")
      }
      #expect(encoded.entries == [0, 2])
    }
  }

  @Test func `one stream has all that a page shows`() async throws {
    let desks = ReactorRegistry<String, Desk>(idle: nil) { _ in Desk() }
    try await serve(desks) { router in
      router.get(
        "page",
        streaming: [
          LiveView("desk", of: desks) { $0 }, LiveView("main", of: desk) { $0.sold },
        ], options: LiveOptions(limit: 3))
    } _: { fixture in
      var events = EventReader(try await fixture.get("page?main&desk=a%20b&desk=c"))
      var seen: [String: String] = [:]
      var last: String?
      for _ in 1...3 {
        let event = try #require(try await events.next())
        seen[event.name ?? ""] = event.data
        last = event.id
      }
      #expect(seen == ["main": "0", "desk/a b": #"{"sold":0}"#, "desk/c": #"{"sold":0}"#])
      try await desks["c"].send(.add(4))
      let event = try #require(try await events.next())
      #expect(event.name == "desk/c" && event.data == #"{"sold":4}"#)
      // Of three states it has seen two: only the third comes.
      var again = EventReader(
        try await fixture.get("page?main&desk=a%20b&desk=c", [("Last-Event-ID", last ?? "")]))
      #expect(try await again.next()?.name == "desk/c")
      #expect(try await fixture.get("page?main&main&main&main").status == 400)
      #expect(try await fixture.get("page").status == 400)
      #expect(try await fixture.get("page?other").status == 404)
    }
  }

  @Test func `a client that disconnects releases the reactor`() async throws {
    let released = Gate()
    let desks = ReactorRegistry<String, Desk>(idle: .steps(1), clock: clock) { _ in
      Desk(released: released)
    }
    try await serve(desks) { router in
      router.get("desks/{id}/events", streaming: desks) { $0 }
    } _: { fixture in
      let reads = Gate()
      let reading = Task {
        var events = EventReader(try await fixture.get("desks/a/events"))
        _ = try await events.next()
        reads.open()
        return try await events.next()
      }
      await reads.pass()
      reading.cancel()
      _ = await reading.result
      await clock.advance(past: 1)
      await released.pass()
      #expect(desks.count == 0)
    }
  }

  @Test func `a reactor that cannot be created is an error response, and no stream`() async throws {
    let desks = ReactorRegistry<String, Desk>(idle: nil) { _ in
      throw HTTPError(.notFound, message: "no such desk")
    }
    try await serve(desks) { router in
      router.get("desks/{id}/events", streaming: desks) { $0 }
    } _: { fixture in
      let answer = try await fixture.get("desks/a/events")
      #expect(answer.status == 404)
    }
  }

  @Test func `a stream ends when its reactor does`() async throws {
    try await serve { fixture in
      var events = EventReader(try await fixture.get("events"))
      _ = try await events.next()
      await desk.send(.add(1)).settled
      await desk.stop().settled
      var last: EventReader.Event?
      while let event = try await events.next() { last = event }
      #expect(last == nil || last?.data == #"{"sold":1}"#)
    }
  }
}
