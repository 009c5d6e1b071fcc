import AsyncHTTPClient
import Hummingbird
import Logging
import NIOCore
import NIOHTTP1
import Reactor
import ReactorComposition
import ReactorHummingbird
import ReactorLifecycle
import ServiceLifecycle
import TestLimits
import TestSupport
import Testing
import UnixSignals

// The samples of the page In a service, copied by hand.

@Suite(.bounded) struct InAServiceTests {
  struct Order: Decodable { let seats: Int }

  struct Ticket: Codable { let seats: Int }

  actor HallReactor: Reactor {
    enum Action: Decodable {
      case book(Int, Reply<Ticket>)
      case announce(String)
    }

    enum Mutation { case booked(Int), announced(String) }

    struct State {
      var sold = 0
      var news = ""
      var board: Board { Board(sold: sold, news: news) }
    }

    struct Board: Encodable { let sold: Int, news: String }

    let initialState = State()
    let pipeline = Pipeline()

    func mutate(action: Action) -> MutationStream<Mutation> {
      switch action {
      case .announce(let text): return .just(.announced(text))
      case .book(let seats, let reply):
        return .run { emit in
          await emit(.booked(seats))
          reply(Ticket(seats: seats))
        }
      }
    }

    func reduce(state: inout State, mutation: Mutation) {
      switch mutation {
      case .booked(let seats): state.sold += seats
      case .announced(let text): state.news = text
      }
    }
  }

  actor VisitorReactor: Reactor {
    struct State { var tickets: [String] = [] }

    typealias Action = String
    typealias Mutation = String

    let initialState = State()
    let pipeline = Pipeline()

    func reduce(state: inout State, mutation: String) { state.tickets.append(mutation) }
  }

  actor Meter: Reactor {
    typealias Action = Int
    typealias Mutation = Int
    let loop: any EventLoop
    let initialState = 0
    let pipeline = Pipeline()

    init(_ loop: any EventLoop) { self.loop = loop }

    nonisolated var unownedExecutor: UnownedSerialExecutor {
      loop.executor.asUnownedSerialExecutor()
    }

    func reduce(state: inout Int, mutation: Int) { state += mutation }
  }

  let logger = Logger(label: "page") { _ in SwiftLogNoOpLogHandler() }

  /// The page's service while it runs, and a client.
  struct Served {
    let rooms: ReactorRegistry<String, HallReactor>
    let sessions: ReactorRegistry<String, VisitorReactor>
    let reactors: ReactorService
    let group: ServiceGroup
    let url: String

    func post(
      _ path: String, _ body: String, within seconds: String? = nil,
      type: String = "application/json"
    ) async throws -> (status: Int, body: String) {
      var request = HTTPClientRequest(url: url + path)
      request.method = .POST
      request.headers.add(name: "Content-Type", value: type)
      if let seconds { request.headers.add(name: "Request-Timeout", value: seconds) }
      request.body = .bytes(ByteBuffer(string: body))
      let response = try await HTTPClient.shared.execute(request, deadline: .distantFuture)
      let answer = try await response.body.collect(upTo: 1 << 16)
      return (Int(response.status.code), String(buffer: answer))
    }
  }

  func serve(_ body: (Served) async throws -> Void) async throws {
    let rooms = ReactorRegistry<String, HallReactor>(idle: nil) { _ in HallReactor() }
    let sessions = ReactorRegistry<String, VisitorReactor>(idle: nil) { _ in VisitorReactor() }
    let reactors = ReactorService(rooms, sessions, drain: .seconds(5), logger: logger)

    let router = Router()
    router.get("rooms/{id}", of: rooms) { $0.board }
    router.get("rooms/{id}/events", streaming: rooms) { $0.board }
    router.post("rooms/{id}/actions", sending: rooms)
    router.post("rooms/{id}/tickets", asking: rooms) { (order: Order, reply: Reply<Ticket>) in
      .book(order.seats, reply)
    }
    router.health(of: reactors)
    router.add(middleware: TracingMiddleware())
    router.add(middleware: RequestLoggerMiddleware())
    router.post("rooms/{id}/orders") { request, context in
      do {
        try request.requireJSON()
        let id = try context.parameters.requireKey("id")
        let order = try await request.decode(as: Order.self, context: context)
        let limit = request.headers[.requestTimeout].flatMap { Double($0) } ?? 30
        guard limit > 0, limit < 3600 else {
          throw HTTPError(.badRequest, message: "Request-Timeout: more than 0, less than 3600")
        }
        let ticket = try await rooms[id].ask(within: .seconds(limit)) { .book(order.seats, $0) }
        return try context.responseEncoder.encode(ticket, from: request, context: context)
      } catch {
        throw ReactorHTTPError(error) ?? error
      }
    }
    router.post("announcements") { request, context in
      try request.requireJSON()
      let text = try await request.decode(as: String.self, context: context)
      return rooms.broadcast(.announce(text)).accepted
    }
    router.get("rooms/{id}/news") { _, context in
      let room = rooms[try context.parameters.requireKey("id")]
      return Response(
        status: .ok, headers: [.contentType: "text/event-stream"],
        body: ResponseBody { writer in
          for try await state in room.states(.newest).cancelOnGracefulShutdown() {
            try await writer.write(ByteBuffer(string: "data: \(state.news)\n\n"))
          }
          try await writer.finish(nil)
        })
    }
    router.get(
      "events",
      streaming: [
        LiveView("room", of: rooms) { $0.board }, LiveView("session", of: sessions) { $0.tickets },
      ])

    // The page's server listens at the usual port; this one at a free port.
    let ports = Log<Int>()
    let app = Application(
      router: router, server: .http1(serving: reactors),
      configuration: ApplicationConfiguration(address: .hostname("127.0.0.1", port: 0)),
      onServerRunning: { ports.append($0.localAddress?.port ?? 0) }, logger: logger)
    let group = ServiceGroup(services: [reactors, app], logger: logger)
    async let end: Void = group.run()
    let url = "http://127.0.0.1:\(await ports.entries(upTo: 1)[0])/"
    try await body(
      Served(rooms: rooms, sessions: sessions, reactors: reactors, group: group, url: url))
    await group.triggerGracefulShutdown()
    try await end
    #expect(reactors.phase == .ended)
    #expect(reactors.abandoned.isEmpty)
    #expect(sessions.count == 0)
  }

  @Test func `a service of reactors runs until it is asked to end`() async throws {
    try await serve { service in
      let ticket = try await service.rooms["opera"].ask { .book(2, $0) }
      #expect(ticket.seats == 2)
    }
  }

  @Test func `by hand an order gets its ticket`() async throws {
    try await serve { service in
      let (status, body) = try await service.post(
        "rooms/opera/orders", #"{"seats":2}"#, within: "600.5")
      #expect(status == 200 && body == #"{"seats":2}"#)
      #expect(try await service.rooms.with("opera") { await $0.currentState.sold } == 2)
    }
  }

  @Test(arguments: ["nan", "inf", "1e99", "0", "-1"])
  func `by hand an invalid time is refused, and ends nothing else`(seconds: String) async throws {
    try await serve { service in
      let status = try await service.post(
        "rooms/opera/orders", #"{"seats":2}"#, within: seconds
      ).status
      #expect(status == 400)
      let wrong = try await service.post("rooms/opera/orders", #"{"seats":"two"}"#).status
      #expect(wrong == 400)
    }
  }

  @Test func `by hand a body that is not declared as JSON is refused`() async throws {
    try await serve { service in
      for (path, body) in [("rooms/opera/orders", #"{"seats":2}"#), ("announcements", #""evil""#)] {
        let status = try await service.post(path, body, type: "text/plain").status
        #expect(status == 415)
      }
      #expect(try await service.rooms.with("opera") { await $0.currentState.sold } == 0)
    }
  }

  @Test func `by hand news are a stream, which ends with the service`() async throws {
    try await serve { service in
      let request = HTTPClientRequest(url: service.url + "rooms/opera/news")
      let response = try await HTTPClient.shared.execute(request, deadline: .distantFuture)
      #expect(response.headers.first(name: "Content-Type") == "text/event-stream")
      var events = response.body.makeAsyncIterator()
      #expect(try await events.next().map { String(buffer: $0) } == "data: \n\n")
      let (status, told) = try await service.post("announcements", #""We close""#)
      #expect(status == 200 && told == #"["opera"]"#)
      #expect(try await events.next().map { String(buffer: $0) } == "data: We close\n\n")
      await service.group.triggerGracefulShutdown()
      #expect(try await events.next() == nil)
    }
  }
}
