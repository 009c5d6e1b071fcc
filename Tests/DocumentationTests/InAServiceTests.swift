import Hummingbird
import Logging
import NIOCore
import Reactor
import ReactorHummingbird
import ReactorLifecycle
import ServiceLifecycle
import TestSupport
import Testing
import UnixSignals

// The samples of the page In a service, copied by hand.

@Suite struct InAServiceTests {
  struct Order: Decodable { let seats: Int }

  struct Ticket: Codable { let seats: Int }

  actor HallReactor: Reactor {
    enum Action: Decodable {
      case book(Int, Reply<Ticket>)
      case announce(String)
    }

    enum Mutation { case booked(Int), announced(String) }

    struct State: Encodable {
      var sold = 0
      var news = ""
    }

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

  @Test func `a service of reactors runs until it is asked to end`() async throws {
    let rooms = ReactorRegistry<String, HallReactor>(idle: nil) { _ in HallReactor() }
    let sessions = ReactorRegistry<String, VisitorReactor>(idle: nil) { _ in VisitorReactor() }
    let reactors = ReactorService(rooms, sessions, drain: .seconds(5), logger: logger)

    let router = Router()
    router.get("rooms/{id}", of: rooms) { $0 }
    router.get("rooms/{id}/events", streaming: rooms) { $0 }
    router.post("rooms/{id}/actions", sending: rooms)
    router.post("rooms/{id}/tickets", asking: rooms) { (order: Order, reply: Reply<Ticket>) in
      .book(order.seats, reply)
    }
    router.health(of: reactors)
    router.post("announcements") { request, context in
      let text = try await request.decode(as: String.self, context: context)
      return rooms.broadcast(.announce(text)).accepted
    }
    router.add(middleware: TracingMiddleware())
    router.add(middleware: RequestLoggerMiddleware())
    router.post("rooms/{id}/orders") { request, context in
      do {
        let id = try context.parameters.require("id")
        let order = try await request.decode(as: Order.self, context: context)
        let limit = request.headers[.requestTimeout].flatMap { Double($0) } ?? 30
        let ticket = try await rooms[id].ask(within: .seconds(limit)) { .book(order.seats, $0) }
        return try context.responseEncoder.encode(ticket, from: request, context: context)
      } catch {
        throw ReactorHTTPError(error) ?? error
      }
    }
    router.get("rooms/{id}/news") { _, context in
      let room = rooms[try context.parameters.require("id")]
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
        LiveView("room", of: rooms) { $0 }, LiveView("session", of: sessions) { $0.tickets },
      ])

    // The page's server listens at the usual port; this one where there is room.
    let running = Gate()
    let app = Application(
      router: router, server: .http1(serving: reactors),
      configuration: ApplicationConfiguration(address: .hostname("127.0.0.1", port: 0)),
      onServerRunning: { _ in running.open() }, logger: logger)
    let group = ServiceGroup(services: [reactors, app], logger: logger)
    async let end: Void = group.run()
    await running.pass()
    _ = try await rooms["opera"].ask { .book(2, $0) }
    await group.triggerGracefulShutdown()
    try await end
    #expect(reactors.phase == .ended)
    #expect(reactors.abandoned.isEmpty)
    #expect(sessions.count == 0)
  }
}
