import Hummingbird
import Reactor
import ReactorComposition
import ReactorHummingbird
import ReactorLifecycle

/// A room of the library.
actor ReactorRoom: Reactor {
  enum Action: Decodable, Sendable {
    case book(Int)
    case buy(Int, Reply<Ticket>)
    case announce(String)
  }

  enum Mutation: Sendable {
    case booked(Int)
    case announced(String)
  }

  nonisolated let initialState = RoomState()
  nonisolated let pipeline = Pipeline()
  private let name: String

  init(_ name: String) { self.name = name }

  func mutate(action: Action) -> MutationStream<Mutation> {
    switch action {
    case .book(let seats): return .just(.booked(seats))
    case .announce(let text): return .just(.announced(text))
    case .buy(let seats, let reply):
      reply(Ticket(room: name, number: currentState.tickets + 1, seats: seats))
      return .just(.booked(seats))
    }
  }

  func reduce(state: inout RoomState, mutation: Mutation) {
    switch mutation {
    case .booked(let seats):
      state.booked += seats
      state.tickets += 1
    case .announced(let text): state.news = text
    }
  }
}

/// The service as the library's routes make it.
struct ReactorRooms {
  let rooms = ReactorRegistry<String, ReactorRoom>(idle: .seconds(300)) { ReactorRoom($0) }

  /// The same on executors of their own choice.
  let placed: [(RouterPath, ReactorRegistry<String, PlacedRoom>)] = [
    ("loop", ReactorRegistry(idle: .seconds(300)) { PlacedRoom($0, on: .loop) }),
    ("own", ReactorRegistry(idle: .seconds(300)) { PlacedRoom($0, on: .own) }),
    ("main", ReactorRegistry(idle: .seconds(300)) { PlacedRoom($0, on: .main) }),
  ]

  func router() -> Router<BasicRequestContext> {
    let router = Router()
    router.post("rooms/{id}/actions", sending: rooms)
    router.post("rooms/{id}/tickets", asking: rooms) { (order: Order, reply: Reply<Ticket>) in
      .buy(order.seats, reply)
    }
    for (path, rooms) in placed {
      router.post("\(path)/{id}/tickets", asking: rooms) { (order: Order, reply: Reply<Ticket>) in
        .buy(order.seats, reply)
      }
    }
    router.get("rooms/{id}", of: rooms) { $0 }
    router.get("rooms/{id}/events", streaming: rooms) { $0 }
    return router
  }
}
