import Foundation
import Reactor
import ReactorREPL
import Testing

// What stands on the page A reactor at the terminal, copied by hand; its first program is
// Examples/EggTimer, but for `@main`.

private actor EggTimer: LanedReactor {
  enum Action { case start(Int), stop }
  enum Mutation { case left(Int), ring }
  struct State {
    var left = 0
    @Pulse var news: String?
  }

  let initialState = State()
  let pipeline = Pipeline()

  func lane(for action: Action) -> Lane? { .latest("clock") }

  func mutate(action: Action) -> MutationStream<Mutation> {
    guard case .start(let seconds) = action else { return .just(.left(0)) }
    return .run { emit in
      for left in (1...seconds).reversed() {
        await emit(.left(left))
        try await Task.sleep(for: .seconds(1))
      }
      await emit(.ring)
    }
  }

  func reduce(state: inout State, mutation: Mutation) {
    switch mutation {
    case .left(let seconds): state.left = seconds
    case .ring: (state.left, state.news) = (0, "the eggs are done")
    }
  }
}

private struct TimerScreen: Screen {
  let reactor = EggTimer()
  let commands = CommandTable<EggTimer.Action>([
    CommandSpec(
      "start", .number("SECONDS", in: 1...3_600), summary: "count down", example: "start 270"
    ) { .start($0) },
    CommandSpec("stop", summary: "stop counting") { .stop },
  ])
  var notices: [NoticePulse<EggTimer.State>] { [.outcome(\.$news)] }
  func prompt(of state: EggTimer.State) -> String { state.left > 0 ? "\(state.left) s > " : "> " }
}

private func program() async {
  exit(await ReactorConsole(history: "egg-timer").run(TimerScreen()))
}

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

  func obey(_ command: Command) async -> ScreenStep<Shelf> {
    switch command {
    case .put(let thing): .goOn(reactor.send(.put(thing)))
    case .show: .show
    }
  }

  func rows(of state: Shelf.State, columns: Int, height: Int) -> [StyledText] {
    state.things.prefix(height).map { RowBuilder.row($0, columns: columns) }
  }
}

struct AtTheTerminalTests {
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

  @Test func `the shelf has as many rows as there is room for`() async throws {
    let screen = ShelfScreen()
    for thing in ["a cup", "a plate"] {
      guard case .goOn(let receipt) = await screen.obey(.put(thing)) else {
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
