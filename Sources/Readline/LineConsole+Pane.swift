public import CommandShell

extension LineConsole {
  /// Whether rows can be painted: on a terminal with cursor addressing.
  ///
  /// If it is false, or if the window has no space for a pane, a program prints its rows as lines
  /// on request.
  public var canPaint: Bool { openConsole.coordinator.traits.canPaint }

  /// The current window; without a terminal it is 80 by 24, without a pane.
  public var window: ConsoleWindow {
    openConsole.coordinator.windows.current ?? ConsoleWindow(columns: 80, rows: 24, paneRows: 0)
  }

  /// The current window and each change; ends when the console is closed.
  ///
  /// A slow reader misses sizes that are no longer current.
  public var windows: AsyncStream<ConsoleWindow> { openConsole.coordinator.windows.values() }

  /// Shows rows in a pane at the bottom of the window, below the prompt.
  ///
  /// Only rows that differ from those on the screen are written, and the typed line is not redrawn;
  /// printed lines scroll above. If rows arrive faster than the terminal accepts them, the newest
  /// are shown. Rows beyond ``ConsoleWindow/paneRows`` are omitted; the terminal truncates a row
  /// that is too wide in its last column. The pane grows for more rows, and keeps its height for
  /// fewer; with no rows it disappears.
  ///
  /// When the window's size changes, the rows stay as far as they fit: paint again, for the new
  /// ``window``. If nothing can be painted, this does nothing.
  ///
  /// - Parameter rows: The rows, top to bottom.
  public func paint(_ rows: [StyledText]) {
    openConsole.coordinator.paint(rows)
  }

  /// The edits of the line being typed from now on; ends when the console is closed.
  ///
  /// Use it for search as you type. A slow reader misses edits that newer ones have replaced.
  /// Without a terminal there are none.
  public var edits: AsyncStream<LineEdit> { openConsole.coordinator.edits.values() }

  /// An element for each Ctrl-C from now on that has dropped no text, since no line was typed or
  /// the line was empty; ends when the console is closed.
  ///
  /// Use it to cancel work. An element is the number of these so far: a slow reader misses numbers
  /// that newer ones have replaced. Without a terminal there are none.
  public var interrupts: AsyncStream<Int> { openConsole.coordinator.interrupts.values() }

  /// The number of pages turned with PgDn minus those turned with PgUp: the current value, then
  /// each change.
  ///
  /// It is a sum, so that a slow reader misses none. The keys turn pages only in a console that was
  /// opened with `turnsPages`. Ends when the console is closed.
  public var pageTurns: AsyncStream<Int> { openConsole.coordinator.pageTurns.values() }

  /// Prints a line to standard output, above the prompt if there is one, with its styles if they
  /// can be shown.
  ///
  /// Styles are not shown without a terminal, on a dumb terminal, and if `NO_COLOR` is set and not
  /// empty.
  public func print(_ text: StyledText) {
    openConsole.coordinator.show(text, on: .output)
  }

  /// Prints a line to standard error, above the prompt if there is one, with its styles if they can
  /// be shown.
  public func printError(_ text: StyledText) {
    openConsole.coordinator.show(text, on: .error)
  }
}
