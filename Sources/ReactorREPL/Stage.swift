import CommandShell
import Reactor
import Readline

/// The screens that are open, one on top of the other; the window shows the top one.
actor Stage {
  typealias Layer = Int

  private let console: LineConsole
  private let outlet: Outlet
  private let completions: Completions
  private let clock: any Clock<Duration>

  private var layers: [(layer: Layer, picture: Picture?, completion: CommandCompletion?)] = []
  private var opened = 0
  private var message: ScreenStatus.Message?
  private var help: HelpView?
  private var unpainted: UnpaintedRows?
  private var hasSaidThereIsNoRoom = false
  private var spinner = Spinner()
  private var turning: Task<Void, Never>?

  /// A stage without screens.
  ///
  /// - Parameters:
  ///   - console: Where they are seen.
  ///   - completions: What Tab goes by; told what the top screen knows.
  ///   - clock: What turns the spinner.
  init(
    _ console: LineConsole, completions: Completions,
    clock: any Clock<Duration> = ContinuousClock()
  ) {
    self.console = console
    outlet = .console(console)
    self.completions = completions
    self.clock = clock
  }

  // MARK: Screens

  /// Puts a screen on top.
  func open(unpainted: UnpaintedRows?) -> Layer {
    self.unpainted = self.unpainted ?? unpainted
    opened += 1
    help = nil
    layers.append((opened, nil, nil))
    sayWhereThereIsNoRoom()
    return opened
  }

  /// Takes a screen away; the one below is seen again, as it is by now.
  func close(_ layer: Layer) {
    layers.removeAll { $0.layer == layer }
    help = nil
    draw()
  }

  func isOnTop(_ layer: Layer) -> Bool { layers.last?.layer == layer }

  /// Shows how a screen looks now, if it is on top; else when it is again.
  func show(_ picture: Picture, _ completion: CommandCompletion, on layer: Layer) {
    guard let place = layers.firstIndex(where: { $0.layer == layer }) else { return }
    layers[place].picture = picture
    layers[place].completion = completion
    if isOnTop(layer) { draw() }
  }

  // MARK: Messages

  /// Says something in the last row; where there is none, in a line.
  func say(_ text: String) {
    guard hasRows else { return outlet.say(text) }
    message = .notice(text)
    draw()
  }

  /// A new line has been typed: what was said about the last one is over.
  func hush() {
    guard message != nil || help != nil else { return }
    (message, help) = (nil, nil)
    draw()
  }

  /// The window has another size.
  func refit() {
    sayWhereThereIsNoRoom()
    draw()
  }

  /// Says once that the rows are not painted, and by which command they are printed.
  private func sayWhereThereIsNoRoom() {
    guard outlet.paintedWindow() == nil else { return hasSaidThereIsNoRoom = false }
    guard let unpainted, !hasSaidThereIsNoRoom else { return }
    hasSaidThereIsNoRoom = true
    let reason =
      console.canPaint
      ? "the window is too low to show \(unpainted.subject), which takes "
        + "\(ConsoleWindow.leastRows) rows"
      : "this terminal cannot show \(unpainted.subject) beside what is typed"
    outlet.say("\(reason): '\(unpainted.command)' prints them")
  }

  // MARK: Help

  /// What turning a page of the help has come to.
  enum HelpTurn {
    case noHelp, turned
    /// There is no page in that direction.
    case end
  }

  /// Shows help over the screen, page by page, unless it fits above the prompt.
  ///
  /// - Returns: Whether it is shown; else it is to be printed.
  func showHelp(_ text: String) -> Bool {
    let window = console.window
    let help = HelpView(text: text)
    // Where nothing is painted below the prompt, lines scroll as they do elsewhere.
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

  /// Where nothing can be painted, a page is printed, and the rest asked for.
  private func printHelp(_ view: HelpView, rows: Int) -> Bool {
    var view = view
    outlet.say(view.takePage(rows: max(1, rows), columns: console.window.columns))
    help = view.isEmpty ? nil : view
    return true
  }

  /// Turns pages of the help: down if there are more than none, else up.
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

  /// Something else is to be seen.
  func dismissHelp() {
    guard help != nil else { return }
    help = nil
    draw()
  }

  // MARK: Drawing

  private func draw() {
    guard let top = layers.last, let picture = top.picture else { return }
    if let completion = top.completion { completions.set(completion) }
    console.setPrompt(picture.prompt)
    paint(picture)
    if picture.isBusy { startTurning() }
  }

  private func paint(_ picture: Picture) {
    guard console.canPaint else { return }
    if let help, let window = outlet.paintedWindow() {
      let status = ScreenStatus(message: message)
      return console.paint(
        help.rows(columns: window.columns, height: window.paneRows, status: status))
    }
    console.paint(picture.rows(console.window, ScreenStatus(message: message), spinner))
  }

  private func startTurning() {
    guard turning == nil, console.canPaint else { return }
    turning = Task {
      while isBusy {
        guard (try? await clock.sleep(for: Spinner.interval)) != nil else { break }
        spinner.turn()
        if let picture = layers.last?.picture, picture.isBusy { paint(picture) }
      }
      turning = nil
    }
  }

  /// Whether the screen on top has rows, and the window room for them.
  private var hasRows: Bool {
    guard let window = outlet.paintedWindow(), let picture = layers.last?.picture else {
      return false
    }
    return !picture.rows(window, ScreenStatus(), spinner).isEmpty
  }

  private var isBusy: Bool { layers.last?.picture?.isBusy ?? false }
}
