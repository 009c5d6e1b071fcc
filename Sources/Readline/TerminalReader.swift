#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// Reads lines from a user: waits for keys, requests of the program and signals, in turn.
///
/// It is used on the reader's thread only, as is all of readline behind the editor.
struct TerminalReader {
  private let coordinator: ConsoleCoordinator
  private let mode: TerminalMode
  private let editor: LineEditor
  private var relay: SignalRelay
  private var endingSignal: Int32?
  private var hasInput = true
  private var interruptCount = 0

  init?(
    coordinator: ConsoleCoordinator, history: LineHistory, completions: LineEditor.Completions?,
    keys: LineEditor.Keys
  ) {
    guard let mode = TerminalMode() else { return nil }
    guard
      let editor = LineEditor(
        port: coordinator.port, traits: coordinator.traits, history: history,
        completions: completions,
        keys: keys)
    else { return nil }
    self.coordinator = coordinator
    self.mode = mode
    self.editor = editor
    relay = SignalRelay(to: coordinator.wakePipe)
  }

  /// Runs on the reader's thread; returns at the end of the input, or when the console is closed.
  mutating func run() {
    mode.startEditing()
    // Until now a change of the window's size was not noticed.
    editor.screenChanged()
    while true {
      let work = coordinator.takeWork()
      editor.show(work.outputs)
      editor.setPrompt(work.prompt)
      if let rows = work.pane { editor.paint(rows) }
      if work.isClosing || endingSignal != nil || !hasInput { break }
      if work.wantsLine, !editor.isPaused { editor.begin() }
      publishChanges()
      wait()
    }
    finish()
  }

  private mutating func finish() {
    editor.close()
    mode.restore()
    coordinator.showRest()
    relay.stop()
    // No task is notified that the lines have ended: the program would still act on it.
    if let endingSignal { EndingSignal.endProcess(by: endingSignal) }
    coordinator.endLines()
  }

  private mutating func wait() {
    let isListening = editor.isEditing && !editor.isPaused
    let wake = coordinator.wakePipe.wait(forInput: isListening, atMost: editor.timeout)
    let signals = wake.isWoken ? coordinator.wakePipe.drain() : []
    for signal in signals { handle(signal) }
    // A signal is handled before the keys after it; but if the program wakes the reader
    // continuously, keys must still be read.
    guard signals.isEmpty else { return }
    if isListening, wake.hasInput || !editor.pastedLines.isEmpty {
      readKey()
    } else if !wake.isWoken {
      handleTimeout()
    }
  }

  private func handleTimeout() {
    if editor.isPaused { resume() } else { editor.pastes.drop() }
  }

  /// Once for everything that was typed ahead: intermediate values are of no use.
  private func publishChanges() {
    coordinator.windows.publish(editor.pane.window)
    coordinator.pageTurns.publish(EditorHooks.turnedPages)
    guard coordinator.edits.hasSubscribers, let text = editor.takeNewText() else { return }
    coordinator.edits.publish(.changed(text))
  }

  private mutating func readKey() {
    switch editor.readKey() {
    case .pending: break
    case .line(let line):
      coordinator.edits.publish(.entered)
      coordinator.deliver(line)
    case .end: hasInput = false
    }
  }

  private mutating func handle(_ signal: Int32) {
    switch signal {
    case SIGINT: interrupt()
    case SIGWINCH: editor.screenChanged()
    case SIGTSTP: suspend()
    case SIGCONT: resume()
    default: endingSignal = signal
    }
  }

  private mutating func interrupt() {
    let discarded = editor.discardLine()
    if discarded != .nothing { coordinator.edits.publish(.dropped) }
    guard discarded != .text else { return }
    interruptCount += 1
    coordinator.interrupts.publish(interruptCount)
  }

  private func suspend() {
    editor.pause()
    mode.restore()
    relay.suspendProcess()
    resume()
  }

  /// In the background the terminal belongs to other programs: the line waits for the foreground.
  private func resume() {
    guard TerminalMode.isForeground else { return editor.pause() }
    mode.startEditing()
    editor.resume()
  }
}
