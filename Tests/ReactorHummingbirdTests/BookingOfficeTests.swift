import AsyncHTTPClient
import Foundation
import NIOCore
import NIOHTTP1
import Reactor
import ReactorComposition
import ReactorHummingbird
import ReactorInstrumentation
import ReactorJournal
import ReactorLifecycle
import TestLimits
import TestSupport
import Testing

@testable import BookingOffice

@Suite(.bounded) struct BookingOfficeTests {
  let paying = Gate()

  func serve(_ body: (ServerFixture, Session.Rooms) async throws -> Void) async throws {
    let journal = try await Journal(.inMemory)
    let rooms = BookingOffice.rooms(journal, idle: nil) { [paying] _ in try await paying.wait() }
    let sessions = BookingOffice.sessions(journal, rooms, idle: nil)
    let reactors = ReactorService(rooms, sessions, clock: ManualClock(), logger: .silent)
    let router = BookingOffice.routes(rooms, sessions, reactors, TextMetrics(), ActionOptions())
    try await ServerFixture.with(reactors, router) { try await body($0, rooms) }
  }

  @Test func `a visitor books, and the page shows it`() async throws {
    paying.open()
    try await serve { fixture, _ in
      var events = EventReader(try await fixture.get("events?room=opera&session=me"))
      _ = try await events.next()
      _ = try await events.next()
      let (status, ticket) = try await fixture.post(
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

  @Test func `clients see free seats and news, and visitors their own tickets`()
    async throws
  {
    paying.open()
    try await serve { fixture, _ in
      _ = try await fixture.post("sessions/me/bookings", #"{"room":"opera","seats":2}"#)
      let room = try await fixture.get("rooms/opera").text
      #expect(room == #"{"free":98,"news":""}"#)
      var events = EventReader(try await fixture.get("events?room=opera&session=me"))
      for _ in 1...2 {
        let event = try #require(try await events.next())
        let shown = event.name == "room/opera" ? room : #"{"tickets":[{"number":1,"#
        #expect(event.data?.hasPrefix(shown) == true, "\(event)")
        #expect(event.data?.contains("open") == false)
      }
    }
  }

  @Test(arguments: [String(repeating: "a", count: 65), "a.b", "a%20b", "%C3%A9"])
  func `a session's name is short and plain`(name: String) async throws {
    try await serve { fixture, _ in
      let (status, body) = try await fixture.post(
        "sessions/\(name)/bookings", #"{"room":"opera","seats":2}"#)
      #expect(status == 400)
      #expect(body.contains("1 to 64 letters, digits and hyphens"))
    }
  }

  @Test(arguments: ["text/plain", "application/x-www-form-urlencoded"])
  func `an announcement declares JSON, which no page of another origin can`(
    type: String
  ) async throws {
    try await serve { fixture, rooms in
      _ = try await fixture.get("rooms/opera").text
      let status = try await fixture.post("announcements", #""evil""#, type: type).status
      #expect(status == 415)
      #expect(try await rooms.with("opera") { await $0.currentState.news } == "")
    }
  }

  @Test(arguments: [
    (0, "a booking has at least one seat"), (101, "there are not as many seats left"),
  ])
  func `an expected error has a text`(seats: Int, words: String) async throws {
    try await serve { fixture, _ in
      let (status, body) = try await fixture.post(
        "sessions/me/bookings", #"{"room":"opera","seats":\#(seats)}"#)
      #expect(status == 409)
      #expect(body.contains(words))
    }
  }

  @Test func `a path that does not exist is answered in JSON`() async throws {
    try await serve { fixture, _ in
      for path in ["nothing", "rooms/moon"] {
        let answer = try await fixture.get(path)
        #expect(answer.status == 404)
        #expect(answer.type?.hasPrefix("application/json") == true)
        let text = try await answer.text
        #expect(text.contains(#""message":"there is no"#))
      }
    }
  }

  @Test(arguments: [
    (HTTPMethod.GET, "sessions/me/bookings", "POST"), (.PUT, "sessions/me/bookings", "POST"),
    (.OPTIONS, "announcements", "POST"), (.POST, "rooms/opera", "GET, HEAD"),
    (.POST, "", "GET, HEAD"), (.DELETE, "metrics", "GET, HEAD"),
  ])
  func `another method is refused by name`(
    method: HTTPMethod, path: String, allowed: String
  ) async throws {
    try await serve { fixture, _ in
      let answer = try await fixture.ask(method, path)
      #expect(answer.status == .methodNotAllowed)
      #expect(answer.headers.first(name: "Allow") == allowed)
      let body = String(buffer: try await answer.body.collect(upTo: 9999))
      #expect(body.contains(#""reason":"method""#))
    }
  }

  @Test(arguments: [("", 200), ("rooms/opera", 200), ("metrics", 200), ("nothing", 404)])
  func `a request for a head gets no body`(path: String, status: Int) async throws {
    try await serve { fixture, _ in
      // Twice: a body all the same would be read as the next answer.
      for _ in 1...2 {
        let answer = try await fixture.ask(.HEAD, path)
        #expect(answer.status.code == UInt(status))
        #expect(try await answer.body.collect(upTo: 9999).readableBytes == 0)
      }
    }
  }

  @Test func `of two requests for the last seats one gets them, the other none`() async throws {
    try await serve { fixture, _ in
      async let first = fixture.post("sessions/a/bookings", #"{"room":"opera","seats":60}"#)
      async let second = fixture.post("sessions/b/bookings", #"{"room":"opera","seats":60}"#)
      await paying.reached()
      paying.open()
      let statuses = try await [first.status, second.status].sorted()
      #expect(statuses == [200, 409])
    }
  }

  @Test func `a room that is not used is released, and is restored as it was`() async throws {
    /// Opens its gate when the room that pays by it has gone.
    final class Bank: Sendable {
      let isGone: Gate
      init(_ isGone: Gate) { self.isGone = isGone }
      deinit { isGone.open() }
    }
    let (journal, clock, isGone) = (try await Journal(.inMemory), ManualClock(), Gate())
    let rooms = Session.Rooms(idle: .steps(1), clock: clock) { name in
      let bank = Bank(isGone)
      return try await journal.open(name) { Room(name) { _ in withExtendedLifetime(bank) {} } }
    }
    let first = try await rooms["opera"].ask { .book(seats: 2, key: "a", $0) }
    // One that still has something to do begins to be idle anew.
    clock.advanceAutomatically()
    await isGone.pass()
    let second = try await rooms["opera"].ask { .book(seats: 2, key: "b", $0) }
    #expect(first.number == 1 && second.number == 2)
    await rooms.drain()
  }

  @Test func `an absent visitor's session is released, and restored as it was`() async throws {
    let (store, clock) = (StalledStore(), ManualClock())
    store.writing.open()
    let journal = try await Journal(.store(store))
    let rooms = Session.Rooms(idle: nil) { name in
      try await journal.open(name) { Room(name) { _ in } }
    }
    let sessions = ReactorRegistry<String, Session>(idle: .steps(1), clock: clock) { id in
      try await journal.open(id) { Session(rooms) }
    }
    let order = Session.Order(room: "opera", seats: 2)
    let first = try await sessions["me"].ask { .book(order, $0) }
    // One that still has something to do begins to be idle anew.
    clock.advanceAutomatically()
    let story = await store.story.entries(upTo: 4)
    #expect(
      story == [
        "wrote session 'me'", "wrote room 'opera'", "wrote session 'me'", "released session 'me'",
      ])
    let second = try await sessions["me"].ask { .book(order, $0) }
    let tickets = try await sessions.with("me") { await $0.currentState.tickets }
    #expect(tickets == [first, second])
    await sessions.drain()
    await rooms.drain()
  }

  /// What a process has on its disk that was killed between two writings: as many entries of a
  /// session as are given, and all of a room.
  private func cut(_ journal: Journal, keeping count: Int) async throws -> Journal {
    let after = try await Journal(.inMemory)
    for (key, limit) in [
      (JournalKey(name: "room", id: "opera"), Int.max),
      (JournalKey(name: "session", id: "me"), count),
    ] {
      let entries = try await journal.store.entries(of: key, after: 0, limit: limit)
      let claim = try await after.store.take(key)
      try await after.store.append(entries, to: key, epoch: claim.epoch)
      await after.store.release(key, epoch: claim.epoch)
    }
    return after
  }

  private func visit(
    _ journal: Journal,
    _ body: (ReactorRegistry<String, Session>, Session.Rooms) async throws -> Void
  ) async throws {
    let rooms = Session.Rooms(idle: nil) { name in
      if name == "moon" { throw Room.Refusal.soldOut }
      return try await journal.open(name) { Room(name) { _ in } }
    }
    let sessions = ReactorRegistry<String, Session>(idle: nil) { id in
      try await journal.open(id) { Session(rooms) }
    }
    try await body(sessions, rooms)
    await sessions.drain()
    await rooms.drain()
  }

  @Test func `a ticket sold before a kill is delivered after it, and paid for once`()
    async throws
  {
    let journal = try await Journal(.inMemory)
    let order = Session.Order(room: "opera", seats: 2)
    try await visit(journal) { sessions, _ in _ = try await sessions["me"].ask { .book(order, $0) }
    }
    // The room has sold; of the session no more is there than that it asked.
    let after = try await cut(journal, keeping: 1)
    try await visit(after) { sessions, rooms in
      let tickets = try await sessions.with("me") { me in
        await me.state.first { $0.open.isEmpty }?.tickets
      }
      #expect(tickets == [Room.Ticket(room: "opera", number: 1, seats: 2)])
      let room = try await rooms.with("opera") { await $0.currentState }
      #expect(room.tickets == tickets && room.free == 98)
    }
  }

  @Test func `an order before a kill that was not sold is sold after it`() async throws {
    let (journal, after) = (try await Journal(.inMemory), try await Journal(.inMemory))
    let order = Session.Order(room: "opera", seats: 2)
    try await visit(journal) { sessions, _ in _ = try await sessions["me"].ask { .book(order, $0) }
    }
    let key = JournalKey(name: "session", id: "me")
    let first = try await journal.store.entries(of: key, after: 0, limit: 1)
    let claim = try await after.store.take(key)
    try await after.store.append(first, to: key, epoch: claim.epoch)
    await after.store.release(key, epoch: claim.epoch)
    try await visit(after) { sessions, rooms in
      let tickets = try await sessions.with("me") { me in
        await me.state.first { $0.open.isEmpty }?.tickets
      }
      #expect(tickets == [Room.Ticket(room: "opera", number: 1, seats: 2)])
    }
  }

  @Test func `an expected error leaves no open work`() async throws {
    try await visit(try await Journal(.inMemory)) { sessions, _ in
      for order in [
        Session.Order(room: "moon", seats: 1), .init(room: "opera", seats: 101),
        .init(room: "opera", seats: 0),
      ] {
        await #expect(throws: Room.Refusal.self) {
          try await sessions["me"].ask { .book(order, $0) }
        }
      }
      let state = try await sessions.with("me") { await $0.currentState }
      #expect(state == Session.State())
    }
  }

  /// Two visitors' bookings, of which the first is called off while it is being paid.
  private func callOff(
    _ pay: @escaping @Sendable (_ key: String) async throws -> Void
  ) async throws -> (Session.State, Room.State, second: Room.Ticket) {
    let journal = try await Journal(.inMemory)
    let rooms = Session.Rooms(idle: nil) { name in
      try await journal.open(name) { Room(name, pay: pay) }
    }
    let sessions = ReactorRegistry<String, Session>(idle: nil) { id in
      try await journal.open(id) { Session(rooms) }
    }
    let first = Task {
      try await sessions["me"].ask { .book(Session.Order(room: "opera", seats: 60), $0) }
    }
    await paying.reached()
    first.cancel()
    await #expect(throws: CancellationError.self) { try await first.value }
    paying.open()
    let second = try await sessions["me"].ask {
      .book(Session.Order(room: "opera", seats: 2), $0)
    }
    await sessions.drain()
    let visitor = try await journal.open("me") { Session(rooms) }
    let session = await visitor.currentState
    let room = try await rooms.with("opera") { await $0.currentState }
    await visitor.stop().settled
    await rooms.drain()
    return (session, room, second)
  }

  @Test func `a cancelled order is not sold later`() async throws {
    let (session, room, second) = try await callOff { [paying] _ in try await paying.wait() }
    #expect(session == Session.State(tickets: [second]))
    #expect(room.free == 98)
  }

  @Test func `a cancelled order that is sold all the same is taken back`() async throws {
    let (session, room, second) = try await callOff { [paying] _ in await paying.pass() }
    #expect(session == Session.State(tickets: [second]))
    #expect(room.free == 98)
  }

  @Test func `an announcement reaches all existing rooms`() async throws {
    try await serve { fixture, rooms in
      for name in ["opera", "circus"] { _ = try await fixture.get("rooms/\(name)").text }
      let (status, body) = try await fixture.post("announcements", #""We close at ten""#)
      let names = try JSONDecoder().decode([String].self, from: Data(body.utf8))
      #expect(status == 200 && names.sorted() == ["circus", "opera"])
      for name in ["opera", "circus"] {
        let news = try await rooms.with(name) { await $0.state.first { !$0.news.isEmpty }?.news }
        #expect(news == "We close at ten")
      }
    }
  }

  @Test func `a booking that is being paid when the service ends is completed`() async throws {
    try await serve { fixture, _ in
      async let booking = fixture.post("sessions/a/bookings", #"{"room":"opera","seats":60}"#)
      await paying.reached()
      await fixture.end()
      paying.open()
      let status = try await booking.status
      #expect(status == 200)
      try await fixture.running.value
      #expect(fixture.reactors.abandoned.isEmpty)
    }
  }

  @Test func `the page is served, and the service's readiness`() async throws {
    try await serve { fixture, _ in
      let page = try await fixture.get("")
      #expect(page.type == "text/html")
      let text = try await page.text
      #expect(text.contains("EventSource"))
      let ready = try await fixture.get("health/ready")
      #expect(ready.status == 200)
    }
  }
}
