import Foundation
import Reactor
import ReactorComposition
import ReactorHummingbird
import ReactorJournal

/// A visitor: books in rooms, and keeps the tickets, also of a sale that a crash interrupted.
///
/// Read `Room` first: most services need no more than that. The rest here is for what two journals
/// cannot do in one step: an open order is sent again with its key, or called off.
actor Session: JournaledReactor, LanedReactor {
  typealias Rooms = ReactorRegistry<String, Room>
  struct Order: Codable, Sendable, Equatable { let room: String, seats: Int }
  struct State: Codable, Sendable, Equatable {
    var tickets: [Room.Ticket] = [], open: [String: Order] = [:]  // By key, without an answer yet.
  }
  enum Action: Sendable { case book(Order, Reply<Room.Ticket>), goOn }
  enum Mutation: Codable, Sendable {
    case wanted(Order, key: String), got(Room.Ticket, key: String), refused(key: String)
  }

  static let journalName = "session"
  static let journalVersion = 1
  static let initialState = State()
  nonisolated let pipeline = Pipeline(carrying: .requestLogger)
  private let rooms: Rooms
  private var calledOff: Set<String> = []  // By key, still open: rooms not notified yet.
  init(_ rooms: Rooms) { self.rooms = rooms }

  func recovered() { if !currentState.open.isEmpty { send(.goOn) } }
  func lane(for action: Action) -> Lane? { .sequential("bookings") }

  func mutate(action: Action) -> MutationStream<Mutation> {
    .run { emit in
      for (key, order) in self.currentState.open { try? await self.goOn(order, key, emit) }
      guard case .book(let order, let reply) = action else { return }
      let key = UUID().uuidString
      await emit(.wanted(order, key: key))
      do {
        try await emit.durable()  // From here on, a later process finds the order.
        let ticket = try await self.buy(order, key, emit)
        try Task.checkCancellation()
        reply(ticket)
      } catch is CancellationError {
        self.calledOff.insert(key)  // The mutations of a cancelled action would be ignored.
        self.send(.goOn)  // Refused while the service ends: then the next process continues.
        throw CancellationError()
      }
    }
  }

  private func goOn(
    _ order: Order, _ key: String, _ emit: MutationEmitter<Mutation>
  ) async throws {
    guard calledOff.contains(key) else { return _ = try await buy(order, key, emit) }
    _ = try await rooms[order.room].ask { .callOff(key: key, $0) }
    await emit(.refused(key: key))
    calledOff.remove(key)
  }

  private func buy(
    _ order: Order, _ key: String, _ emit: MutationEmitter<Mutation>
  ) async throws -> Room.Ticket {
    do {
      let ticket = try await rooms[order.room].ask { .book(seats: order.seats, key: key, $0) }
      await emit(.got(ticket, key: key))
      return ticket
    } catch  where !(error is AskError || error is CancellationError) {
      await emit(.refused(key: key))  // Without any answer, the order stays open.
      throw error
    }
  }

  static func reduce(state: inout State, mutation: Mutation) {
    switch mutation {
    case .wanted(let order, let key): state.open[key] = order
    case .refused(let key): state.open[key] = nil
    case .got(let one, let key): (state.open[key], state.tickets) = (nil, state.tickets + [one])
    }
  }
}
