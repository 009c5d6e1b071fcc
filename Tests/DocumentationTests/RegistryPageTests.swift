import Reactor
import ReactorComposition
import TestLimits
import TestSupport
import Testing

// The samples on registries of the page Many reactors by key, copied by hand.

@Suite(.bounded) struct RegistryPageTests {
  typealias RoomID = String

  /// Where rooms are kept while they are not used.
  struct RoomStore: Sendable {
    let loaded = Log<RoomID>()

    func load(_ id: RoomID) async throws -> Room.State {
      loaded.append(id)
      return Room.State(id: id)
    }
  }

  actor Room: Reactor {
    enum Action { case open, reserve(Int, Reply<Ticket>) }
    enum Mutation { case opened, sold(Int) }
    struct State { var id: RoomID, isOpen = false, free = 5 }

    let initialState: State
    let pipeline = Pipeline()

    init(_ state: State) { initialState = state }

    func mutate(action: Action) -> MutationStream<Mutation> {
      switch action {
      case .open: return .just(.opened)
      case .reserve(let seats, let reply):
        reply(Ticket(room: currentState.id, seats: seats))
        return .just(.sold(seats))
      }
    }

    func reduce(state: inout State, mutation: Mutation) {
      switch mutation {
      case .opened: state.isOpen = true
      case .sold(let seats): state.free -= seats
      }
    }
  }

  @Test func `one for each key`() async throws {
    let (store, shown) = (RoomStore(), Log<Room.State>())
    @Sendable func show(_ state: Room.State) { shown.append(state) }
    let rooms = ReactorRegistry<RoomID, Room>(idle: .seconds(60)) { id in
      Room(try await store.load(id))
    }

    try await rooms["lobby"].send(.open)
    let ticket = try await rooms["lobby"].ask { .reserve(2, $0) }
    let watching = Task {
      for try await state in rooms["lobby"].state { show(state) }
    }
    #expect(ticket == Ticket(room: "lobby", seats: 2))
    #expect(await shown.entries(upTo: 1).first?.free == 3)
    watching.cancel()
    _ = await watching.result
    #expect(store.loaded.entries == ["lobby"])
    await rooms.stop()
  }

  @Test func `a state is read once, as it is shown or as it is`() async throws {
    let rooms = ReactorRegistry<RoomID, Room>(idle: .seconds(60)) { id in Room(Room.State(id: id)) }

    /// As observers see it: of a journaled reactor, what no crash takes back. Any handle has it.
    func shown(_ id: RoomID) async throws -> Room.State? {
      for try await state in rooms[id].state { return state }
      return nil
    }

    /// As it is reduced so far, which is ahead of the journal.
    func reduced(_ id: RoomID) async throws -> Room.State {
      try await rooms.with(id) { await $0.currentState }
    }

    _ = try await rooms["lobby"].ask { .reserve(2, $0) }
    #expect(try await shown("lobby")?.free == 3)
    #expect(try await reduced("lobby").free == 3)
    await rooms.stop()
  }
}
