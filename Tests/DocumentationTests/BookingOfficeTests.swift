import Reactor
import TestSupport
import Testing

// The booking office, as the page Several reactors has it.

enum Refusal: ExpectedError { case soldOut }

struct Ticket: Sendable, Equatable {
  let room: String
  let seats: Int
}

/// A room whose seats are sold, one sale at a time.
actor BookingRoom: LanedReactor {
  enum Action: Sendable {
    case reserve(Int, Reply<Ticket>)
    case watchFree(atMost: Int, Reply<Int>)
    case announce(String)
  }

  enum Mutation: Sendable {
    case sold(Int)
    case watched(atMost: Int, Reply<Int>)
    case told
    case announced(String)
  }

  struct State: Sendable {
    var free: Int
    var notice = ""
    var watchers: [(atMost: Int, reply: Reply<Int>)] = []
  }

  let initialState: State
  let pipeline: ReactorPipeline<BookingRoom>
  private let name: String
  private let payment: @Sendable (Int) async throws -> Void

  init(_ name: String, seats: Int, payment: @escaping @Sendable (Int) async throws -> Void) {
    (self.name, self.payment) = (name, payment)
    initialState = State(free: seats)
    pipeline = ReactorPipeline(named: name)
  }

  func lane(for action: Action) -> Lane? {
    if case .reserve = action { .sequential("sales") } else { nil }
  }

  func mutate(action: Action) -> MutationStream<Mutation> {
    switch action {
    case .reserve(let seats, let reply):
      return .run { emit in
        guard self.currentState.free >= seats else { throw Refusal.soldOut }
        try await self.payment(seats)
        await emit(.sold(seats))
        reply(Ticket(room: self.name, seats: seats))
        for watcher in self.currentState.watchers where self.currentState.free <= watcher.atMost {
          watcher.reply(self.currentState.free)
        }
        await emit(.told)
      }
    // The reply waits in the state until somebody has bought enough.
    case .watchFree(let limit, let reply): return .just(.watched(atMost: limit, reply))
    case .announce(let notice): return .just(.announced(notice))
    }
  }

  func reduce(state: inout State, mutation: Mutation) {
    switch mutation {
    case .sold(let seats): state.free -= seats
    case .watched(let limit, let reply): state.watchers.append((limit, reply))
    case .told: state.watchers.removeAll { [free = state.free] in free <= $0.atMost }
    case .announced(let notice): state.notice = notice
    }
  }
}

/// The whole office: rooms by name, made when somebody first wants one.
func bookingOffice(
  idle: Duration = .seconds(60), clock: any Clock<Duration> = ContinuousClock(),
  payment: @escaping @Sendable (Int) async throws -> Void
) -> ReactorRegistry<String, BookingRoom> {
  ReactorRegistry(idle: idle, clock: clock) { name in
    BookingRoom(name, seats: 5, payment: payment)
  }
}

@Suite(.timeLimit(.minutes(5))) struct BookingOfficeTests {
  @Test func `whoever reserves gets a ticket, until there are no seats`() async throws {
    let office = bookingOffice { _ in }
    #expect(try await office["hall"].ask { .reserve(3, $0) } == Ticket(room: "hall", seats: 3))
    await #expect(throws: Refusal.soldOut) { try await office["hall"].ask { .reserve(3, $0) } }
    #expect(try await office["attic"].ask { .reserve(3, $0) } == Ticket(room: "attic", seats: 3))
    #expect(try await office.with("hall") { await $0.currentState.free } == 2)
  }

  @Test func `a watcher's reply waits in the state`() async throws {
    let office = bookingOffice { _ in }
    async let free = office["hall"].ask { .watchFree(atMost: 1, $0) }
    _ = try await office.with("hall") { await $0.state.first { !$0.watchers.isEmpty } }
    _ = try await office["hall"].ask { .reserve(4, $0) }
    #expect(try await free == 1)
  }

  @Test func `a payment that is under way when the office closes is named`() async throws {
    let (gate, clock) = (Gate(), HandClock())
    let office = bookingOffice(clock: clock) { _ in try await gate.wait() }
    let buying = Task { try await office["hall"].ask { .reserve(1, $0) } }
    await gate.reached()
    let closing = Task { await office.drain(within: .steps(5)) }
    await clock.advance(past: 5)
    let late = await closing.value.map(\.id)
    #expect(late == ["hall"])
    await #expect(throws: AskError.self) { try await buying.value }
  }

  @Test func `all rooms are told`() async throws {
    let office = bookingOffice { _ in }
    for name in ["hall", "attic"] { _ = try await office[name].ask { .reserve(1, $0) } }
    await office.broadcast(.announce("closing")).settled
    for name in ["hall", "attic"] {
      #expect(try await office.with(name) { await $0.currentState.notice } == "closing")
    }
  }
}
