import Reactor
import ReactorComposition
import ReactorREPL
import ReactorREPLTesting
import ReactorTesting
import TestLimits
import Testing

actor Room: Reactor {
  enum Action: Sendable { case join(String), leave(String) }
  typealias Mutation = Action
  struct State: Sendable { var guests: [String] = [] }

  let initialState = State()
  let pipeline = Pipeline()

  func reduce(state: inout State, mutation: Action) {
    switch mutation {
    case .join(let guest): state.guests.append(guest)
    case .leave(let guest): state.guests.removeAll { $0 == guest }
    }
  }
}

struct RoomScreen: HandleScreen {
  let reactor: HandleReactor<RegisteredReactor<String, Room>>
  let commands = CommandTable<Room.Action>([
    CommandSpec("join", .word("NAME", "a name"), summary: "add a guest", example: "join Ada") {
      .join($0)
    },
    CommandSpec("leave", .word("NAME", "a name"), summary: "remove a guest", example: "leave Ada") {
      .leave($0)
    },
  ])

  func prompt(of room: Room.State) -> String { "\(room.guests.count) > " }

  func rows(of room: Room.State, columns: Int, height: Int) -> [StyledText] {
    room.guests.prefix(height).map { RowBuilder.row($0, columns: columns) }
  }
}

/// The blocks of the section *A reactor behind a handle* of the page *A reactor at the terminal*.
@Suite(.bounded) struct HandleScreenSampleTests {
  @Test func `two consoles show one reactor of a registry`() async throws {
    try await simulate { simulation in
      let rooms = ReactorRegistry<String, Room>(idle: nil) { _ in Room() }
      let screen = RoomScreen(reactor: HandleReactor(rooms["lobby"]))
      let console = await TestConsole(screen, in: simulation)
      let other = await TestConsole(
        RoomScreen(reactor: HandleReactor(rooms["lobby"])), in: simulation)

      await console.type("join Ada\n")
      #expect(console.rows.first == "Ada")
      await other.settle()
      #expect(other.prompt == "1 > ")
      await other.type("leave Ada\n")
      #expect(other.prompt == "0 > ")
    }
  }
}
