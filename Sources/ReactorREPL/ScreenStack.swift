import CommandShell
import Reactor
import ReactorRuntime
import Readline

/// The open screens, one on top of the other; the window shows the top one.
actor ScreenStack {
  typealias Layer = Int

  private let console: LineConsole
  private let outlet: Outlet
  private let currentCompletion: CurrentCompletion
  private let clock: any Clock<Duration>

  private var layers: [(layer: Layer, content: ScreenContent?, completion: CommandCompletion?)] = []
  private var opened = 0
  private var message: ScreenStatus.Message?
  private var help: HelpView?
  private var unpainted: UnpaintedRows?
  private var hasReportedUnpaintedRows = false
  private var spinner = Spinner()
  private var turning: Task<Void, Never>?

  /// Creates a stack without screens.
  ///
  /// - Parameters:
  ///   - console: The console that shows them.
  ///   - outlet: Prints messages if there are no rows.
  ///   - currentCompletion: Receives the top screen's completion, for Tab.
  ///   - clock: The clock that turns the spinner.
  init(
    _ console: LineConsole, outlet: Outlet, currentCompletion: CurrentCompletion,
    clock: any Clock<Duration>
  ) {
    self.console = console
    self.outlet = outlet
    self.currentCompletion = currentCompletion
    self.clock = clock
  }

  // MARK: Screens

  /// Puts a screen on top.
  func open(unpainted: UnpaintedRows?) -> Layer {
    self.unpainted = self.unpainted ?? unpainted
    opened += 1
    help = nil
    layers.append((opened, nil, nil))
    reportUnpaintedRows()
    return opened
  }

  /// Removes a screen; the one below is shown again, in its current state.
  func close(_ layer: Layer) {
    layers.removeAll { $0.layer == layer }
    help = nil
    draw()
  }

  func isOnTop(_ layer: Layer) -> Bool { layers.last?.layer == layer }

  /// Shows a screen's content: now if the screen is on top, else when it is again.
  func show(_ content: ScreenContent, _ completion: CommandCompletion, on layer: Layer) {
    guard let place = layers.firstIndex(where: { $0.layer == layer }) else { return }
    layers[place].content = content
    layers[place].completion = completion
    if isOnTop(layer) { draw() }
  }

  // MARK: Messages

  /// Shows a message in the last row, or as a line if there are no rows.
  func showMessage(_ text: String) {
    guard hasRows else { return outlet.printMessage(text) }
    message = .notice(text)
    draw()
  }

  /// Removes the message about the previous line, after a new line was typed.
  func clearMessage() {
    guard message != nil || help != nil else { return }
    (message, help) = (nil, nil)
    draw()
  }

  /// Handles a new size of the window.
  func windowChanged() {
    reportUnpaintedRows()
    draw()
  }

  /// Prints once that the rows are not painted, and which command prints them.
  private func reportUnpaintedRows() {
    guard outlet.paintedWindow() == nil else { return hasReportedUnpaintedRows = false }
    guard let unpainted, !hasReportedUnpaintedRows else { return }
    hasReportedUnpaintedRows = true
    let reason =
      console.canPaint
      ? "the window is too low to show \(unpainted.subject), which takes "
        + "\(ConsoleWindow.leastRows) rows"
      : "this terminal cannot show \(unpainted.subject) beside what is typed"
    outlet.printMessage("\(reason): '\(unpainted.command)' prints them")
  }

  // MARK: Help

  /// The result of turning a page of the help.
  enum HelpTurn {
    case noHelp, turned
    /// There is no page in that direction.
    case end
  }

  /// Shows help over the screen, page by page, unless it fits above the prompt.
  ///
  /// - Returns: Whether it is shown; otherwise the caller prints it.
  func showHelp(_ text: String) -> Bool {
    let window = console.window
    let help = HelpView(text: text)
    // If nothing is painted below the prompt, lines scroll as elsewhere.
    if outlet.paintedWindow() != nil, !hasRows { return false }
    // The prompt needs a row as well.
    guard help.height(columns: window.columns) >= window.rows - window.paneRows else {
      return false
    }
    guard outlet.paintedWindow() != nil else { return printHelp(help, rows: window.rows - 2) }
    self.help = help
    draw()
    return true
  }

  /// If nothing can be painted, one page is printed, and Enter prints the next.
  private func printHelp(_ view: HelpView, rows: Int) -> Bool {
    var view = view
    outlet.printMessage(view.takePage(rows: max(1, rows), columns: console.window.columns))
    help = view.isEmpty ? nil : view
    return true
  }

  /// Turns pages of the help: down if `pages` is positive, else up.
  func turnHelp(by pages: Int) -> HelpTurn {
    guard var help else { return .noHelp }
    guard let window = outlet.paintedWindow() else {
      _ = printHelp(help, rows: console.window.rows - 2)
      return .turned
    }
    guard help.turn(by: pages, columns: window.columns, height: window.paneRows) else {
      return .end
    }
    self.help = help
    draw()
    return .turned
  }

  /// Removes the help, because something else is to be shown.
  func dismissHelp() {
    guard help != nil else { return }
    help = nil
    draw()
  }

  // MARK: Drawing

  private func draw() {
    guard let top = layers.last, let content = top.content else { return }
    if let completion = top.completion { currentCompletion.set(completion) }
    console.setPrompt(content.prompt)
    paint(content)
    if content.isBusy { startTurning() }
  }

  private func paint(_ content: ScreenContent) {
    guard console.canPaint else { return }
    if let help, let window = outlet.paintedWindow() {
      let status = ScreenStatus(message: message)
      return console.paint(
        help.rows(columns: window.columns, height: window.paneRows, status: status))
    }
    console.paint(content.rows(console.window, ScreenStatus(message: message), spinner))
  }

  private func startTurning() {
    guard turning == nil, console.canPaint else { return }
    turning = PipelineTasks.inheriting {
      while isBusy {
        guard (try? await clock.sleep(for: Spinner.interval)) != nil else { break }
        spinner.turn()
        if let content = layers.last?.content, content.isBusy { paint(content) }
      }
      turning = nil
    }
  }

  /// Whether the top screen has rows, and the window space for them.
  private var hasRows: Bool {
    guard let window = outlet.paintedWindow(), let content = layers.last?.content else {
      return false
    }
    return !content.rows(window, ScreenStatus(), spinner).isEmpty
  }

  private var isBusy: Bool { layers.last?.content?.isBusy ?? false }
}
