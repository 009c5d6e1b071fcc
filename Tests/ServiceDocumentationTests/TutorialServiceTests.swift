import Hummingbird
import Logging
import Reactor
import ReactorComposition
import ReactorHummingbird
import ReactorLifecycle
import ReactorTesting
import ServiceLifecycle
import Testing
import TestLimits
import TestSupport
import UnixSignals

// The third chapter of the tutorial: a room that sells its seats, and the service around it.

@Suite(.bounded) struct TutorialServiceTests {
  struct Order: Decodable { let seats: Int }

  actor Room: LanedReactor {
    struct Ticket: Codable, Equatable { let number: Int, seats: Int }
    struct State: Encodable { var free = 100, sold = 0 }
    enum Action { case book(Int, Reply<Ticket>) }
    enum Mutation { case sold(Int) }
    enum Refusal: ExpectedError { case soldOut }

    let initialState = State()
    let pipeline = Pipeline(inboxLimit: 1000)
    private let pay: @Sendable () async throws -> Void

    init(pay: @escaping @Sendable () async throws -> Void) { self.pay = pay }

    /// One booking at a time: no booking pays for a seat that another one gets.
    func lane(for action: Action) -> Lane? { .sequential("till") }

    func mutate(action: Action) -> MutationStream<Mutation> {
      switch action {
      case .book(let seats, let reply):
        .run { emit in
          guard self.currentState.free >= seats else { throw Refusal.soldOut }
          try await self.pay()
          await emit(.sold(seats))
          reply(Ticket(number: self.currentState.sold, seats: seats))
        }
      }
    }

    func reduce(state: inout State, mutation: Mutation) {
      switch mutation {
      case .sold(let seats):
        state.free -= seats
        state.sold += 1
      }
    }
  }

  /// The program: compiled here, and not run.
  static func serve() async throws {
    let logger = Logger(label: "rooms")
    let rooms = ReactorRegistry<String, Room>(idle: nil) { _ in
      Room(pay: { try await Task.sleep(for: .milliseconds(50)) })
    }
    let reactors = ReactorService(rooms, drain: .seconds(5), logger: logger)

    let router = Router()
    router.get("rooms/{id}", of: rooms) { $0 }
    router.get("rooms/{id}/events", streaming: rooms) { $0 }
    router.post("rooms/{id}/tickets", asking: rooms) { (order: Order, reply: Reply<Room.Ticket>) in
      .book(order.seats, reply)
    }
    router.health(of: reactors)

    let app = Application(router: router, server: .http1(serving: reactors), logger: logger)
    let group = ServiceGroup(
      services: [reactors, app], gracefulShutdownSignals: [.sigterm, .sigint], logger: logger)
    try await group.run()
  }

  @Test func `a booking gets a ticket`() async throws {
    let room = Room(pay: {})
    let ticket = try await room.ask { .book(2, $0) }
    #expect(ticket == .init(number: 1, seats: 2))
    #expect(await room.currentState.free == 98)
  }

  @Test func `when it is sold out, an ask is refused, and there is no payment`() async {
    let room = Room(pay: { Issue.record("somebody has paid") })
    await #expect(throws: Room.Refusal.soldOut) { try await room.ask { .book(101, $0) } }
  }

  @Test func `of two bookings for more than there is, one pays and gets it, in any order`()
    async throws
  {
    try await simulate(seeds: TestCounts.seeds()) { simulation in
      let (clock, paid) = (simulation.clock, Log<Int>())
      let room = Room(pay: {
        try await clock.sleep(for: .milliseconds(50))
        paid.append(60)
      })
      async let first = try? await room.ask { .book(60, $0) }
      async let second = try? await room.ask { .book(60, $0) }
      await simulation.advanceToEnd()
      let tickets = await [first, second].compactMap { $0 }
      #expect(tickets == [Room.Ticket(number: 1, seats: 60)])
      #expect(paid.count == 1)
      #expect(await room.currentState.free == 40)
    }
  }
}
