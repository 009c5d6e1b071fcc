public import CommandShell
public import Reactor
public import Readline

/// What a person sees of a reactor on a terminal, and what they can ask of it.
///
/// A screen needs a reactor and a table of commands; all else is there by default. Where the
/// commands are the reactor's actions, there is nothing to be said of what they do:
///
/// ```swift
/// struct CounterScreen: Screen {
///   let reactor = Counter()
///   let commands = CommandTable<Counter.Action>([
///     CommandSpec("add", .number(), summary: "add N", example: "add 5") { .add($0) },
///   ])
///   func prompt(of state: Counter.State) -> String { "\(state.value) > " }
/// }
/// ```
///
/// Its functions are called by ``ReactorConsole/run(_:)``, on no actor in particular, never two of
/// ``obey(_:)`` at a time. `help` and `quit` are added to each table that has no commands of these
/// names.
public protocol Screen: Sendable {
  /// What a line can mean.
  associatedtype Command: Sendable
  /// Whose states are shown.
  associatedtype R: Reactor

  /// Whose states are shown; it is stopped, and its work waited for, when the screen is left.
  var reactor: R { get }

  /// What can be asked for; that of the command's own type if it has one.
  var commands: CommandTable<Command> { get }

  // MARK: Lines become actions

  /// Does what is to be done before the first line. What it throws is printed, and no more.
  func begin() async throws

  /// Does what a line asks for; where commands are actions, it sends them.
  ///
  /// What it throws is printed as `error: …`, and counts as not done.
  ///
  /// - Returns: The receipt of the action that this became, to wait for; or where to go.
  func obey(_ command: Command) async throws -> ScreenStep<R>

  /// Whether the program may end; if something would be lost, it asks first.
  func agreesToQuit() async -> Bool

  /// What is lost if the input ends now; nil if nothing is.
  func loss(in state: R.State) -> String?

  // MARK: States become pictures

  /// What stands before the line that is being typed; follows the state.
  func prompt(of state: R.State) -> String

  /// The rows below the line, no more than `height` and none wider than `columns`; follow the
  /// state.
  ///
  /// Without rows, all that is said appears as lines above the prompt.
  func rows(of state: R.State, columns: Int, height: Int) -> [StyledText]

  /// Prompt, rows, the last of them for what happens, and whether a spinner turns in it: for
  /// screens that draw more of this themselves.
  func picture(of state: R.State) -> Picture

  /// The pulses that tell of something: each is told once, however often the state is looked at.
  var notices: [NoticePulse<R.State>] { get }

  /// What a pipe is told of each state as it comes, all of them before the next line is read;
  /// nothing by default.
  ///
  /// - Parameters:
  ///   - state: The state.
  ///   - last: The one before; nil for the first.
  /// - Returns: Lines for standard output.
  func report(of state: R.State, after last: R.State?) -> [String]

  /// What is said where the rows cannot be painted; nothing by default.
  var unpainted: UnpaintedRows? { get }

  /// Prints what the screen shows, where it is not painted; the rows by default.
  func printSeen(to outlet: Outlet) async throws

  // MARK: Screens on top of one another

  /// Hears how a screen ended that was on top of this one.
  func uncovered(by other: any Screen) async

  /// Whether the screen has closed itself.
  func isClosed(_ state: R.State) -> Bool

  // MARK: Keys

  /// What Tab knows of; the commands by default.
  func completion(of state: R.State) -> CommandCompletion

  /// Hears what is being typed.
  ///
  /// - Returns: Whether the screen follows what is typed.
  func hears(_ edit: LineEdit) -> Bool

  /// Turns pages of what it shows: down if there are more than none, else up.
  func turn(pages: Int)

  /// Fits the window.
  func fits(_ window: ConsoleWindow)
}

/// What comes of a line.
public enum ScreenStep<R: Reactor>: Sendable {
  /// Nothing more.
  case done
  /// What an action brings: the next line waits for it.
  case wait(ActionReceipt<R>)
  /// What an action brings: a person may type meanwhile, a script waits for it.
  case goOn(ActionReceipt<R>)
  /// What an action brings; what the screen shows is printed then.
  case look(ActionReceipt<R>)
  /// What the screen shows, printed as lines.
  case show
  /// An answer, to be told once: in the last row where there are rows, else as a line; a pipe is
  /// told it, too.
  case say(String)
  /// Another screen, on top of this one.
  case open(any Screen)
  /// What there is to tell about all commands, or about one.
  case help(String?)
  /// The screen below, or the end.
  case back
  /// The end of the program.
  case quit
}

/// What is said where a terminal cannot paint a screen's rows.
public struct UnpaintedRows: Sendable {
  /// What cannot be seen: `the tasks`.
  public var subject: String
  /// The command that prints it.
  public var command: String

  /// These rows, printed by that command.
  public init(_ subject: String, printedBy command: String) {
    self.subject = subject
    self.command = command
  }
}

/// How a screen looks at a moment.
public struct Picture: Sendable {
  /// Makes the rows, as many as the window has room for.
  public typealias Rows =
    @Sendable (_ window: ConsoleWindow, _ status: ScreenStatus, _ spinner: Spinner) ->
    [StyledText]

  /// What stands before the line.
  public var prompt: String
  /// Whether something is under way, so that the spinner turns.
  public var isBusy: Bool
  /// Makes the rows.
  public var rows: Rows

  /// A picture of a prompt and rows.
  public init(prompt: String, isBusy: Bool = false, rows: @escaping Rows = { _, _, _ in [] }) {
    self.prompt = prompt
    self.isBusy = isBusy
    self.rows = rows
  }
}

// MARK: What is there by default

extension Screen where Command: ShellCommand {
  /// That of the command's type.
  public var commands: CommandTable<Command> { Command.table }
}

extension Screen where Command == R.Action {
  /// Sends the action; a person may type meanwhile.
  public func obey(_ command: Command) async throws -> ScreenStep<R> {
    .goOn(reactor.send(command))
  }
}

extension Screen {
  /// Nothing.
  public func begin() async throws {}
  /// It may.
  public func agreesToQuit() async -> Bool { true }
  /// Nothing.
  public func loss(in state: R.State) -> String? { nil }
  /// Always `> `.
  public func prompt(of state: R.State) -> String { "> " }
  /// None.
  public func rows(of state: R.State, columns: Int, height: Int) -> [StyledText] { [] }

  /// The prompt and the rows, and under these what happens.
  public func picture(of state: R.State) -> Picture {
    Picture(prompt: prompt(of: state)) { window, status, _ in
      guard window.paneRows > 1 else { return [] }
      let rows = rows(of: state, columns: window.columns, height: window.paneRows - 1)
      return rows.isEmpty ? [] : rows + [status.row(columns: window.columns)]
    }
  }

  /// None.
  public var notices: [NoticePulse<R.State>] { [] }
  /// Nothing.
  public func report(of state: R.State, after last: R.State?) -> [String] { [] }
  /// Nothing.
  public var unpainted: UnpaintedRows? { nil }

  /// The rows, however many there are.
  public func printSeen(to outlet: Outlet) async throws {
    let rows = rows(of: await reactor.currentState, columns: outlet.columns(), height: .max)
    if !rows.isEmpty { outlet.print(rows) }
  }

  /// Nothing comes of it.
  public func uncovered(by other: any Screen) async {}
  /// It does not.
  public func isClosed(_ state: R.State) -> Bool { false }

  /// The commands.
  public func completion(of state: R.State) -> CommandCompletion {
    CommandCompletion(commands: commands.withHelpAndQuit.infos)
  }

  /// It does not follow what is typed.
  public func hears(_ edit: LineEdit) -> Bool { false }
  /// There are none.
  public func turn(pages: Int) {}
  /// It does so anyhow.
  public func fits(_ window: ConsoleWindow) {}
}
