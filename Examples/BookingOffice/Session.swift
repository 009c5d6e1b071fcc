import Reactor
import ReactorHummingbird
import ReactorJournal

/// A visitor: books in rooms, and keeps the tickets.
actor Session: JournaledReactor, LanedReactor {
  typealias Rooms = ReactorRegistry<String, Room>
  struct Order: Codable, Sendable {
    let room: String
    let seats: Int
  }
  struct State: Codable, Sendable, Equatable { var tickets: [Room.Ticket] = [] }
  enum Action: Sendable { case book(Order, Reply<Room.Ticket>) }
  enum Mutation: Codable, Sendable { case got(Room.Ticket) }

  static let journalName = "session"
  static let journalVersion = 1
  static let initialState = State()
  nonisolated let pipeline = Pipeline(carrying: .requestLogger)
  private let rooms: Rooms

  init(_ rooms: Rooms) { self.rooms = rooms }

  func lane(for action: Action) -> Lane? { .sequential("bookings") }

  func mutate(action: Action) -> MutationStream<Mutation> {
    guard case .book(let order, let reply) = action else { return .empty }
    return .run { [rooms] emit in
      let ticket = try await rooms[order.room].ask { .book(seats: order.seats, $0) }
      await emit(.got(ticket))
      reply(ticket)
    }
  }

  static func reduce(state: inout State, mutation: Mutation) {
    guard case .got(let ticket) = mutation else { return }
    state.tickets.append(ticket)
  }
}
