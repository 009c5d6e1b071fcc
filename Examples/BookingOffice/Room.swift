import Logging
import Reactor
import ReactorHummingbird
import ReactorJournal

/// A hall and its seats: created at its first use, released when idle, and journaled.
actor Room: JournaledReactor, LanedReactor {
  struct Ticket: Codable, Sendable, Equatable { let room: String, number: Int; var seats: Int }
  struct State: Codable, Sendable, Equatable {
    var free = 100, news = "", tickets: [Ticket] = []
    var numbers: [String: Int] = [:]  // By key: a repeated order is not sold twice.
    /// The part that clients see: tickets and keys belong to the buyers.
    var board: Board { Board(free: free, news: news) }
  }
  struct Board: Encodable, Sendable { let free: Int, news: String }
  enum Action: Sendable {
    case book(seats: Int, key: String, Reply<Ticket>), callOff(key: String, Reply<Bool>)
    case announce(String)
  }
  enum Mutation: Codable, Sendable {
    case booked(Ticket, key: String), calledOff(key: String), announced(String)
  }
  enum Refusal: ExpectedError, CustomStringConvertible {
    case soldOut, noSeats
    var description: String {
      switch self {
      case .soldOut: "there are not as many seats left"
      case .noSeats: "a booking has at least one seat"
      }
    }
  }

  static let journalName = "room"
  static let journalVersion = 1
  static let initialState = State()
  nonisolated let pipeline: Pipeline
  private let name: String
  private let pay: @Sendable (_ key: String) async throws -> Void  // Each key is paid for once.
  init(_ name: String, pay: @escaping @Sendable (_ key: String) async throws -> Void = Room.bank) {
    (self.name, self.pay) = (name, pay)
    pipeline = Pipeline(
      named: name, inboxLimit: 1000, carrying: .requestLogger)
  }
  static let bank = { @Sendable (_: String) in try await Task.sleep(for: .milliseconds(50)) }

  /// One booking at a time, so that a visitor never pays for a seat that is sold to another.
  func lane(for action: Action) -> Lane? {
    if case .announce = action { return nil }
    return .sequential("till", waitingLimit: 100)
  }

  func mutate(action: Action) -> MutationStream<Mutation> {
    switch action {
    case .announce(let text): return .just(.announced(text))
    case .callOff(let key, let reply):
      return .run { emit in
        await emit(.calledOff(key: key))
        reply(true)
      }
    case .book(let seats, let key, let reply):
      return .run { emit in
        let state = self.currentState
        if let number = state.numbers[key] { return reply(state.tickets[number - 1]) }
        guard seats > 0 else { throw Refusal.noSeats }
        guard state.free >= seats else { throw Refusal.soldOut }
        try await self.pay(key)
        let ticket = Ticket(room: self.name, number: state.tickets.count + 1, seats: seats)
        await emit(.booked(ticket, key: key))
        RequestLogger.current.info("sold \(ticket)")
        reply(ticket)  // The reply is sent after the mutation is durable.
      }
    }
  }

  static func reduce(state: inout State, mutation: Mutation) {
    switch mutation {
    case .announced(let text): state.news = text
    case .calledOff(let key):
      guard let number = state.numbers.removeValue(forKey: key) else { return }
      state.free += state.tickets[number - 1].seats
      state.tickets[number - 1].seats = 0
    case .booked(let ticket, let key):
      state.free -= ticket.seats
      state.numbers[key] = ticket.number
      state.tickets.append(ticket)
    }
  }
}
