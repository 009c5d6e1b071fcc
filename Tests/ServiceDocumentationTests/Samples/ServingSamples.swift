import Hummingbird
import Logging
import Reactor
import ReactorComposition
import ReactorHummingbird
import ReactorLifecycle
import ServiceLifecycle
import UnixSignals

// What the README and the page In a service show of a service: compiled, and not run.
// `scripts/check-pages` finds it here; what can be run is in the tests beside this folder.

private enum Serving {
  struct Order: Decodable { let seats: Int }
  struct Ticket: Codable { let seats: Int }

  actor Room: Reactor {
    enum Action: Decodable { case book(Int, Reply<Ticket>), announce(String) }
    struct State {
      var sold = 0
      var board: Board { Board(sold: sold) }
    }
    struct Board: Encodable { let sold: Int }

    let initialState = State()
    let pipeline = Pipeline()

    func mutate(action: Action) -> MutationStream<Int> {
      switch action {
      case .announce: .empty
      case .book(let seats, let reply):
        .run { emit in
          await emit(seats)
          reply(Ticket(seats: seats))
        }
      }
    }

    func reduce(state: inout State, mutation: Int) { state.sold += mutation }
  }

  actor Session: Reactor {
    struct State { var tickets: [String] = [] }

    let initialState = State()
    let pipeline = Pipeline()

    func reduce(state: inout State, mutation: String) { state.tickets.append(mutation) }
  }

  static func serve(
    _ rooms: ReactorRegistry<String, Room>, _ sessions: ReactorRegistry<String, Session>,
    logger: Logger
  ) async throws {
    let reactors = ReactorService(rooms, sessions, drain: .seconds(5), logger: logger)

    let router = Router()
    router.get("rooms/{id}", of: rooms) { $0.board }
    router.get("rooms/{id}/events", streaming: rooms) { $0.board }
    router.post("rooms/{id}/actions", sending: rooms)
    router.post("rooms/{id}/tickets", asking: rooms) { (order: Order, reply: Reply<Ticket>) in
      .book(order.seats, reply)
    }
    router.health(of: reactors)

    let app = Application(router: router, server: .http1(serving: reactors), logger: logger)
    let group = ServiceGroup(
      services: [reactors, app], gracefulShutdownSignals: [.sigterm], logger: logger)
    try await group.run()
  }

  static func byHand(
    _ router: Router<BasicRequestContext>, _ rooms: ReactorRegistry<String, Room>,
    _ sessions: ReactorRegistry<String, Session>
  ) {
    router.post("rooms/{id}/orders") { request, context in
      do {
        try request.requireJSON()
        let id = try context.parameters.require("id")
        let order = try await request.decode(as: Order.self, context: context)
        let limit = request.headers[.requestTimeout].flatMap { Double($0) } ?? 30
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
    router.get(
      "events",
      streaming: [
        LiveView("room", of: rooms) { $0.board }, LiveView("session", of: sessions) { $0.tickets },
      ])
  }
}
