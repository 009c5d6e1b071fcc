@_exported public import CommandShell
@_exported public import Readline
import Reactor

/// A console bound to reactors: lines become actions, and states become prompts and rows.
///
/// ```swift
/// exit(await ReactorConsole(history: "my-counter").run(CounterScreen()))
/// ```
///
/// On a terminal, lines are edited with readline, completed with Tab and remembered between runs.
/// The prompt and the rows below it follow the state while you type. Pasted text can be edited
/// until Enter, which runs each of its lines. Ctrl-C drops the typed line, or cancels the command
/// that is being executed. Ctrl-D means `quit`, and Ctrl-Z suspends the program. If standard input
/// or output is not a terminal, there are only lines: the work of each line has settled before the
/// next is read, and only requested output is printed.
///
/// The console uses standard input and output, so only one can be open at a time. It links
/// readline: GNU readline is GPL, and so is a program that links it; on Apple platforms it is
/// libedit, which is not.
public struct ReactorConsole: Sendable {
  /// The destination of answers, for screens that print.
  public let outlet: Outlet

  private let console: LineConsole
  private let currentCompletion: CurrentCompletion
  private let showsReports: Bool
  private let clock: any Clock<Duration>
  /// Whether the reports of the screens' reactors are shown, instead of all of the process.
  private let isTest: Bool

  /// Opens the console.
  ///
  /// When ``run(_:)`` returns, the terminal has its previous settings.
  ///
  /// - Parameters:
  ///   - history: The directory, under `$XDG_STATE_HOME` or `~/.local/state`, of the file that
  ///     keeps the last 1,000 lines; nil for no history file.
  ///   - isJSON: Whether all output is printed as JSON, one object on each line.
  ///   - showsReports: Whether reports that must not be lost, such as a failed effect, are shown as
  ///     failures above the prompt, as plain sentences. If true, ``run(_:)`` sets the process's
  ///     handler of `ReactorReports`, which passes each report on to the previous handler, such as
  ///     a log, and restores that one at its end. If false, setting a handler is up to you;
  ///     failed and refused actions still set the exit status.
  public init(history: String? = nil, isJSON: Bool = false, showsReports: Bool = true) {
    let currentCompletion = CurrentCompletion()
    let console = LineConsole(
      prompt: "> ", historyName: history,
      completer: { line in currentCompletion.value.completion(of: line) },
      // A line like any other: a screen may have to ask a question before it quits.
      ctrlD: "quit", turnsPages: true)
    self.init(
      console, currentCompletion,
      console.isInteractive ? Outlet.console(console) : .standard(isInteractive: false),
      isJSON: isJSON, showsReports: showsReports, clock: ContinuousClock(), isTest: false)
  }

  /// Opens a console that a test drives.
  ///
  /// Of reports, those of the screens' reactors are shown: the handler of the process belongs to no
  /// single test.
  package init(drivenBy feed: ConsoleFeed, isJSON: Bool, clock: any Clock<Duration>) {
    let console = LineConsole(drivenBy: feed)
    self.init(
      console, CurrentCompletion(), .console(console), isJSON: isJSON, showsReports: true,
      clock: clock, isTest: true)
  }

  private init(
    _ console: LineConsole, _ currentCompletion: CurrentCompletion, _ outlet: Outlet, isJSON: Bool,
    showsReports: Bool, clock: any Clock<Duration>, isTest: Bool
  ) {
    self.console = console
    self.currentCompletion = currentCompletion
    self.showsReports = showsReports
    self.clock = clock
    self.isTest = isTest
    var outlet = outlet
    outlet.isJSON = isJSON
    outlet.place = { [console] in console.place }
    self.outlet = outlet
  }

  /// The completions for the end of a line, by the top screen.
  package func completion(of line: String) -> LineCompletion {
    currentCompletion.value.completion(of: line)
  }

  /// Reads lines until the input ends or a line is `quit`, then closes the console.
  ///
  /// By then the reactors of all screens are stopped and their work has ended, unless a second
  /// `quit` cancelled it. Call it once.
  ///
  /// - Parameter screen: The first screen; others may open on top of it.
  /// - Returns: The program's exit status: 1 if there is no terminal and a line was not understood
  ///   or not carried out, or the input could not be read, else 0.
  public func run(_ screen: some Screen) async -> Int32 {
    let stack =
      console.isInteractive
      ? ScreenStack(
        console, outlet: outlet, currentCompletion: currentCompletion, clock: clock) : nil
    let reports =
      showsReports
      ? ReportPrinter(clock: clock) { [outlet] in outlet.printFailure($0) } : nil
    let record = FailureCount()
    let loop = ScreenLoop(
      console: console, stack: stack, outlet: outlet, reports: reports, clock: clock,
      reportListener: isTest ? reports.map { handler($0, record, after: nil) } : nil,
      record: record)
    if let reports, !isTest {
      let previous = ReactorReports.replaceHandler { handler(reports, record, after: $0) }
      _ = await loop.run(screen)
      ReactorReports.setHandler(previous)
      reports.flush()
    } else {
      _ = await loop.run(screen)
      reports?.flush()
    }
    if let reason = console.inputFailure {
      loop.fail("cannot read the commands from standard input: \(reason)")
    }
    console.close()
    return console.isInteractive || loop.record.isClean ? 0 : 1
  }

  /// Shows reports to the user, and passes them on to the previous handler, for the developer.
  ///
  /// Written to standard error, reports would overwrite the rows or the typed line.
  private func handler(
    _ reports: ReportPrinter, _ record: FailureCount, after previous: ReactorReports.Handler?
  ) -> ReactorReports.Handler {
    { report in
      previous?(report)
      guard !report.isRoutine else { return }
      record.fail()
      reports.report(report.userText)
    }
  }
}
