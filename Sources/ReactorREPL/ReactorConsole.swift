@_exported public import CommandShell
@_exported public import Readline
import Reactor

/// A console bound to reactors: lines become actions, states become prompts and rows.
///
/// ```swift
/// exit(await ReactorConsole(history: "my-counter").run(CounterScreen()))
/// ```
///
/// On a terminal, lines are edited with readline, completed with Tab and remembered between runs;
/// the prompt and the rows below it follow the state while you type. What is pasted is text until
/// Enter, which runs each of its lines. Ctrl-C drops the typed line, Ctrl-D means `quit`, Ctrl-Z
/// leaves the program for a while. Without a terminal at both ends there are only lines: each is
/// settled before the next is read, and only what is asked for is printed.
///
/// It belongs to standard input and output, so there is one at a time. It links readline: GNU
/// readline is GPL, and so is a program that links it; on Apple platforms it is libedit, which is
/// not.
public struct ReactorConsole: Sendable {
  /// Where answers go: for screens that print.
  public let outlet: Outlet

  private let console: LineConsole
  private let completions = Completions()
  private let showsReports: Bool

  /// Opens the console; the terminal is as it was again when ``run(_:)`` returns.
  ///
  /// - Parameters:
  ///   - history: The directory, under `$XDG_STATE_HOME` or `~/.local/state`, of the file that
  ///     keeps the last 1,000 lines; nil to forget them.
  ///   - isJSON: Whether failures, help and records are printed as JSON, one value a line.
  ///   - showsReports: Whether what must not vanish, an effect that failed say, is shown as a
  ///     failure, above the prompt: then ``run(_:)`` sets the process's handler of
  ///     `ReactorReports`, and takes it away at its end. Else that is yours to set.
  public init(history: String? = nil, isJSON: Bool = false, showsReports: Bool = true) {
    self.showsReports = showsReports
    let completions = completions
    console = LineConsole(
      prompt: "> ", historyName: history,
      completer: { line in completions.now.completion(of: line) },
      // A line like others: a screen may have something to ask first.
      ctrlD: "quit", turnsPages: true)
    var outlet = console.isInteractive ? Outlet.console(console) : .standard(isPerson: false)
    outlet.isJSON = isJSON
    self.outlet = outlet
  }

  /// Reads lines until they end or one of them is `quit`, then closes the console.
  ///
  /// The reactors of all screens are stopped by then, and their work has ended; unless a
  /// second `quit` has cut that short. To be called once.
  ///
  /// - Parameter screen: What is seen first; others may open on top of it.
  /// - Returns: The program's exit status: 1 if there is no terminal and something was not
  ///   understood or not done, else 0.
  public func run(_ screen: some Screen) async -> Int32 {
    let stage = console.isInteractive ? Stage(console, completions: completions) : nil
    let conversation = Conversation(console: console, stage: stage, outlet: outlet)
    if showsReports { show(reportsTo: conversation.record) }
    _ = await conversation.run(screen)
    if showsReports { ReactorReports.setHandler(nil) }
    console.close()
    return console.isInteractive || conversation.record.isClean ? 0 : 1
  }

  /// On standard error they would be written into the rows, or the line that is typed.
  private func show(reportsTo record: Record) {
    ReactorReports.setHandler { [outlet] report in
      guard !report.isRoutine else { return }
      record.fail()
      outlet.printFailure("\(report)")
    }
  }
}
