public import ReactorREPL
import Readline
import ReactorRuntime
public import ReactorTesting

/// A console in memory: a test types, and reads what the console shows.
///
/// ```swift
/// try await simulate { simulation in
///   let console = await TestConsole(ListScreen(), in: simulation)
///   await console.type("add milk\n")
///   #expect(console.rows == ["1. milk"])
/// }
/// ```
///
/// It runs the screen as ``/ReactorREPL/ReactorConsole`` does, with the clock of the simulation and
/// without a terminal. Each call returns when nothing can run any more. What is typed while no line
/// is read is read later, as at a terminal.
///
/// There can be any number of consoles, also in tests that run at the same time. Of reports, those
/// of the screens' own reactors are printed, and count as failures.
///
/// The line editor is a simple one, with the keys of ``ConsoleKey``. Search, undo and a user's own
/// settings are those of the line editor that is linked: test them with a
/// ``/ProgramTesting/TerminalSession``.
///
/// **Isolation**: call it in the scenario of its simulation, from one task.
///
/// Holds: `terminal`, guarded by its own lock.
public final class TestConsole: Sendable {
  /// What the console is connected to.
  public enum Place: Sendable {
    /// A terminal of that size; one that cannot paint rows if `canPaint` is false, as with
    /// `TERM=dumb`.
    case terminal(columns: Int = 80, rows: Int = 24, canPaint: Bool = true)
    /// A pipe: lines, without prompts and rows.
    case pipe
  }

  private let simulation: Simulation
  private let feed: ConsoleFeed
  private let console: ReactorConsole
  private let terminal: Guarded<TestTerminal>
  private let exit: ExitStatusBox

  /// Opens a console, and runs a screen until the first line is read.
  ///
  /// - Parameters:
  ///   - simulation: The simulation that it runs in.
  ///   - place: What it is connected to.
  ///   - isJSON: Whether all output is JSON.
  ///   - screen: Makes the screen; its argument is the console's outlet, for screens that print.
  public init<S: Screen>(
    in simulation: Simulation, at place: Place = .terminal(), isJSON: Bool = false,
    screen: (Outlet) -> S
  ) async {
    self.simulation = simulation
    let window: ConsoleWindow? =
      if case .terminal(let columns, let rows, let canPaint) = place {
        ConsoleFeed.window(columns: columns, rows: rows, canPaint: canPaint)
      } else { nil }
    let feed = ConsoleFeed(window: window)
    let console = ReactorConsole(drivenBy: feed, isJSON: isJSON, clock: simulation.clock)
    (self.feed, self.console) = (feed, console)
    let marksPastes = if case .terminal(_, _, true) = place { true } else { false }
    let terminal = TestTerminal(isPipe: window == nil, marksPastes: marksPastes)
    self.terminal = Guarded(terminal)
    let first = screen(console.outlet)
    let status = ExitStatusBox()
    exit = status
    // Without `self`, so that the console ends when the test releases it.
    PipelineTasks.inheriting { status.set(await console.run(first)) }
    await run()
  }

  /// Opens a console, and runs a screen until the first line is read.
  ///
  /// - Parameters:
  ///   - screen: The screen.
  ///   - simulation: The simulation that it runs in.
  ///   - place: What it is connected to.
  ///   - isJSON: Whether all output is JSON.
  public convenience init(
    _ screen: some Screen, in simulation: Simulation, at place: Place = .terminal(),
    isJSON: Bool = false
  ) async {
    await self.init(in: simulation, at: place, isJSON: isJSON) { _ in screen }
  }

  deinit { feed.end() }

  // MARK: Acting

  /// Types a text, key by key: `"\n"` is Enter, `"\t"` is Tab, `"\u{3}"` is Ctrl-C.
  ///
  /// - Parameter text: The text; in a pipe, what is written to it.
  public func type(_ text: String) async {
    for character in text { await press(ConsoleKey(character)) }
  }

  /// Presses a key.
  ///
  /// - Parameter key: The key.
  public func press(_ key: ConsoleKey) async {
    if key == .ctrlC, !terminal.withLock({ $0.isPipe }) {
      await run()
      perform(terminal.withLock { $0.interrupt() })
    } else {
      terminal.withLock { $0.type(key) }
    }
    await run()
  }

  /// Pastes a text: at a terminal it is part of the line until Enter.
  ///
  /// - Parameter text: The text, with its line breaks.
  public func paste(_ text: String) async {
    terminal.withLock { $0.paste(text) }
    await run()
  }

  /// Changes the size of the terminal's window.
  ///
  /// - Parameters:
  ///   - columns: The number of columns.
  ///   - rows: The number of rows.
  public func resize(columns: Int, rows: Int) async {
    let canPaint = terminal.withLock { $0.marksPastes }
    feed.publish(ConsoleFeed.window(columns: columns, rows: rows, canPaint: canPaint))
    await run()
  }

  /// Ends the input, as at the end of a file, or as a terminal that is closed.
  public func end() async {
    perform(terminal.withLock { $0.end() })
    await run()
  }

  /// Advances the simulation's clock.
  ///
  /// - Parameter duration: By how much.
  public func advance(by duration: Duration) async {
    await run()
    await simulation.advance(by: duration)
    await run()
  }

  /// Returns when nothing can run any more: call it after something outside the console has acted.
  public func settle() async { await run() }

  // MARK: Looking

  /// The text before the line.
  public var prompt: String { look { $0.prompt } }

  /// The line that is being typed.
  public var line: String { look { $0.line.text } }

  /// Whether a line is being read: at a terminal, whether there is a prompt.
  public var isReading: Bool { look { $0.isReading } }

  /// The rows below the line, without styles.
  public var rows: [String] { look { $0.rows.map(\.plain) } }

  /// The rows below the line.
  public var styledRows: [StyledText] { look { $0.rows } }

  /// All lines that were printed, to standard output or standard error, in order.
  public var said: [String] { lines { _ in true } }

  /// The lines that were printed to standard error.
  public var errors: [String] { lines { $0 } }

  /// The candidates that the last Tab has listed; none if it has completed the line.
  public var candidates: [String] { look { $0.candidates } }

  /// The whole window as text: what was printed and entered, the line, and the rows.
  public var picture: String { look { $0.picture } }

  /// The exit status of the program; `nil` while the console runs.
  public var exitStatus: Int32? {
    collect()
    return exit.value
  }

  private func lines(where isWanted: (_ isError: Bool) -> Bool) -> [String] {
    look { terminal in
      terminal.printed.filter { isWanted($0.isError) }.flatMap {
        $0.text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
      }
    }
  }

  private func look<Value: Sendable>(_ part: (TestTerminal) -> Value) -> Value {
    collect()
    return terminal.withLock { part($0) }
  }

  // MARK: Running

  /// Takes what the console has shown since the last call.
  private func collect() {
    let work = feed.takeWork()
    terminal.withLock { $0.take(work) }
  }

  /// Runs everything that can run, and reads what was typed.
  private func run() async {
    while true {
      await simulation.settle()
      collect()
      let console = console
      guard
        let actions = terminal.withLock({ $0.read { console.completion(of: $0) } })
      else { return }
      perform(actions)
    }
  }

  private func perform(_ actions: [TestTerminal.Action]) {
    for action in actions {
      switch action {
      case .line(let text): feed.deliver(.text(text))
      case .edit(let edit): feed.publish(edit)
      case .interrupts(let count): feed.publish(interrupts: count)
      case .pageTurns(let count): feed.publish(pageTurns: count)
      case .end: feed.end()
      }
    }
  }
}

/// The exit status of a console, once it has ended.
///
/// Holds: `status`, guarded by its own lock.
private final class ExitStatusBox: Sendable {
  private let status = Guarded<Int32?>(nil)

  var value: Int32? { status.withLock { $0 } }

  func set(_ status: Int32) { self.status.withLock { $0 = status } }
}
