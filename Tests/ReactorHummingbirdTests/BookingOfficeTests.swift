import Foundation
import Reactor
import ReactorHummingbird
import ReactorInstrumentation
import ReactorJournal
import ReactorLifecycle
import TestSupport
import Testing

@testable import BookingOffice

@Suite(.timeLimit(.minutes(40))) struct BookingOfficeTests {
  let paying = Gate()

  func serve(_ body: (ServedBench, Session.Rooms) async throws -> Void) async throws {
    let journal = try await Journal(.inMemory)
    let rooms = Session.Rooms(idle: nil) { [paying] name in
      try await journal.open(name) { Room(name) { try await paying.wait() } }
    }
    let sessions = ReactorRegistry<String, Session>(idle: nil) { id in
      try await journal.open(id) { Session(rooms) }
    }
    let reactors = ReactorService(rooms, sessions, clock: HandClock(), logger: .silent)
    let router = BookingOffice.routes(rooms, sessions, reactors, TextMetrics(), ActionOptions())
    try await ServedBench.with(reactors, router) { try await body($0, rooms) }
  }

  @Test func `a visitor books, and the page shows it`() async throws {
    paying.open()
    try await serve { bench, _ in
      var events = EventReader(try await bench.get("events?room=opera&session=me"))
      _ = try await events.next()
      _ = try await events.next()
      let (status, ticket) = try await bench.post(
        "sessions/me/bookings", #"{"room":"opera","seats":2}"#)
      #expect(status == 200 && ticket == #"{"number":1,"room":"opera","seats":2}"#)
      var (hasRoom, hasTicket) = (false, false)
      while !hasRoom || !hasTicket {
        let event = try #require(try await events.next())
        if event.name == "room/opera" { hasRoom = event.data?.contains(#""free":98"#) == true }
        if event.name == "session/me" { hasTicket = event.data?.contains(ticket) == true }
      }
    }
  }

  @Test func `of two who want the last seats one gets them, and the other is told`() async throws {
    try await serve { bench, _ in
      async let first = bench.post("sessions/a/bookings", #"{"room":"opera","seats":60}"#)
      async let second = bench.post("sessions/b/bookings", #"{"room":"opera","seats":60}"#)
      await paying.reached()
      paying.open()
      let statuses = try await [first.status, second.status].sorted()
      #expect(statuses == [200, 409])
    }
  }

  @Test func `a room that nobody asks for is let go, and comes again as it was`() async throws {
    /// Opens its gate when the room that pays by it has gone.
    final class Bank: Sendable {
      let isGone: Gate
      init(_ isGone: Gate) { self.isGone = isGone }
      deinit { isGone.open() }
    }
    let (journal, clock, isGone) = (try await Journal(.inMemory), HandClock(), Gate())
    let rooms = Session.Rooms(idle: .steps(1), clock: clock) { name in
      let bank = Bank(isGone)
      return try await journal.open(name) { Room(name) { withExtendedLifetime(bank) {} } }
    }
    let first = try await rooms["opera"].ask { .book(seats: 2, $0) }
    // One that still has something to do begins to be idle anew.
    clock.runOn()
    await isGone.pass()
    let second = try await rooms["opera"].ask { .book(seats: 2, $0) }
    #expect(first.number == 1 && second.number == 2)
    await rooms.drain()
  }

  @Test func `a visitor who is away is let go, and comes again as they were`() async throws {
    let (store, clock) = (StalledStore(), HandClock())
    store.writing.open()
    let journal = try await Journal(.store(store))
    let rooms = Session.Rooms(idle: nil) { name in
      try await journal.open(name) { Room(name) {} }
    }
    let sessions = ReactorRegistry<String, Session>(idle: .steps(1), clock: clock) { id in
      try await journal.open(id) { Session(rooms) }
    }
    let order = Session.Order(room: "opera", seats: 2)
    let first = try await sessions["me"].ask { .book(order, $0) }
    // One that still has something to do begins to be idle anew.
    clock.runOn()
    let story = await store.story.entries(upTo: 3)
    #expect(story == ["wrote room 'opera'", "wrote session 'me'", "let go of session 'me'"])
    let second = try await sessions["me"].ask { .book(order, $0) }
    let tickets = try await sessions.with("me") { await $0.currentState.tickets }
    #expect(tickets == [first, second])
    await sessions.drain()
    await rooms.drain()
  }

  @Test func `an announcement reaches all rooms that there are`() async throws {
    try await serve { bench, rooms in
      for name in ["opera", "circus"] { _ = try await bench.get("rooms/\(name)").text }
      let (status, body) = try await bench.post("announcements", #""We close at ten""#)
      let told = try JSONDecoder().decode([String].self, from: Data(body.utf8))
      #expect(status == 200 && told.sorted() == ["circus", "opera"])
      for name in ["opera", "circus"] {
        let news = try await rooms.with(name) { await $0.state.first { !$0.news.isEmpty }?.news }
        #expect(news == "We close at ten")
      }
    }
  }

  @Test func `a booking that is being paid when the service ends is done`() async throws {
    try await serve { bench, _ in
      async let booking = bench.post("sessions/a/bookings", #"{"room":"opera","seats":60}"#)
      await paying.reached()
      await bench.end()
      paying.open()
      let status = try await booking.status
      #expect(status == 200)
      try await bench.running.value
      #expect(bench.reactors.abandoned.isEmpty)
    }
  }

  @Test func `the page is there, and whether the service is ready`() async throws {
    try await serve { bench, _ in
      let page = try await bench.get("")
      #expect(page.type == "text/html")
      let text = try await page.text
      #expect(text.contains("EventSource"))
      let ready = try await bench.get("health/ready")
      #expect(ready.status == 200)
    }
  }
}
