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

@Suite(.bounded) struct EndingTests {
  let desk = Desk()
  let clock = HandClock()

  func serve(
    watched isWatched: Log<String>? = nil, come: Log<String>? = nil,
    _ body: (ServedBench) async throws -> Void
  ) async throws {
    let router = Router()
    if let come { router.add(middleware: Come(log: come)) }
    if let isWatched { router.add(middleware: Watched(log: isWatched)) }
    router.get("events", streaming: desk) { $0 }
    router.post("tickets", asking: desk, options: ActionOptions(clock: clock)) {
      (order: Desk.Order, reply: Reply<Desk.Ticket>) in .buy(order.seats, reply)
    }
    router.post("by-hand") { try await "\($0.decode(as: Desk.Order.self, context: $1).seats)" }
    let service = ReactorService(desk, drain: .steps(5), clock: clock, logger: .silent)
    router.health(of: service)
    try await ServedBench.with(service, router, body)
  }

  @Test func `a live stream does not delay the end`() async throws {
    try await serve { bench in
      var events = EventReader(try await bench.get("events"))
      _ = try await events.next()
      await bench.end()
      #expect(try await events.next() == nil)
      try await bench.running.value
      #expect(bench.reactors.phase == .ended)
    }
  }

  @Test func `a request that waits is answered before the reactors end`() async throws {
    try await serve { bench in
      async let answer = bench.post("tickets", #"{"seats":2}"#)
      _ = await desk.log.entries(upTo: 1)
      await bench.end()
      _ = await clock.sleeps.entries(upTo: 1)
      desk.gate.open()
      let (status, body) = try await answer
      #expect(status == 200 && body == #"{"seats":2,"total":2}"#)
      try await bench.running.value
      #expect(bench.reactors.abandoned.isEmpty)
    }
  }

  @Test func `a request that waits too long is answered 502, and does not delay the end`()
    async throws
  {
    try await serve { bench in
      async let answer = bench.post("tickets", #"{"seats":2}"#)
      _ = await desk.log.entries(upTo: 1)
      await bench.end()
      await clock.advance(past: 5)
      let (status, _) = try await answer
      #expect(status == 502)
      try await bench.running.value
      #expect(bench.reactors.abandoned.flatMap(\.actions).count == 1)
    }
  }

  @Test func `a client that disconnects cancels its request`() async throws {
    try await serve { bench in
      let asking = Task { try await bench.post("tickets", #"{"seats":2}"#) }
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
    try await serve(watched: left) { bench in
      let key = [("Idempotency-Key", "a")]
      let asking = Task { try await bench.post("tickets", #"{"seats":2}"#, key) }
      _ = await desk.log.entries(upTo: 1)
      asking.cancel()
      #expect(await left.entries(upTo: 1) == ["/tickets"])
      async let again = bench.post("tickets", #"{"seats":2}"#, key)
      desk.gate.open()
      let body = try await again.body
      #expect(body == #"{"seats":2,"total":2}"#)
      #expect(desk.log.entries == ["began 2", "ended 2"])
    }
  }

  @Test func `while a request is answered at the end, no connection is accepted`() async throws {
    try await serve { bench in
      async let answer = bench.post("tickets", #"{"seats":2}"#)
      _ = await desk.log.entries(upTo: 1)
      await bench.end()
      // Until the server accepts no connection, while the request still waits.
      while let stranger = try? await bench.connect() { try? await stranger.close() }
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
    let come = Log<String>()
    try await serve(come: come) { bench in
      let client = try await RawClient(port: bench.port)
      try await client.begin(path, length: 400, "{")
      #expect(await come.entries(upTo: 1) == ["/\(path)"])
      await bench.end()
      await clock.advance(past: 5)
      try await bench.running.value
      #expect(bench.reactors.phase == .ended && bench.reactors.abandoned.isEmpty)
    }
  }

  @Test func `a body that arrives while the service drains is answered`() async throws {
    let come = Log<String>()
    desk.gate.open()
    try await serve(come: come) { bench in
      let client = try await RawClient(port: bench.port)
      let body = #"{"seats":2}"#
      try await client.begin("tickets", length: body.utf8.count, String(body.prefix(1)))
      _ = await come.entries(upTo: 1)
      await bench.end()
      _ = await clock.sleeps.entries(upTo: 1)
      try await client.send(String(body.dropFirst()))
      let answer = await client.answer()
      #expect(answer.hasPrefix("HTTP/1.1 200"), "\(answer)")
    }
  }

  @Test func `a body that does not arrive within the client's time is a 504`() async throws {
    try await serve { bench in
      let client = try await RawClient(port: bench.port)
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
    try await serve { bench in
      #expect(try await bench.get("health/live").status == 200)
      #expect(try await bench.get("health/ready").status == 200)
      bench.reactors.shutdownHasBegun()
      _ = await clock.sleeps.entries(upTo: 1)
      let ready = try await bench.get("health/ready")
      #expect(ready.status == 503)
      #expect(try await ready.text == #"{"status":"draining"}"#)
      #expect(try await bench.get("health/live").status == 200)
    }
  }

  @Test func `a cancelled group ends, with streams and requests open`() async throws {
    try await serve { bench in
      var events = EventReader(try await bench.get("events"))
      _ = try await events.next()
      let asking = Task { try await bench.post("tickets", #"{"seats":2}"#) }
      _ = await desk.log.entries(upTo: 1)
      bench.running.cancel()
      _ = await bench.running.result
      _ = await asking.result
      #expect(bench.reactors.phase == .ended)
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
    try await ServedBench.with(service, router) { reactors, server in
      [
        Told(name: "telemetry", log: order), Told(name: "reactors", log: order, base: reactors),
        Told(name: "server", log: order, base: server),
      ]
    } _: { bench in
      var events = EventReader(try await bench.get("events"))
      _ = try await events.next()
      till.send(5)
      await store.writing.reached()
      await bench.end()
      // The store lets nothing through before the stream and the server have ended.
      #expect(try await events.next() == nil)
      _ = await order.entries(upTo: 1)
      store.writing.open()
      try await bench.running.value
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

/// A service that tells when it has ended; without another one it runs until it is asked to.
private struct Told: Service {
  let name: String
  let log: Log<String>
  var base: (any Service)?

  func run() async throws {
    if let base { try await base.run() } else { try await gracefulShutdown() }
    log.append("\(name) ended")
  }
}

/// Tells of which requests the client has gone.
private struct Watched<Context: RequestContext>: RouterMiddleware {
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

/// Tells which requests have come, before anything of their bodies is read.
private struct Come<Context: RequestContext>: RouterMiddleware {
  let log: Log<String>

  func handle(
    _ request: Request, context: Context, next: (Request, Context) async throws -> Response
  ) async throws -> Response {
    log.append(request.uri.path)
    return try await next(request, context)
  }
}

extension ServedBench {
  /// A connection of its own, over which nothing is said.
  fileprivate func connect() async throws -> any Channel {
    try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
      .connect(host: "127.0.0.1", port: port).get()
  }
}
