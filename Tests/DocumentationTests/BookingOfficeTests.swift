import Reactor
import ReactorComposition
import ReactorTesting
import TestLimits
import TestSupport
import Testing

// The booking office, as the page Many reactors by key has it.

struct Ticket: Sendable, Equatable { let room: String, seats: Int }
enum Refusal: ExpectedError { case soldOut, closed }
/// Events for the whole office.
enum OfficeEvent: Sendable { case sold(Ticket), closing }

/// Sells its seats, one sale at a time.
actor Room: LanedReactor {
  enum Action: Sendable { case reserve(Int, Reply<Ticket>), close }
  enum Mutation: Sendable { case sold(Int), closed }
  struct State: Sendable { var free = 5, isClosed = false }

  let initialState = State()
  let pipeline: Pipeline
  private let (name, events): (String, ReactorGroup<OfficeEvent>)
  private let pay: @Sendable (Int) async throws -> Void

  init(
    _ name: String, telling events: ReactorGroup<OfficeEvent>,
    pay: @escaping @Sendable (Int) async throws -> Void
  ) {
    (self.name, self.events, self.pay) = (name, events, pay)
    pipeline = Pipeline(named: name)
  }

  func lane(for action: Action) -> Lane? {
    if case .reserve = action { .sequential("sales") } else { nil }
  }

  func mutate(action: Action) -> MutationStream<Mutation> {
    guard case .reserve(let seats, let reply) = action else { return .just(.closed) }
    return .run { emit in
      if self.currentState.isClosed { throw Refusal.closed }
      if self.currentState.free < seats { throw Refusal.soldOut }
      try await self.pay(seats)
      await emit(.sold(seats))
      self.events.send(.sold(Ticket(room: self.name, seats: seats)))
      reply(Ticket(room: self.name, seats: seats))
    }
  }

  func reduce(state: inout State, mutation: Mutation) {
    switch mutation {
    case .sold(let seats): state.free -= seats
    case .closed: state.isClosed = true
    }
  }
}

struct BookingOffice: Sendable {
  let rooms: ReactorRegistry<String, Room>
  let events = ReactorGroup<OfficeEvent>()
  let clock: any Clock<Duration>

  init(clock: any Clock<Duration>, pay: @escaping @Sendable (Int) async throws -> Void) {
    self.clock = clock
    // A room is a member from when it is made, and leaves when the registry releases it.
    rooms = ReactorRegistry(idle: .seconds(60), clock: clock) { [events] name in
      let room = Room(name, telling: events, pay: pay)
      events.add(room) { event in if case .closing = event { .close } else { nil } }
      return room
    }
  }

  func reserve(_ seats: Int, in room: String) async throws -> Ticket {
    try await rooms[room].ask(within: .seconds(30), clock: clock) { .reserve(seats, $0) }
  }

  /// Lets what is being paid come to its end, for so long, and tells what it had to cut short.
  func close(within limit: Duration) async -> [String] {
    await events.send(.closing).taken
    return await rooms.drain(within: limit).map(\.description)
  }
}

/// How many seats have been sold in all rooms, and what is on the board at the entrance.
actor Till: Reactor {
  typealias Action = Int
  typealias Mutation = Int
  let initialState = 0
  let pipeline = Pipeline()

  func reduce(state: inout Int, mutation: Int) { state += mutation }
}

actor Board: Reactor {
  typealias Action = String
  typealias Mutation = String
  let initialState = ""
  let pipeline = Pipeline()
  private let till: Till

  init(_ till: Till) { self.till = till }

  func mutate(action: String) -> MutationStream<String> {
    .run { emit in await emit("\(action), \(await self.till.currentState) sold") }
  }

  func reduce(state: inout String, mutation: String) { state = mutation }
}

@Suite(.bounded) struct BookingOfficeTests {
  private let clock = ManualClock()

  @Test func `a reservation gets a ticket, until there are no seats`() async throws {
    let office = BookingOffice(clock: clock) { _ in }
    #expect(try await office.reserve(3, in: "hall") == Ticket(room: "hall", seats: 3))
    await #expect(throws: Refusal.soldOut) { try await office.reserve(3, in: "hall") }
    #expect(try await office.reserve(3, in: "attic") == Ticket(room: "attic", seats: 3))
    #expect(try await office.rooms.with("hall") { await $0.currentState.free } == 2)
  }

  /// Reserves seats in the hall.
  ///
  /// - Returns: How many the ticket is for, or why there is none.
  private func buy(_ seats: Int, at office: BookingOffice) async -> String {
    do {
      let ticket = try await office.reserve(seats, in: "hall")
      return "\(ticket.seats) seats"
    } catch {
      return "\(error)"
    }
  }

  @Test func `of two tasks that reserve the last seats one gets them, in any order`()
    async throws
  {
    try await simulate(seeds: TestCounts.seeds(upTo: 200)) { simulation in
      // Other tasks run while a payment is made.
      let office = BookingOffice(clock: simulation.clock) { _ in await Task.yield() }
      async let one = buy(3, at: office)
      async let other = buy(3, at: office)
      let ends = await [one, other]
      #expect(ends.sorted() == ["3 seats", "soldOut"])
      let free = try await office.rooms.with("hall") { await $0.currentState.free }
      #expect(free == 2)
      #expect(await office.close(within: .seconds(5)) == [])
    }
  }

  @Test func `a payment that takes too long is cancelled, and the seats are free`() async throws {
    let gate = Gate()
    let office = BookingOffice(clock: clock) { _ in try await gate.wait() }
    let buying = Task { try await office.reserve(5, in: "hall") }
    await gate.reached()
    await clock.advance(past: 30)
    await #expect(throws: AskError.self) { try await buying.value }
    gate.open()
    #expect(try await office.reserve(5, in: "hall") == Ticket(room: "hall", seats: 5))
  }

  @Test func `a payment that is under way when the office closes is reported`() async throws {
    let gate = Gate()
    let office = BookingOffice(clock: clock) { _ in try await gate.wait() }
    let buying = Task { try await office.reserve(1, in: "hall") }
    await gate.reached()
    let closing = Task { await office.close(within: .steps(5)) }
    await clock.advance(past: 5)
    let late = await closing.value
    #expect(late.count == 1 && late[0].hasPrefix("'hall' (Room#"), "\(late)")
    await #expect(throws: AskError.self) { try await buying.value }
  }

  @Test func `a sale that waits when the office closes is refused with the reason`() async throws {
    let gate = Gate()
    let office = BookingOffice(clock: clock) { _ in try await gate.wait() }
    let first = Task.immediate { try await office.reserve(1, in: "hall") }
    await gate.reached()
    let second = Task.immediate { try await office.reserve(1, in: "hall") }
    _ = try await office.rooms.with("hall") { room in
      await room.wait { $0.depth(ofLane: "sales").waiting == 1 }
    }
    let closing = Task { await office.close(within: .steps(5)) }
    _ = try await office.rooms.with("hall") { room in await room.state.first(where: \.isClosed) }
    gate.open()
    #expect(try await first.value == Ticket(room: "hall", seats: 1))
    await #expect(throws: Refusal.closed) { try await second.value }
    #expect(await closing.value == [])
    await #expect(throws: RegistryError.self) { try await office.reserve(1, in: "hall") }
  }

  @Test func `several subscribers may receive what is sold, one after the other`() async throws {
    let office = BookingOffice(clock: clock) { _ in }
    let till = Till()
    let board = Board(till)
    office.events.add(till) { event in if case .sold(let one) = event { one.seats } else { nil } }
    try office.events.add(board, after: till) { event in
      if case .sold(let one) = event { one.room } else { nil }
    }
    _ = try await office.reserve(2, in: "hall")
    _ = await board.state.first { $0 == "hall, 2 sold" }
    _ = try await office.reserve(3, in: "attic")
    _ = await board.state.first { $0 == "attic, 5 sold" }
  }
}
