public import CommandShell

/// A program's conversation with a person, line by line; or with a pipe, by the same calls.
///
/// On a terminal, lines are edited with readline, remembered between runs and completed with
/// Tab. What the program shows meanwhile appears above the prompt, and a new prompt replaces the
/// old one in place: the half-typed line stays as it is. Ctrl-C drops the typed line, Ctrl-D on
/// an empty one ends the input.
///
/// What is pasted is text in the line, line breaks and all, which can be edited; at Enter each of
/// its lines is a line of its own, in their order. That takes a terminal that marks what is pasted,
/// as nearly all do; on others, and where a person's `.inputrc` says
/// `set enable-bracketed-paste off`, each pasted line is read at once.
///
/// Without a terminal at both ends there are no prompts and no escape codes, only lines.
///
/// Every call may come from any thread, and none waits for a person. Only one console may be
/// open at a time; it belongs to standard input and output.
public final class LineConsole: Sendable {
  /// Whether a person sits at both ends: standard input and output are a terminal.
  public let isInteractive: Bool

  /// Names the words that could stand at the cursor.
  ///
  /// It is given the line up to the cursor and its last word, which may be empty. Words that do
  /// not begin with that word are not offered, so it may return all it knows. It is called on
  /// the console's own thread, and must neither wait nor close the console.
  public typealias Completions = @Sendable (_ line: String, _ word: String) -> [String]

  /// Says what the end of a line could become.
  ///
  /// It is given the line up to the cursor, and decides itself where the word begins that is to
  /// be completed. It is called on the console's own thread, and must not close the console; while
  /// it takes its time, no key is read and nothing is drawn.
  public typealias Completer = @Sendable (_ line: String) -> LineCompletion

  let openConsole: OpenConsole

  /// Opens the console; the terminal is as it was again after ``close()``.
  ///
  /// - Parameters:
  ///   - prompt: What stands before the typed line. Control characters are left out.
  ///   - historyName: The directory, under `$XDG_STATE_HOME` or `~/.local/state`, of the file
  ///     that keeps the last 1,000 lines; nil to forget them.
  ///   - completions: The words that Tab offers; nil for none.
  public convenience init(
    prompt: String, historyName: String? = nil, completions: Completions? = nil
  ) {
    var completer: Completer?
    if let completions {
      completer = { line in LineCompletion(ofLastWordIn: line, from: completions) }
    }
    self.init(prompt: prompt, historyName: historyName, completer: completer)
  }

  /// Opens a console whose program knows itself where words begin.
  ///
  /// - Parameters:
  ///   - prompt: What stands before the typed line. Control characters are left out.
  ///   - historyName: The directory of the file that keeps the last 1,000 lines, as above.
  ///   - completer: What Tab makes of the line; nil for nothing.
  ///   - ctrlD: The line that Ctrl-D on an empty one stands for; nil for the end of the input.
  ///   - turnsPages: Whether PgUp and PgDn are the program's, as ``pageTurns``, and not the line's.
  public init(
    prompt: String, historyName: String? = nil, completer: Completer?, ctrlD: String? = nil,
    turnsPages: Bool = false
  ) {
    precondition(
      historyName.map { !$0.isEmpty && !$0.contains("/") && $0 != ".." } ?? true,
      "The history's name must be a directory's name: choose one without \"/\".")
    isInteractive = OpenConsole.isOnTerminal
    openConsole = OpenConsole(
      prompt: prompt, historyName: historyName, completions: completer,
      keys: LineEditor.Keys(ctrlD: ctrlD, turnPages: turnsPages), isInteractive: isInteractive)
  }

  deinit {
    close()
  }

  /// The lines as they come, until the input ends, the console is closed or the task cancelled.
  public var lines: ConsoleLines { ConsoleLines(console: self) }

  /// Shows the prompt and returns the next line, or nil at the end of the input.
  ///
  /// Nothing is read before it is asked for. A cancelled task gets nil at once; a line that was on
  /// its way to it, or is typed after that, goes to the next that asks. So does a line that the
  /// loser of a race has taken and returns.
  ///
  /// - Parameter isolation: The actor to wait on; leave it out.
  /// - Returns: The line, or nil when there are no more.
  public func nextLine(isolation: isolated (any Actor)? = #isolation) async -> InputLine? {
    await openConsole.desk.nextLine()
  }

  /// Changes the prompt, in place if it is on the screen.
  public func setPrompt(_ prompt: String) {
    openConsole.desk.setPrompt(prompt)
  }

  /// Shows a line on standard output, above the prompt if there is one.
  public func print(_ text: String) {
    openConsole.desk.show(ConsoleOutput(text, to: .output))
  }

  /// Shows a line on standard error, above the prompt if there is one.
  public func printError(_ text: String) {
    openConsole.desk.show(ConsoleOutput(text, to: .error))
  }

  /// Whether something that was printed could not be written, where there is no terminal.
  ///
  /// The disk may be full. An answer that is lost must not look like none.
  public var hasLostOutput: Bool { openConsole.desk.port.hasLostOutput }

  /// Shows what is still to be shown and gives the terminal back, the cursor on a fresh line.
  ///
  /// The program's end does the same. Afterwards there are no more lines, prompts go nowhere,
  /// and output is written as it comes.
  public func close() {
    openConsole.close()
  }
}
