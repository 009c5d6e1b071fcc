import CReadline
#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// readline's C callbacks, which can carry no context, and the editor they belong to.
enum EditorHooks {
  enum Reading {
    case byte(UInt8)
    /// No key has been pressed, whatever `poll` said.
    case nothing
    case end
  }

  // Guard: both are touched on the reader's thread only. There is one at a time, and the
  // next is started after the one before has been joined.
  nonisolated(unsafe) private static var editor: LineEditor?
  nonisolated(unsafe) private static var offered: UInt8?
  /// How many pages have been turned: down, less up.
  nonisolated(unsafe) private(set) static var turnedPages = 0

  static func install(for editor: LineEditor) {
    self.editor = editor
    setlocale(LC_CTYPE, "")
    using_history()
    stifle_history(Int32(HistoryLog.limit))
    // Wishes that a person's own settings may overrule …
    rl_variable_bind("show-all-if-ambiguous", "on")
    rl_initialize()
    // … and needs that they may not: each pasted line is a line, and nothing waits for an answer.
    for (variable, value) in [
      ("enable-bracketed-paste", "off"), ("enable-meta-key", "off"), ("page-completions", "off"),
      ("input-meta", "on"), ("output-meta", "on"), ("convert-meta", "off"),
    ] { rl_variable_bind(variable, value) }
    creadline_unbind_traps()
    turnedPages = 0
    if editor.keys.turnPages {
      creadline_bind_pages(
        { _, _ in EditorHooks.turn(by: -1) }, { _, _ in EditorHooks.turn(by: 1) })
    }
    _ = insistOnUTF8()
    creadline_set_hooks(
      EditorHooks.insistOnUTF8, { _ in EditorHooks.nextByte() },
      { EditorHooks.isInputAvailable ? 1 : 0 },
      { _, _, end in CompletionHooks.complete(end: end) },
      { _, _, _ in CompletionHooks.list() })
  }

  private static func turn(by pages: Int) -> Int32 {
    turnedPages += pages
    return 0
  }

  /// What Tab asks, while a line is being edited.
  static var completer: LineConsole.Completer? { editor?.completions }

  static func remove() {
    editor = nil
    CompletionHooks.forget()
  }

  static func lineEnded(_ line: UnsafeMutablePointer<CChar>?) {
    editor?.lineEnded(line)
    creadline_free(line)
  }

  /// Swift's text is UTF-8, whatever the environment says; readline follows that with each line.
  private static let insistOnUTF8: @convention(c) () -> Int32 = {
    if let codeset = nl_langinfo(nl_item(CODESET)), String(cString: codeset) != "UTF-8" {
      setlocale(LC_CTYPE, "C.UTF-8")
    }
    return 0
  }

  // MARK: Keys

  /// Byte by byte, so that what is typed after the last line is left to the next program.
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
    // Only within one character's bytes. If the rest does not come, ring and forget (Ctrl-G).
    if input(within: 1_000), case .byte(let byte) = readByte() { return Int32(byte) }
    return 7
  }

  static var isInputAvailable: Bool {
    offered != nil || (creadline_end() <= InputLine.byteLimit && input(within: 0))
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
