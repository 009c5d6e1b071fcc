public import CommandShell
public import Reactor
public import Readline

/// Shows a reactor on a terminal, and defines the commands for it.
///
/// A screen needs a reactor and a table of commands; everything else has a default. If the commands
/// are the reactor's actions, nothing else has to be implemented:
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
/// Its functions are called by ``ReactorConsole/run(_:)``, isolated to no particular actor; two
/// calls of ``perform(_:)`` never run at the same time. `help` and `quit` are added to each table
/// that has no commands of these names.
public protocol Screen: Sendable {
  /// What a line can mean.
  associatedtype Command: Sendable
  /// The type of the reactor.
  associatedtype R: Reactor

  /// The reactor whose states are shown.
  ///
  /// When the screen is left, it is stopped, and its work is awaited.
  var reactor: R { get }

  /// The commands; by default the table of the command's type, if it has one.
  var commands: CommandTable<Command> { get }

  // MARK: From lines to actions

  /// Runs before the first line is read.
  ///
  /// An error that it throws is printed, and has no other effect.
  func begin() async throws

  /// Carries out a command; by default, if commands are actions, it sends them.
  ///
  /// An error that it throws is printed as `error: …`, and counts as a failure.
  ///
  /// **Cancellation**: at a terminal, Ctrl-C cancels the task in which it runs. A
  /// `CancellationError` that it throws then is not printed.
  ///
  /// - Returns: The receipt of the resulting action, to wait for, or another step.
  func perform(_ command: Command) async throws -> ScreenStep<R>

  /// Returns whether the program may end; asks the user first if something would be lost.
  func canQuit() async -> Bool

  /// Returns what is lost if the input ends now; nil if nothing is.
  func unsavedChanges(in state: R.State) -> String?

  // MARK: From states to content

  /// The text before the line being typed; it follows the state.
  func prompt(of state: R.State) -> String

  /// The rows below the line, no more than `height` and none wider than `columns`; they follow the
  /// state.
  ///
  /// Without rows, all messages appear as lines above the prompt.
  func rows(of state: R.State, columns: Int, height: Int) -> [StyledText]

  /// The prompt and the rows, including the last row for the status, and whether a spinner turns in
  /// it.
  ///
  /// Implement it for screens that draw more of this themselves.
  func content(of state: R.State) -> ScreenContent

  /// The pulses that show notices: each notice is shown once, however often a state is read.
  var notices: [NoticePulse<R.State>] { get }

  /// The lines that a pipe receives for each state, all of them before the next line is read; none
  /// by default.
  ///
  /// - Parameters:
  ///   - state: The state.
  ///   - last: The previous state; nil for the first.
  /// - Returns: Lines for standard output.
  func report(of state: R.State, after last: R.State?) -> [String]

  /// The message for terminals that cannot paint the rows; none by default.
  var unpainted: UnpaintedRows? { get }

  /// Prints what the screen shows if it is not painted; by default the rows.
  func printRows(to outlet: Outlet) async throws

  // MARK: Screens on top of one another

  /// Called when a screen on top of this one has been left.
  func screenClosed(_ other: any Screen) async

  /// Whether the screen has closed itself.
  func isClosed(_ state: R.State) -> Bool

  // MARK: Keys

  /// The completions for Tab; by default the commands.
  ///
  /// It is called for each state, and Tab uses the newest result. A function with another label,
  /// result or effect has no effect: name ``CompletingScreen`` to make the compiler report it.
  func completion(of state: R.State) -> CommandCompletion

  /// Called for each edit of the line being typed.
  ///
  /// - Returns: Whether the screen uses what is typed.
  func handleEdit(_ edit: LineEdit) -> Bool

  /// Turns pages of what the screen shows: down if `pages` is positive, else up.
  func turn(pages: Int)

  /// Called with the size of the window.
  func windowChanged(to window: ConsoleWindow)
}

/// What a line results in.
public enum ScreenStep<R: Reactor>: Sendable {
  /// Nothing further.
  case done
  /// The action of this receipt; the next line waits for its work.
  case wait(ActionReceipt<R>)
  /// The action of this receipt; a user can type meanwhile, a script waits for its work.
  case background(ActionReceipt<R>)
  /// The action of this receipt; after its work, what the screen shows is printed.
  case waitAndShow(ActionReceipt<R>)
  /// What the screen shows, printed as lines.
  case show
  /// An answer that is shown once: in the last row if there are rows, else as a line; a pipe
  /// receives it as well.
  case answer(String)
  /// Another screen, on top of this one.
  case open(any Screen)
  /// The help about all commands, or about one.
  case help(String?)
  /// Leaving for the screen below, or for the end.
  case back
  /// The end of the program.
  case quit
}

/// The message for a terminal that cannot paint a screen's rows.
public struct UnpaintedRows: Sendable {
  /// What cannot be seen: `the tasks`.
  public var subject: String
  /// The command that prints it.
  public var command: String

  /// Creates the message for these rows, which the command prints.
  public init(_ subject: String, printedBy command: String) {
    self.subject = subject
    self.command = command
  }
}

/// What a screen shows at a moment.
public struct ScreenContent: Sendable {
  /// Builds the rows, as many as fit into the window.
  public typealias Rows =
    @Sendable (_ window: ConsoleWindow, _ status: ScreenStatus, _ spinner: Spinner) ->
    [StyledText]

  /// The text before the line.
  public var prompt: String
  /// Whether work is in progress, so that the spinner turns.
  public var isBusy: Bool
  /// Builds the rows.
  public var rows: Rows

  /// Creates the content: a prompt and rows.
  public init(prompt: String, isBusy: Bool = false, rows: @escaping Rows = { _, _, _ in [] }) {
    self.prompt = prompt
    self.isBusy = isBusy
    self.rows = rows
  }
}

// MARK: Defaults

extension Screen where Command: ShellCommand {
  /// The table of the command's type.
  public var commands: CommandTable<Command> { Command.table }
}

extension Screen where Command == R.Action {
  /// Sends the action; a user can type meanwhile.
  public func perform(_ command: Command) async throws -> ScreenStep<R> {
    .background(reactor.send(command))
  }
}

extension Screen {
  /// Does nothing.
  public func begin() async throws {}
  /// Always true.
  public func canQuit() async -> Bool { true }
  /// Nothing is lost.
  public func unsavedChanges(in state: R.State) -> String? { nil }
  /// Always `> `.
  public func prompt(of state: R.State) -> String { "> " }
  /// No rows.
  public func rows(of state: R.State, columns: Int, height: Int) -> [StyledText] { [] }

  /// The prompt and the rows, with the status below them.
  public func content(of state: R.State) -> ScreenContent {
    ScreenContent(prompt: prompt(of: state)) { window, status, _ in
      guard window.paneRows > 1 else { return [] }
      let rows = rows(of: state, columns: window.columns, height: window.paneRows - 1)
      return rows.isEmpty ? [] : rows + [status.row(columns: window.columns)]
    }
  }

  /// No pulses.
  public var notices: [NoticePulse<R.State>] { [] }
  /// No lines.
  public func report(of state: R.State, after last: R.State?) -> [String] { [] }
  /// No message.
  public var unpainted: UnpaintedRows? { nil }

  /// Prints all rows, however many there are.
  public func printRows(to outlet: Outlet) async throws {
    let rows = rows(of: await reactor.currentState, columns: outlet.columns(), height: .max)
    if !rows.isEmpty { outlet.print(rows) }
  }

  /// Does nothing.
  public func screenClosed(_ other: any Screen) async {}
  /// Always false.
  public func isClosed(_ state: R.State) -> Bool { false }

  /// The commands.
  public func completion(of state: R.State) -> CommandCompletion {
    CommandCompletion(commands: commands.withHelpAndQuit.infos)
  }

  /// Does not use what is typed.
  public func handleEdit(_ edit: LineEdit) -> Bool { false }
  /// Does nothing: there are no pages.
  public func turn(pages: Int) {}
  /// Does nothing: rows are built for the current window anyway.
  public func windowChanged(to window: ConsoleWindow) {}
}
