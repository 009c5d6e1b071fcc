import Foundation
import Reactor
import ReactorREPL

/// A program for the tests to talk to: a list that follows what is typed.
///
/// With the argument `bare` nothing is painted, with `json` answers are JSON, with `log` a handler
/// of reports is set before the console runs. With `objects` the reports are JSON with characters
/// that a terminal must not receive. With `unreported` the console shows no reports. With `crate`
/// or `chest` the first screen is another one. `hold` and `overfill` wait until there is a line on
/// descriptor 3.
@main enum ConsoleFixture {
  @MainActor static func main() async {
    StandardDescriptors.reserve()
    let arguments = CommandLine.arguments
    if arguments.contains("log") {
      ReactorReports.setHandler { Outlet.standard().print("log: \($0)") }
    }
    let console = ReactorConsole(
      history: "console-fixture", isJSON: arguments.contains("json"),
      showsReports: !arguments.contains("unreported"))
    let screen = ShelfScreen(
      isBare: arguments.contains("bare"), reportsObjects: arguments.contains("objects"))
    let status =
      if arguments.contains("crate") {
        await console.run(CrateScreen())
      } else if arguments.contains("chest") {
        await console.run(ChestScreen())
      } else {
        await console.run(screen)
      }
    // A report after the console has been closed.
    if arguments.contains("log") { await screen.reactor.send(.empty).settled }
    exit(status)
  }
}

actor Shelf: LanedReactor {
  enum Action: Equatable {
    case put(String)
    case hold
    case refuse
    case warn
    case empty
    /// An effect sleeps for an hour, unless it is cancelled.
    case sleep
    /// An effect fails, and the error is not caught.
    case drop
    /// The reactor sends itself three actions more than fit into the inbox.
    case flood
    /// The effect of an ask fails.
    case ask(Reply<Int>)
    /// An effect declines.
    case decline
    /// One declines once there is a line on descriptor 3.
    case declineLater
  }

  enum Mutation {
    case put(String)
    case hold(Bool)
    case refuse
    case warn
    case empty
  }

  struct State {
    var things: [String] = []
    var isHeld = false
    @Pulse var done: String?
    @Pulse var warning: String?
    @Pulse var failure: String?
  }

  let initialState = State()
  let pipeline = Pipeline(inboxLimit: 100, through: [Porter()])

  func lane(for action: Action) -> Lane? {
    action == .hold || action == .sleep ? nil : .sequential("things")
  }

  func mutate(action: Action) -> MutationStream<Mutation> {
    switch action {
    case .put(let thing): .just(.put(thing))
    case .refuse: .just(.refuse)
    case .warn: .just(.warn)
    case .empty: .just(.empty)
    case .sleep:
      .run { emit in
        await emit(.put("a pillow"))
        try await Task.sleep(for: .seconds(3_600))
        await emit(.put("a blanket"))
      }
    case .drop: .run { _ in throw Broken() }
    case .flood: flood()
    case .ask: .run { _ in throw Broken() }
    case .decline: .run { _ in throw Full() }
    case .declineLater:
      .run { _ in
        await Self.lineOnDescriptor3()
        throw Full()
      }
    case .hold:
      .run { emit in
        await emit(.hold(true))
        await Self.lineOnDescriptor3()
        await emit(.hold(false))
      }
    }
  }

  func reduce(state: inout State, mutation: Mutation) {
    switch mutation {
    case .put(let thing):
      state.things.append(thing)
      state.done = "put \(thing)"
    case .hold(let isHeld): state.isHeld = isHeld
    case .refuse: state.failure = "the shelf refuses; try 'put'"
    case .warn: state.warning = "the shelf is nearly full"
    case .empty: state.things = []
    }
  }

  private func flood() -> MutationStream<Mutation> {
    // Nothing is dequeued meanwhile: this runs on the reactor.
    for _ in 0..<103 { send(.empty) }
    return .empty
  }

  nonisolated static func lineOnDescriptor3() async {
    await withCheckedContinuation { waiter in
      Thread.detachNewThread {
        var byte: UInt8 = 0
        while read(3, &byte, 1) == 1, byte != UInt8(ascii: "\n") {}
        waiter.resume()
      }
    }
  }
}

private struct Broken: Error, CustomStringConvertible {
  var description: String { "it is in pieces" }
}

private struct Full: ExpectedError, CustomStringConvertible {
  var description: String { "the shelf is full; try 'empty'" }
}

/// Lets nothing come to the shelf that is too heavy for it.
private struct Porter: ActionMiddleware {
  func handle<R: Reactor>(
    _ action: R.Action, in context: MiddlewareContext<R>
  ) -> ActionVerdict<R.Action> {
    guard action as? Shelf.Action == .put("an anvil") else { return .pass }
    return .drop(Heavy())
  }
}

private struct Heavy: ExpectedError, CustomStringConvertible {
  var description: String { "the shelf carries no anvil; try 'put a cup'" }
}

struct ShelfScreen: Screen {
  enum Command: ShellCommand {
    case send(Shelf.Action)
    case open, show, count
    /// The command, or the action that it waits for, takes an hour.
    case pause, wait
    /// An ask, whose effect fails.
    case ask
    /// The reactor ends, and the screen stays.
    case end
    /// The reactor ends and begins again, and the screen stays.
    case restart

    static let table = CommandTable<Self>([
      CommandSpec("put", .text("THING", "a thing"), summary: "put a thing", example: "put a cup") {
        .send(.put($0))
      },
      CommandSpec("hold", summary: "wait for a signal") { .send(.hold) },
      CommandSpec("refuse", summary: "do nothing, and say so") { .send(.refuse) },
      CommandSpec("warn", summary: "do nothing, and warn") { .send(.warn) },
      CommandSpec("sleep", summary: "sleep for an hour") { .send(.sleep) },
      CommandSpec("pause", summary: "sleep for an hour, in the command") { .pause },
      CommandSpec("wait", summary: "sleep for an hour, and wait for that") { .wait },
      CommandSpec("empty", summary: "take all things away") { .send(.empty) },
      CommandSpec("drop", summary: "let something fall") { .send(.drop) },
      CommandSpec("flood", summary: "send too much at once") { .send(.flood) },
      CommandSpec("ask", summary: "ask for something that falls") { .ask },
      CommandSpec("decline", summary: "put too much") { .send(.decline) },
      CommandSpec("overfill", summary: "put too much, and notice later") { .send(.declineLater) },
      CommandSpec("end", summary: "stop the reactor") { .end },
      CommandSpec("begin", summary: "restart the reactor") { .restart },
      CommandSpec("open", summary: "open the box") { .open },
      CommandSpec("show", summary: "print the shelf") { .show },
      CommandSpec("count", summary: "say how many things there are") { .count },
    ])
  }

  let reactor = Shelf()
  var isBare = false
  /// Whether the report on a state is JSON, with characters that JSON does not have to escape.
  var reportsObjects = false

  func perform(_ command: Command) async throws -> ScreenStep<Shelf> {
    switch command {
    case .wait: return .wait(reactor.send(.sleep))
    case .ask: return .answer("\(try await reactor.ask { .ask($0) })")
    case .pause:
      await reactor.send(.put("a pillow")).settled
      try await Task.sleep(for: .seconds(3_600))
      return .done
    case .send(let action): return .background(reactor.send(action))
    case .end:
      await reactor.stop().settled
      return .done
    case .restart:
      await reactor.restart()
      return .done
    case .open: return .open(BoxScreen())
    case .show: return .show
    case .count: return .answer("there are \(await reactor.currentState.things.count)")
    }
  }

  func prompt(of state: Shelf.State) -> String {
    "\(state.things.count)\(state.isHeld ? " held" : "") > "
  }

  func rows(of state: Shelf.State, columns: Int, height: Int) -> [StyledText] {
    guard !isBare else { return [] }
    let things = state.things.prefix(max(height - 1, 0))
    return
      ([RowBuilder.row("Shelf", .bold, columns: columns)]
      + things.map { RowBuilder.row($0, columns: columns) })
  }

  var notices: [NoticePulse<Shelf.State>] {
    [.failure(\.$failure), .warning(\.$warning), .outcome(\.$done)]
  }

  func report(of state: Shelf.State, after last: Shelf.State?) -> [String] {
    if reportsObjects { return ["{\"mark\":\"\u{2028}\u{202E}\u{7F}\u{85}\",\t\"is\":1}\r\n{}"] }
    return isBare && state.things != last?.things ?? [] ? ["\(state.things.count) things"] : []
  }

  var unpainted: UnpaintedRows? { isBare ? nil : UnpaintedRows("the shelf", printedBy: "show") }
}

/// A screen on top of another: its commands are its actions.
struct BoxScreen: Screen {
  let reactor = Box()
  let commands = CommandTable<Box.Action>([
    CommandSpec("shut", summary: "go back") { .shut }
  ])

  func prompt(of state: Box.State) -> String { "box > " }
  func rows(of state: Box.State, columns: Int, height: Int) -> [StyledText] { ["Box"] }
  func isClosed(_ state: Box.State) -> Bool { state.isShut }
  func perform(_ command: Box.Action) async -> ScreenStep<Box> { .wait(reactor.send(command)) }
}

actor Box: Reactor {
  enum Action { case shut }
  typealias Mutation = Action
  struct State { var isShut = false }

  let initialState = State()
  let pipeline = Pipeline()

  func reduce(state: inout State, mutation: Mutation) { state.isShut = true }
}
