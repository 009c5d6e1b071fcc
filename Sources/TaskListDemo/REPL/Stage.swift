import Readline
import Reactor

/// The screens that are open, one on top of the other; the window shows the top one.
actor Stage {
  typealias Layer = Int

  private let console: LineConsole
  private let completions: Completions
  private let clock: any Clock<Duration>

  private var layers: [(layer: Layer, picture: Picture?, completion: CommandCompletion?)] = []
  private var opened = 0
  private var message: ScreenStatus.Message?
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
    self.completions = completions
    self.clock = clock
  }

  // MARK: Screens

  /// Puts a screen on top.
  func open() -> Layer {
    opened += 1
    layers.append((opened, nil, nil))
    return opened
  }

  /// Takes a screen away; the one below is seen again, as it is by now.
  func close(_ layer: Layer) {
    layers.removeAll { $0.layer == layer }
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
    guard console.canPaint, console.window.paneRows > 0 else { return console.print(text) }
    message = .notice(text)
    draw()
  }

  /// A new line has been typed: what was said about the last one is over.
  func hush() {
    guard message != nil else { return }
    message = nil
    draw()
  }

  /// The window has another size.
  func refit() { draw() }

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

  private var isBusy: Bool { layers.last?.picture?.isBusy ?? false }
}
