public import CommandShell

/// Reads lines from a user at a terminal, or from a pipe, through the same calls.
///
/// On a terminal, lines are edited with readline, remembered between runs and completed with Tab.
/// Output that the program prints meanwhile appears above the prompt, and a new prompt replaces the
/// old one in place: the typed text is unchanged. Ctrl-C drops the typed line, or
/// interrupts the program if nothing is typed. Ctrl-D on an empty line ends the input.
///
/// Pasted text is inserted into the line with its line breaks, and can be edited; at Enter each of
/// its lines becomes a line of its own, in order. That needs a terminal that marks pastes, as
/// nearly all do. On others, and if the user's `.inputrc` says `set enable-bracketed-paste off`,
/// each pasted line is read at once.
///
/// If standard input or output is not a terminal, there are no prompts and no escape codes, only
/// lines.
///
/// All functions may be called from any thread, and none blocks until the user types. Only one
/// console may be open at a time; it uses standard input and output.
public final class LineConsole: Sendable {
  /// Whether standard input and output are a terminal.
  public let isInteractive: Bool

  /// Returns the words that could be at the cursor.
  ///
  /// It receives the line up to the cursor and its last word, which may be empty. Words that do not
  /// begin with that word are not offered, so it may return all words. It is called on the
  /// console's own thread, and must neither wait nor close the console.
  public typealias Completions = @Sendable (_ line: String, _ word: String) -> [String]

  /// Returns the completions for the end of a line.
  ///
  /// It receives the line up to the cursor, and decides where the word begins that is completed. It
  /// is called on the console's own thread, and must not close the console; until it returns, no
  /// key is read and nothing is drawn.
  public typealias Completer = @Sendable (_ line: String) -> LineCompletion

  let openConsole: OpenConsole
  /// The name of the file that lines are read from; nil for a terminal or a pipe.
  private let inputFile: String?

  /// Opens the console; ``close()`` restores the terminal's settings.
  ///
  /// - Parameters:
  ///   - prompt: The text before the typed line. Control characters are removed.
  ///   - historyName: The directory, under `$XDG_STATE_HOME` or `~/.local/state`, of the file that
  ///     keeps the last 1,000 lines; nil for no history file.
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

  /// Opens a console whose program decides where words begin.
  ///
  /// - Parameters:
  ///   - prompt: The text before the typed line. Control characters are removed.
  ///   - historyName: The directory of the file that keeps the last 1,000 lines, as above.
  ///   - completer: The completions for Tab; nil for none.
  ///   - ctrlD: The line that Ctrl-D on an empty line enters; nil to end the input instead.
  ///   - turnsPages: Whether PgUp and PgDn belong to the program, as ``pageTurns``, instead of the
  ///     line editor.
  public convenience init(
    prompt: String, historyName: String? = nil, completer: Completer?, ctrlD: String? = nil,
    turnsPages: Bool = false
  ) {
    precondition(
      historyName.map { !$0.isEmpty && !$0.contains("/") && $0 != ".." } ?? true,
      "The history's name must be a directory's name: choose one without \"/\".")
    let isInteractive = OpenConsole.isOnTerminal
    self.init(
      OpenConsole(
        prompt: prompt, historyName: historyName, completions: completer,
        keys: LineEditor.Keys(ctrlD: ctrlD, turnPages: turnsPages), isInteractive: isInteractive),
      isInteractive: isInteractive, inputFile: isInteractive ? nil : InputPlace.inputFile())
  }

  init(_ openConsole: OpenConsole, isInteractive: Bool, inputFile: String?) {
    self.openConsole = openConsole
    self.isInteractive = isInteractive
    self.inputFile = inputFile
  }

  deinit {
    close()
  }

  /// The lines as they arrive, until the input ends, the console is closed or the task is
  /// cancelled.
  public var lines: ConsoleLines { ConsoleLines(console: self) }

  /// Shows the prompt and returns the next line, or nil at the end of the input.
  ///
  /// No line is read before it is requested. A cancelled task receives nil at once. A line that was
  /// being delivered to it, or is typed later, is delivered to the next request. So is a line that
  /// the losing side of a race has received and returns.
  ///
  /// - Parameter isolation: The actor to wait on; leave it out.
  /// - Returns: The line, or nil if there are no more.
  public func nextLine(isolation: isolated (any Actor)? = #isolation) async -> InputLine? {
    await openConsole.coordinator.nextLine()
  }

  /// Changes the prompt, in place if it is on the screen.
  public func setPrompt(_ prompt: String) {
    openConsole.coordinator.setPrompt(prompt)
  }

  /// Prints a line to standard output, above the prompt if there is one.
  public func print(_ text: String) {
    openConsole.coordinator.show(ConsoleOutput(text, to: .output))
  }

  /// Prints a line to standard error, above the prompt if there is one.
  public func printError(_ text: String) {
    openConsole.coordinator.show(ConsoleOutput(text, to: .error))
  }

  /// The place of the line that was delivered last; nil before the first line, and if standard
  /// input is not a file.
  public var place: InputPlace? {
    let line = openConsole.coordinator.lineCount
    return line > 0 ? inputFile.map { InputPlace(file: $0, line: line) } : nil
  }

  /// Why standard input could not be read, mostly in the words of the system; nil if it could.
  ///
  /// The lines have ended then. A directory cannot be read, for example, and standard input may be
  /// closed. An error must not be mistaken for an empty input. At a terminal it is nil.
  public var inputFailure: String? { openConsole.coordinator.inputFailure }

  /// Whether printed output could not be written, if there is no terminal.
  ///
  /// The disk may be full, for example. A lost answer must not be mistaken for an empty one.
  public var hasLostOutput: Bool { openConsole.coordinator.port.hasLostOutput }

  /// Shows the remaining output and restores the terminal, with the cursor on a new line.
  ///
  /// The end of the program does the same. Afterwards there are no more lines, prompts are ignored,
  /// and output is written at once.
  public func close() {
    openConsole.close()
  }
}
