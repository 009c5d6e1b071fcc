public import CommandShell

extension LineConsole {
  /// Whether rows can be painted: on a terminal that can put the cursor anywhere.
  ///
  /// Where it is false, and where the window has no room for a pane, a program prints its rows
  /// as lines when they are asked for.
  public var canPaint: Bool { openConsole.desk.traits.canPaint }

  /// The window as it is now; without a terminal it has no pane, and 80 by 24 places.
  public var window: ConsoleWindow {
    openConsole.desk.windows.current ?? ConsoleWindow(columns: 80, rows: 24, paneRows: 0)
  }

  /// The window now and each time it changes; ends when the console is closed.
  ///
  /// Who is slow misses sizes that are no longer true.
  public var windows: AsyncStream<ConsoleWindow> { openConsole.desk.windows.values() }

  /// Shows rows in a pane at the bottom of the window, below the prompt.
  ///
  /// Only rows that differ from those on the screen are written, and nothing of the line that is
  /// being typed; what is printed scrolls above. If rows come faster than the terminal takes
  /// them, the newest are shown. Rows beyond ``ConsoleWindow/paneRows`` are left out; a row too
  /// wide for the window is cut by the terminal, in its last column. A pane grows when it is
  /// given more rows, and keeps its room when it is given fewer; with none at all it disappears.
  ///
  /// When the window's size changes the rows stay, as far as there is room: paint again, to the
  /// new ``window``. Where nothing can be painted this does nothing.
  ///
  /// - Parameter rows: The rows, top to bottom.
  public func paint(_ rows: [StyledText]) {
    openConsole.desk.paint(rows)
  }

  /// What happens to the line being typed from now on; ends when the console is closed.
  ///
  /// For search as you type. Who is slow misses what has been overtaken: only the last is true.
  /// Without a terminal there are none.
  public var edits: AsyncStream<LineEdit> { openConsole.desk.edits.values() }

  /// How many pages have been turned with PgDn, less those with PgUp; now, and each time it
  /// changes.
  ///
  /// A sum, so that who is slow misses none. The keys turn pages only in a console that was opened
  /// with `turnsPages`. Ends when the console is closed.
  public var pageTurns: AsyncStream<Int> { openConsole.desk.pageTurns.values() }

  /// Shows a line on standard output, above the prompt if there is one, with its styles if
  /// they can be seen.
  ///
  /// They cannot without a terminal, on a dumb one, and where `NO_COLOR` is set and not empty.
  public func print(_ text: StyledText) {
    openConsole.desk.show(text, on: .output)
  }

  /// Shows a line on standard error, above the prompt if there is one, with its styles if they
  /// can be seen.
  public func printError(_ text: StyledText) {
    openConsole.desk.show(text, on: .error)
  }
}
