import Hummingbird
import Reactor
import ReactorRuntime

/// A room without the library: an actor, called.
actor BareRoom {
  let name: String
  private(set) var state = RoomState()

  init(_ name: String) { self.name = name }

  func perform(_ action: BookingAction) {
    switch action {
    case .book(let seats):
      state.booked += seats
      state.tickets += 1
    }
  }

  func buy(_ seats: Int) -> Ticket {
    state.booked += seats
    state.tickets += 1
    return Ticket(room: name, number: state.tickets, seats: seats)
  }
}

/// A dictionary of them, behind a lock.
final class BareRooms: Sendable {
  private let rooms = Guarded<[String: BareRoom]>([:])

  subscript(name: String) -> BareRoom {
    rooms.withLock { rooms in
      if let room = rooms[name] { return room }
      let room = BareRoom(name)
      rooms[name] = room
      return room
    }
  }
}

/// The floor: the same service by hand.
struct BareService {
  let rooms = BareRooms()

  func router() -> Router<BasicRequestContext> {
    let router = Router()
    router.post("rooms/{id}/actions") { request, context in
      let action = try await request.decode(as: BookingAction.self, context: context)
      await rooms[try context.parameters.require("id")].perform(action)
      return Taken()
    }
    router.post("rooms/{id}/tickets") { request, context in
      let order = try await request.decode(as: Order.self, context: context)
      return await rooms[try context.parameters.require("id")].buy(order.seats)
    }
    router.get("rooms/{id}") { _, context in
      await rooms[try context.parameters.require("id")].state
    }
    return router
  }
}
