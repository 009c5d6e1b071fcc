import Reactor
import ReactorComposition

// What the page Many reactors by key shows: compiled, and not run.

private enum ManyReactorsByKeySamples {
  struct Ticket: Sendable {}
  enum Refusal: ExpectedError { case soldOut }
  struct Printer: Sendable { func print(_ seats: Int) async throws -> Ticket { Ticket() } }

  actor Office: Reactor {
    enum Action { case reserve(Int, Reply<Ticket>) }
    enum Mutation { case sold(Int) }
    struct State { var free = 5 }

    let initialState = State()
    let pipeline = Pipeline()
    let printer = Printer()

    func mutate(action: Action) -> MutationStream<Mutation> {
      switch action {
      case .reserve(let seats, let reply):
        guard currentState.free >= seats else {
          reply(throwing: Refusal.soldOut)
          return .empty
        }
        return .run { emit in
          let ticket = try await self.printer.print(seats)
          await emit(.sold(seats))
          reply(ticket)
        }
      }
    }

    func reduce(state: inout State, mutation: Mutation) {
      switch mutation {
      case .sold(let seats): state.free -= seats
      }
    }

    static func asked(_ office: Office) async throws {
      let ticket = try await office.ask { .reserve(2, $0) }
      _ = ticket
    }

    static func asked(_ office: Office, clock: any Clock<Duration>) async throws {
      let ticket = try await office.ask(within: .seconds(2), clock: clock) { .reserve(2, $0) }
      _ = ticket
    }
  }

  actor Room: Reactor {
    enum Action { case open, reserve(Int, Reply<Ticket>) }

    let initialState: Int
    let pipeline = Pipeline()

    init(_ state: Int) { initialState = state }

    func reduce(state: inout Int, mutation: Action) {}
  }

  typealias RoomID = String
  struct Store: Sendable { func load(_ id: RoomID) async throws -> Int { 0 } }
  static func show(_ state: Int) {}

  static func registry(_ store: Store) async throws {
    let rooms = ReactorRegistry<RoomID, Room>(idle: .seconds(60)) { id in
      Room(try await store.load(id))
    }

    try await rooms["lobby"].send(.open)
    let ticket = try await rooms["lobby"].ask { .reserve(2, $0) }
    for try await state in rooms["lobby"].state { show(state) }
    _ = ticket
  }
}
