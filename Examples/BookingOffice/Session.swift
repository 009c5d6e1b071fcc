import Reactor

/// A visitor: books in rooms, and keeps the tickets.
actor Session: Reactor {
  typealias Rooms = ReactorRegistry<String, Room>

  struct Order: Codable, Sendable {
    let room: String
    let seats: Int
  }

  struct State: Encodable, Sendable, Equatable {
    var tickets: [Room.Ticket] = []
    var isPaying = false
  }

  enum Action: Sendable { case book(Order, Reply<Room.Ticket>) }

  enum Mutation: Sendable {
    case paying(Bool)
    case got(Room.Ticket)
  }

  nonisolated let initialState = State()
  nonisolated let pipeline = Pipeline()
  private let rooms: Rooms

  init(_ rooms: Rooms) { self.rooms = rooms }

  func lane(for action: Action) -> Lane? { .sequential("bookings") }

  func mutate(action: Action) -> MutationStream<Mutation> {
    guard case .book(let order, let reply) = action else { return .empty }
    return .run { emit in
      await emit(.paying(true))
      do {
        let ticket = try await self.rooms[order.room].ask { .book(seats: order.seats, $0) }
        await emit(.got(ticket))
        reply(ticket)
      } catch {
        await emit(.paying(false))
        reply(throwing: error)
      }
    }
  }

  func reduce(state: inout State, mutation: Mutation) {
    switch mutation {
    case .paying(let isPaying): state.isPaying = isPaying
    case .got(let ticket):
      state.isPaying = false
      state.tickets.append(ticket)
    }
  }
}
