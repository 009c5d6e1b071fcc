import CommandShell
#if Libedit
  import CEditline
#else
  import CReadline
#endif

/// The line being typed, edited by readline.
///
/// readline consists of global variables, so there is one editor at a time, and it is used on the
/// reader's thread only.
final class LineEditor {
  typealias Completions = LineConsole.Completer

  /// The functions of some keys.
  struct Keys: Sendable {
    /// The line that Ctrl-D on an empty line enters.
    var ctrlD: String?
    /// Whether PgUp and PgDn turn pages of the program.
    var turnPages = false
  }

  /// The result of a key.
  enum Progress {
    case pending
    case line(InputLine)
    case end
  }

  /// A line is requested, and its prompt is on the screen.
  private(set) var isEditing = false
  /// Another program, usually a shell, uses the screen; nothing is drawn.
  private(set) var isPaused = false

  let completions: Completions?
  let keys: Keys
  let traits: TerminalTraits
  var pane: PaneScreen
  var publishedText: [UInt8] = []
  var pastes = PasteReader()
  /// The lines of a paste that have not run yet: one runs for each request for a line.
  var pastedLines: ArraySlice<[UInt8]> = []
  private let port: OutputPort
  private var history: LineHistory
  private(set) var prompt = ""
  private var hasStalePrompt = false
  var isSkipping = false
  var finished: Progress?

  init?(
    port: OutputPort, traits: TerminalTraits, history: LineHistory, completions: Completions?,
    keys: Keys
  ) {
    guard creadline_open_output(1) != 0 else { return nil }
    self.port = port
    self.traits = traits
    pane = PaneScreen(
      window: .measured(canPaint: traits.canPaint),
      encoder: StyleEncoder(showsStyles: traits.showsStyles))
    self.history = history
    self.completions = completions
    self.keys = keys
    EditorHooks.install(for: self)
    requestPasteMarks()
    for entry in history.entries { add_history(entry) }
  }

  /// Ends the editing, with the cursor on a new line; the editor cannot be used afterwards.
  func close() {
    if !isPaused { leaveScreen() }
    creadline_flush()
    if isEditing { stopEditing() }
    clear_history()
    creadline_close_output()
    EditorHooks.remove()
  }

  // MARK: Input

  /// Shows the prompt, unless it is shown already.
  func begin() {
    guard !isEditing else { return }
    isEditing = true
    hasStalePrompt = false
    publishedText = []
    fitReadline()
    rl_callback_handler_install(prompt) { EditorHooks.lineEnded($0) }
    creadline_flush()
  }

  /// Reads one key, or as much of it as has arrived; of a paste, what has arrived, or a line.
  func readKey() -> Progress {
    defer { finished = nil }
    if let line = pastedLines.popFirst() {
      run(line)
    } else if pastes.isInside {
      readPaste()
    } else {
      switch EditorHooks.readKey() {
      case .byte(let byte): type(byte)
      case .nothing: break
      case .end: finished = .end
      }
    }
    return finished ?? .pending
  }

  private func type(_ byte: UInt8) {
    if isSkipping, byte != UInt8(ascii: "\r"), byte != UInt8(ascii: "\n") { return }
    if creadline_must_not_see(byte) != 0 { return }
    EditorHooks.offer(byte)
    rl_callback_read_char()
    skipTooLong()
    drawStalePrompt()
    restoreClearedPane()
    creadline_flush()
  }

  /// Empties a line beyond the limit; if it has line breaks, each of its lines is checked when it
  /// runs.
  func skipTooLong() {
    let limit = hasLineBreaks ? PasteReader.limit : InputLine.byteLimit
    guard isEditing, Int(creadline_end()) > limit else { return }
    isSkipping = true
    emptyLine()
    redisplay()
  }

  /// Called by readline at Enter, and at Ctrl-D on an empty line (nil).
  func lineEnded(_ line: UnsafePointer<CChar>?) {
    if let line {
      take(UnsafeRawBufferPointer(start: line, count: strlen(line)))
    } else {
      if let ctrlD = keys.ctrlD { creadline_write(ctrlD, ctrlD.utf8.count) }
      rl_crlf()
      finished = keys.ctrlD.map { .line(.text($0)) } ?? .end
    }
    isSkipping = false
    stopEditing()
  }

  /// Ends the line; a line with line breaks, ended by another key than Enter, is run line by line.
  private func take(_ line: UnsafeRawBufferPointer) {
    if isSkipping {
      finished = .line(.tooLong)
    } else if line.contains(UInt8(ascii: "\n")) {
      pastedLines = PastedText.lines(of: Array(line))[...]
    } else {
      finished = .line(taken(line))
    }
  }

  func taken(_ line: some Collection<UInt8>) -> InputLine {
    let input = InputLine(bytes: line)
    if case .text(let text) = input, history.add(text) { add_history(text) }
    return input
  }

  /// What Ctrl-C has discarded.
  enum Discarded {
    /// No line was being typed.
    case nothing
    case emptyLine
    case text
  }

  /// Handles Ctrl-C: the typed line remains on the screen, and a new prompt appears below it.
  func discardLine() -> Discarded {
    let hasPaste = pastes.isInside || !pastedLines.isEmpty
    dropPaste()
    guard isEditing, !isPaused else { return .nothing }
    let hasText = hasPaste || isSkipping || creadline_end() > 0
    creadline_abandon_line()
    leaveLine(saying: "^C")
    stopEditing()
    emptyLine()
    isSkipping = false
    begin()
    return hasText ? .text : .emptyLine
  }

  func emptyLine() {
    rl_replace_line("", 1)
    creadline_move_to_end()
  }

  func stopEditing() {
    isEditing = false
    rl_callback_handler_remove()
  }

  // MARK: The screen

  /// Shows lines above the prompt, and redraws the typed line below them.
  func show(_ outputs: [ConsoleOutput]) {
    guard !outputs.isEmpty else { return }
    let isLineVisible = isEditing && !isPaused
    if isLineVisible { creadline_clear_visible_line() }
    for output in outputs { write(output) }
    if isLineVisible { rl_forced_update_display() }
    creadline_flush()
  }

  private func write(_ output: ConsoleOutput) {
    guard output.destination == .error else {
      return creadline_write(output.bytes, output.bytes.count)
    }
    creadline_flush()
    port.write(output)
  }

  /// Draws another prompt before the typed text.
  func setPrompt(_ prompt: String) {
    guard prompt != self.prompt else { return }
    self.prompt = prompt
    hasStalePrompt = isEditing
    drawStalePrompt()
    creadline_flush()
  }

  /// A search shows its own text in place of the prompt: the new prompt waits for its end.
  func drawStalePrompt() {
    guard isEditing, hasStalePrompt, !isPaused, creadline_shows_message() == 0 else { return }
    hasStalePrompt = false
    rl_set_prompt(prompt)
    redisplay()
  }

  /// Expands the prompt for another width; the text of a search stays until its end.
  func rewrapPrompt() {
    if creadline_shows_message() == 0 { rl_set_prompt(prompt) } else { hasStalePrompt = true }
  }

  /// Leaves the screen to other programs.
  func pause() {
    guard !isPaused else { return }
    isPaused = true
    leaveScreen()
    creadline_flush()
  }

  /// Draws everything again, at the current position of the cursor.
  func resume() {
    isPaused = false
    requestPasteMarks()
    pane.resize(to: .measured(canPaint: traits.canPaint))
    layOut()
  }

  private func leaveScreen() {
    if isEditing { leaveLine() }
    creadline_write(pane.leave())
    if marksPastes { creadline_write(PasteReader.marksOff) }
  }

  /// Requests marks around pastes from the terminal; valid as long as this editor uses the screen.
  private func requestPasteMarks() {
    if marksPastes { creadline_write(PasteReader.marksOn) }
  }

  /// A terminal without control sequences would print the request.
  private var marksPastes: Bool { traits.canPaint && EditorHooks.wantsPasteMarks }

  /// Moves the cursor below the typed text, to a line for other output.
  func leaveLine(saying text: String = "") {
    let point = creadline_point()
    creadline_move_to_end()
    redisplay()
    creadline_write(text, text.utf8.count)
    rl_crlf()
    rl_on_new_line()
    creadline_set_point(point)
  }
}
