#if Libedit
  import CEditline
#else
  import CReadline
#endif
#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// readline's C callbacks, which have no context parameter, and the editor that they belong to.
enum EditorHooks {
  enum Reading {
    case byte(UInt8)
    /// No key has been pressed, whatever `poll` returned.
    case nothing
    case end
  }

  // Guard: both are used on the reader's thread only. There is one such thread at a time, and the
  // next is started after the previous one has been joined.
  nonisolated(unsafe) private static var editor: LineEditor?
  nonisolated(unsafe) private static var offered: UInt8?
  /// The number of pages turned: down minus up.
  nonisolated(unsafe) private(set) static var turnedPages = 0

  /// Whether the user's own settings, which readline reads once, request marks around pastes.
  static let wantsPasteMarks: Bool = {
    // Defaults that the user's settings may override.
    for variable in ["show-all-if-ambiguous", "enable-bracketed-paste"] {
      rl_variable_bind(variable, "on")
    }
    rl_initialize()
    return creadline_wants_paste_marks() != 0
  }()

  static func install(for editor: LineEditor) {
    self.editor = editor
    setlocale(LC_CTYPE, "")
    using_history()
    stifle_history(Int32(HistoryLog.limit))
    _ = wantsPasteMarks
    // Settings that the user's may not override: readline must not wait for an answer or for the
    // end of a paste, which is read here.
    for (variable, value) in [
      ("enable-bracketed-paste", "off"), ("enable-meta-key", "off"), ("page-completions", "off"),
      ("input-meta", "on"), ("output-meta", "on"), ("convert-meta", "off"),
    ] { rl_variable_bind(variable, value) }
    creadline_unbind_traps()
    creadline_bind_paste_keys(
      { _, _ in 0 }, { count, key in EditorHooks.enter(count, key) })
    turnedPages = 0
    if editor.keys.turnPages {
      creadline_bind_pages(
        { _, _ in EditorHooks.turn(by: -1) }, { _, _ in EditorHooks.turn(by: 1) })
    }
    _ = requireUTF8()
    creadline_set_redisplay { EditorHooks.redisplay() }
    creadline_set_hooks(
      EditorHooks.requireUTF8, { _ in EditorHooks.nextByte() },
      { EditorHooks.isInputAvailable ? 1 : 0 },
      { _, _, end in CompletionHooks.complete(end: end) },
      { _, _, _ in CompletionHooks.list() })
  }

  private static func turn(by pages: Int) -> Int32 {
    turnedPages += pages
    return 0
  }

  private static func enter(_ count: Int32, _ key: Int32) -> Int32 {
    editor?.takePastedLines() == true ? 0 : rl_newline(count, key)
  }

  private static func redisplay() {
    if let editor { editor.redisplay() } else { rl_redisplay() }
  }

  /// The completer for Tab, while a line is being edited.
  static var completer: LineConsole.Completer? { editor?.completions }

  static func remove() {
    editor = nil
    CompletionHooks.forget()
  }

  static func lineEnded(_ line: UnsafeMutablePointer<CChar>?) {
    editor?.lineEnded(line)
    creadline_free(line)
  }

  /// Swift's text is UTF-8, whatever the environment says; readline checks the locale for each
  /// line.
  private static let requireUTF8: @convention(c) () -> Int32 = {
    if let codeset = nl_langinfo(nl_item(CODESET)), String(cString: codeset) != "UTF-8" {
      setlocale(LC_CTYPE, "C.UTF-8")
    }
    return 0
  }

  // MARK: Keys

  /// Reads a typed byte.
  static func readKey() -> Reading {
    let reading = readByte()
    if case .byte(let byte) = reading { editor?.pastes.check(byte) }
    return reading
  }

  /// Reads single bytes, so that what is typed after the last line remains for the next program.
  static func readByte() -> Reading {
    var byte: UInt8 = 0
    switch read(STDIN_FILENO, &byte, 1) {
    case 1: return .byte(byte)
    case 0: return hasHungUp ? .end : .nothing
    default: return errno == EINTR || errno == EAGAIN ? .nothing : .end
    }
  }

  static func offer(_ byte: UInt8) {
    offered = byte
  }

  private static func nextByte() -> Int32 {
    if let byte = offered {
      offered = nil
      return Int32(byte)
    }
    // Only within the bytes of one character. If the rest does not arrive, or a paste begins, the
    // result is Ctrl-G: ring the bell and drop the character.
    if !isInPaste, input(within: 1_000), case .byte(let byte) = readKey() { return Int32(byte) }
    return 7
  }

  private static var isInPaste: Bool { editor?.pastes.isInside == true }

  static var isInputAvailable: Bool {
    offered != nil
      || (!isInPaste && creadline_end() <= InputLine.byteLimit && input(within: 0))
  }

  private static var hasHungUp: Bool {
    var wait = pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0)
    return poll(&wait, 1, 0) > 0 && wait.revents & Int16(POLLHUP | POLLERR | POLLNVAL) != 0
  }

  private static func input(within milliseconds: Int32) -> Bool {
    var wait = pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0)
    return poll(&wait, 1, milliseconds) > 0
  }
}
