package import CommandShell

/// The reader's side of a console that a program drives instead of a thread, without a terminal: a
/// test types into it, and reads what the console shows.
///
/// It uses neither standard input nor standard output, so there can be any number of them.
package struct ConsoleFeed: Sendable {
  /// What has changed since the last call of ``takeWork()``.
  package struct Work: Sendable {
    /// The printed lines, in order, without their last line feed.
    package var printed: [(text: String, isError: Bool)]
    /// The prompt.
    package var prompt: String
    /// The rows, if they have changed.
    package var rows: [StyledText]?
    /// Whether a line is requested.
    package var wantsLine: Bool
  }

  /// Whether the console behaves as at a terminal, or as in a pipe.
  let isInteractive: Bool
  let coordinator: ConsoleCoordinator

  /// Creates the side of a console at a terminal with a window, or of one in a pipe for `nil`.
  package init(window: ConsoleWindow?) {
    isInteractive = window != nil
    let traits = TerminalTraits(canPaint: (window?.paneRows ?? 0) > 0, showsStyles: false)
    guard
      let coordinator = ConsoleCoordinator(
        prompt: "", isInteractive: isInteractive, traits: traits,
        window: window ?? ConsoleWindow(columns: 80, rows: 24, paneRows: 0), queuesOutput: true)
    else {
      preconditionFailure("No pipe for the console: the system's limit of open files is reached.")
    }
    self.coordinator = coordinator
  }

  /// The window of a terminal with cursor addressing.
  package static func window(columns: Int, rows: Int, canPaint: Bool) -> ConsoleWindow {
    ConsoleWindow(
      columns: columns, rows: rows, paneRows: canPaint ? ConsoleWindow.paneLimit(rows: rows) : 0)
  }

  // MARK: The reader

  package func takeWork() -> Work {
    let work = coordinator.takeWork()
    let printed = work.outputs.map { output in
      let text = String(decoding: output.bytes.dropLast(), as: UTF8.self)
      return (text: text, isError: output.destination == .error)
    }
    return Work(
      printed: printed, prompt: work.prompt, rows: work.pane, wantsLine: work.wantsLine)
  }

  package func deliver(_ line: InputLine) { coordinator.deliver(line) }

  package func publish(_ edit: LineEdit) { coordinator.edits.publish(edit) }

  package func publish(_ window: ConsoleWindow) { coordinator.windows.publish(window) }

  /// Publishes the number of Ctrl-C that have dropped no text.
  package func publish(interrupts: Int) { coordinator.interrupts.publish(interrupts) }

  /// Publishes the number of pages turned: down minus up.
  package func publish(pageTurns: Int) { coordinator.pageTurns.publish(pageTurns) }

  /// Ends the input.
  package func end() { coordinator.endLines() }
}

extension LineConsole {
  /// Creates a console that a program drives.
  package convenience init(drivenBy feed: ConsoleFeed) {
    self.init(
      OpenConsole(drivenBy: feed.coordinator), isInteractive: feed.isInteractive, inputFile: nil)
  }
}
