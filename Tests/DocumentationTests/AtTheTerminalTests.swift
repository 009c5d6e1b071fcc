import Reactor
import ReactorREPL
import Testing
import TestLimits

@testable import EggTimer

// The samples of the page A reactor at the terminal, copied by hand; its first program is
// Examples/EggTimer.

private actor Shelf: Reactor {
  enum Action { case put(String) }
  typealias Mutation = Action
  struct State { var things: [String] = [] }

  let initialState = State()
  let pipeline = Pipeline()

  func reduce(state: inout State, mutation: Mutation) {
    switch mutation {
    case .put(let thing): state.things.append(thing)
    }
  }
}

private struct ShelfScreen: Screen {
  enum Command: ShellCommand {
    case put(String)
    case show

    static let table = CommandTable<Self>([
      CommandSpec("put", .text("THING", "a thing"), summary: "put a thing", example: "put a cup") {
        .put($0)
      },
      CommandSpec("show", summary: "print the shelf") { .show },
    ])
  }

  let reactor = Shelf()

  func perform(_ command: Command) async -> ScreenStep<Shelf> {
    switch command {
    case .put(let thing): .background(reactor.send(.put(thing)))
    case .show: .show
    }
  }

  func rows(of state: Shelf.State, columns: Int, height: Int) -> [StyledText] {
    state.things.prefix(height).map { RowBuilder.row($0, columns: columns) }
  }
}

@Suite(.bounded) struct AtTheTerminalTests {
  @Test func `the timer's help is what the page shows`() throws {
    #expect(
      try TimerScreen().commands.withHelpAndQuit.help(about: nil) == """
        start SECONDS   count down
        stop            stop counting
        help [COMMAND]  list the commands, or explain one
        quit, exit, q   leave (so does Ctrl-D)
        """)
    #expect(
      throws: CommandError("start takes a whole number, not 'soon'; try 'start 270'")
    ) { try TimerScreen().commands.command(ShellWords.split("start soon")) }
  }

  @Test func `the timer's prompt follows its state`() {
    let screen = TimerScreen()
    #expect(screen.prompt(of: EggTimer.State()) == "> ")
    #expect(screen.prompt(of: EggTimer.State(left: 269)) == "269 s > ")
  }

  @Test func `the shelf has as many rows as fit`() async throws {
    let screen = ShelfScreen()
    for thing in ["a cup", "a plate"] {
      guard case .background(let receipt) = await screen.perform(.put(thing)) else {
        Issue.record("nothing was sent")
        continue
      }
      await receipt.settled
    }
    let state = await screen.reactor.currentState
    #expect(screen.rows(of: state, columns: 3, height: 5).map(\.plain) == ["a …", "a …"])
    #expect(screen.rows(of: state, columns: 9, height: 1).map(\.plain) == ["a cup"])
  }
}
