import Hummingbird
import HummingbirdTesting
import Logging
import NIOCore
import NIOPosix
import Reactor
import ReactorHummingbird
import ReactorJournal
import ReactorLifecycle
import ServiceLifecycle
import TestLimits
import TestSupport
import Testing

@Suite(.bounded) struct ServerShutdownTests {
  let desk = Desk()
  let clock = ManualClock()

  func serve(
    cancellations: Log<String>? = nil, arrivals: Log<String>? = nil,
    _ body: (ServerFixture) async throws -> Void
  ) async throws {
    let router = Router()
    if let arrivals { router.add(middleware: ArrivalLogger(log: arrivals)) }
    if let cancellations { router.add(middleware: CancellationLogger(log: cancellations)) }
    router.get("events", streaming: desk) { $0 }
    router.post("tickets", asking: desk, options: ActionOptions(clock: clock)) {
      (order: Desk.Order, reply: Reply<Desk.Ticket>) in .buy(order.seats, reply)
    }
    router.post("by-hand") { try await "\($0.decode(as: Desk.Order.self, context: $1).seats)" }
    let service = ReactorService(desk, drain: .steps(5), clock: clock, logger: .silent)
    router.health(of: service)
    try await ServerFixture.with(service, router, body)
  }

  @Test func `a live stream does not delay the end`() async throws {
    try await serve { fixture in
      var events = EventReader(try await fixture.get("events"))
      _ = try await events.next()
      await fixture.end()
      #expect(try await events.next() == nil)
      try await fixture.running.value
      #expect(fixture.reactors.phase == .ended)
    }
  }

  @Test func `a request that waits is answered before the reactors end`() async throws {
    try await serve { fixture in
      async let answer = fixture.post("tickets", #"{"seats":2}"#)
      _ = await desk.log.entries(upTo: 1)
      await fixture.end()
      _ = await clock.sleeps.entries(upTo: 1)
      desk.gate.open()
      let (status, body) = try await answer
      #expect(status == 200 && body == #"{"seats":2,"total":2}"#)
      try await fixture.running.value
      #expect(fixture.reactors.abandoned.isEmpty)
    }
  }

  @Test func `a request that waits too long is answered 502, and does not delay the end`()
    async throws
  {
    try await serve { fixture in
      async let answer = fixture.post("tickets", #"{"seats":2}"#)
      _ = await desk.log.entries(upTo: 1)
      await fixture.end()
      await clock.advance(past: 5)
      let (status, _) = try await answer
      #expect(status == 502)
      try await fixture.running.value
      #expect(fixture.reactors.abandoned.flatMap(\.actions).count == 1)
    }
  }

  @Test func `a client that disconnects cancels its request`() async throws {
    try await serve { fixture in
      let asking = Task { try await fixture.post("tickets", #"{"seats":2}"#) }
      _ = await desk.log.entries(upTo: 1)
      asking.cancel()
      let log = await desk.log.entries(upTo: 2)
      #expect(log == ["began 2", "cancelled 2"])
    }
  }

  @Test func `a request with a key goes on, and a repetition gets its answer`()
    async throws
  {
    let left = Log<String>()
    try await serve(cancellations: left) { fixture in
      let key = [("Idempotency-Key", "a")]
      let asking = Task { try await fixture.post("tickets", #"{"seats":2}"#, key) }
      _ = await desk.log.entries(upTo: 1)
      asking.cancel()
      #expect(await left.entries(upTo: 1) == ["/tickets"])
      async let again = fixture.post("tickets", #"{"seats":2}"#, key)
      desk.gate.open()
      let body = try await again.body
      #expect(body == #"{"seats":2,"total":2}"#)
      #expect(desk.log.entries == ["began 2", "ended 2"])
    }
  }

  @Test func `while a request is answered at the end, no connection is accepted`() async throws {
    try await serve { fixture in
      async let answer = fixture.post("tickets", #"{"seats":2}"#)
      _ = await desk.log.entries(upTo: 1)
      await fixture.end()
      // Until the server accepts no connection, while the request still waits.
      while let stranger = try? await fixture.connect() { try? await stranger.close() }
      #expect(desk.log.entries == ["began 2"])
      desk.gate.open()
      let status = try await answer.status
      #expect(status == 200)
    }
  }

  @Test(arguments: ["tickets", "by-hand"])
  func `a client that stalls in its body delays the end by the drain's time only`(path: String)
    async throws
  {
    let arrivals = Log<String>()
    try await serve(arrivals: arrivals) { fixture in
      let client = try await RawClient(port: fixture.port)
      try await client.begin(path, length: 400, "{")
      #expect(await arrivals.entries(upTo: 1) == ["/\(path)"])
      await fixture.end()
      await clock.advance(past: 5)
      try await fixture.running.value
      #expect(fixture.reactors.phase == .ended && fixture.reactors.abandoned.isEmpty)
    }
  }

  @Test func `a body that arrives while the service drains is answered`() async throws {
    let arrivals = Log<String>()
    desk.gate.open()
    try await serve(arrivals: arrivals) { fixture in
      let client = try await RawClient(port: fixture.port)
      let body = #"{"seats":2}"#
      try await client.begin("tickets", length: body.utf8.count, String(body.prefix(1)))
      _ = await arrivals.entries(upTo: 1)
      await fixture.end()
      _ = await clock.sleeps.entries(upTo: 1)
      try await client.send(String(body.dropFirst()))
      let answer = await client.answer()
      #expect(answer.hasPrefix("HTTP/1.1 200"), "\(answer)")
    }
  }

  @Test func `a body that does not arrive within the client's time is a 504`() async throws {
    try await serve { fixture in
      let client = try await RawClient(port: fixture.port)
      try await client.begin("tickets", length: 400, "{", headers: "Request-Timeout: 5\r\n")
      await clock.advance(past: 5)
      let answer = await client.answer()
      #expect(answer.hasPrefix("HTTP/1.1 504"), "\(answer)")
      #expect(desk.log.entries.isEmpty)
    }
  }

  @Test func `a service that does not run yet is not ready`() async throws {
    let router = Router()
    router.health(of: ReactorService(desk, logger: .silent))
    try await Application(router: router, logger: .silent).test(.router) { client in
      let ready = try await client.execute(uri: "/health/ready", method: .get)
      #expect(ready.status == .serviceUnavailable)
      #expect(String(buffer: ready.body) == #"{"status":"waiting"}"#)
    }
  }

  @Test func `health checks report whether the service is ready`() async throws {
    try await serve { fixture in
      #expect(try await fixture.get("health/live").status == 200)
      #expect(try await fixture.get("health/ready").status == 200)
      fixture.reactors.shutdownHasBegun()
      _ = await clock.sleeps.entries(upTo: 1)
      let ready = try await fixture.get("health/ready")
      #expect(ready.status == 503)
      #expect(try await ready.text == #"{"status":"draining"}"#)
      #expect(try await fixture.get("health/live").status == 200)
    }
  }

  @Test func `a cancelled group ends, with streams and requests open`() async throws {
    try await serve { fixture in
      var events = EventReader(try await fixture.get("events"))
      _ = try await events.next()
      let asking = Task { try await fixture.post("tickets", #"{"seats":2}"#) }
      _ = await desk.log.entries(upTo: 1)
      fixture.running.cancel()
      _ = await fixture.running.result
      _ = await asking.result
      #expect(fixture.reactors.phase == .ended)
      let log = await desk.log.entries(upTo: 2)
      #expect(log == ["began 2", "cancelled 2"])
    }
  }

  @Test func `streams end first, then pending writes are made, and telemetry ends last`()
    async throws
  {
    let order = Log<String>()
    let store = StalledStore(story: order)
    let till = try await Journal(.store(store)).open("1") { Till() }
    let router = Router()
    router.get("events", streaming: till) { $0 }
    let service = ReactorService(till, drain: .steps(5), clock: clock, logger: .silent)
    try await ServerFixture.with(service, router) { reactors, server in
      [
        LoggedService(name: "telemetry", log: order),
        LoggedService(name: "reactors", log: order, base: reactors),
        LoggedService(name: "server", log: order, base: server),
      ]
    } _: { fixture in
      var events = EventReader(try await fixture.get("events"))
      _ = try await events.next()
      till.send(5)
      await store.writing.reached()
      await fixture.end()
      // The store lets nothing through before the stream and the server have ended.
      #expect(try await events.next() == nil)
      _ = await order.entries(upTo: 1)
      store.writing.open()
      try await fixture.running.value
      #expect(
        order.entries == [
          "server ended", "wrote till '1'", "released till '1'", "reactors ended",
          "telemetry ended",
        ])
    }
  }
}

private actor Till: JournaledReactor {
  typealias Action = Int
  typealias Mutation = Int
  typealias State = Int
  static let journalName = "till"
  static let journalVersion = 1
  static let initialState = 0
  nonisolated let pipeline = Pipeline()
  static func reduce(state: inout Int, mutation: Int) { state += mutation }
}

/// Logs the end of a service; without one, it runs until the shutdown.
private struct LoggedService: Service {
  let name: String
  let log: Log<String>
  var base: (any Service)?

  func run() async throws {
    if let base { try await base.run() } else { try await gracefulShutdown() }
    log.append("\(name) ended")
  }
}

/// Logs the requests whose clients have disconnected.
private struct CancellationLogger<Context: RequestContext>: RouterMiddleware {
  let log: Log<String>

  func handle(
    _ request: Request, context: Context, next: (Request, Context) async throws -> Response
  ) async throws -> Response {
    try await withTaskCancellationHandler {
      try await next(request, context)
    } onCancel: {
      log.append(request.uri.path)
    }
  }
}

/// Logs each request before its body is read.
private struct ArrivalLogger<Context: RequestContext>: RouterMiddleware {
  let log: Log<String>

  func handle(
    _ request: Request, context: Context, next: (Request, Context) async throws -> Response
  ) async throws -> Response {
    log.append(request.uri.path)
    return try await next(request, context)
  }
}

extension ServerFixture {
  /// A connection of its own, over which nothing is said.
  fileprivate func connect() async throws -> any Channel {
    try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
      .connect(host: "127.0.0.1", port: port).get()
  }
}
