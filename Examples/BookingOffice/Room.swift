import Reactor

/// A hall and its seats: one reactor for each, made when somebody first asks for it.
actor Room: Reactor {
  struct Ticket: Codable, Sendable, Equatable {
    let room: String
    let number: Int
    let seats: Int
  }

  struct State: Encodable, Sendable, Equatable {
    var free: Int
    var tickets: [Ticket] = []
    var news = ""
  }

  enum Action: Sendable {
    case book(seats: Int, Reply<Ticket>)
    case announce(String)
  }

  enum Mutation: Sendable {
    case booked(Ticket)
    case announced(String)
  }

  enum Refusal: ExpectedError { case soldOut, noSeats }

  nonisolated let initialState: State
  nonisolated let pipeline: Pipeline
  private let name: String
  private let pay: @Sendable () async throws -> Void

  init(_ name: String, seats: Int = 100, pay: @escaping @Sendable () async throws -> Void) {
    self.name = name
    self.pay = pay
    initialState = State(free: seats)
    pipeline = Pipeline(named: name, inbox: .atMost(1000, whenFull: .refuse))
  }

  /// One booking at a time: so nobody pays for a seat that another one gets.
  func lane(for action: Action) -> Lane? {
    if case .book = action {
      .sequential("till", waiting: .atMost(100, whenFull: .refuse))
    } else {
      nil
    }
  }

  func mutate(action: Action) -> MutationStream<Mutation> {
    switch action {
    case .announce(let text): return .just(.announced(text))
    case .book(let seats, let reply):
      return .run { emit in
        guard seats > 0 else { throw Refusal.noSeats }
        guard self.currentState.free >= seats else { throw Refusal.soldOut }
        try await self.pay()
        let number = self.currentState.tickets.count + 1
        let ticket = Ticket(room: self.name, number: number, seats: seats)
        await emit(.booked(ticket))
        reply(ticket)
      }
    }
  }

  func reduce(state: inout State, mutation: Mutation) {
    switch mutation {
    case .announced(let text): state.news = text
    case .booked(let ticket):
      state.free -= ticket.seats
      state.tickets.append(ticket)
    }
  }
}
