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

/// Handles pastes: text in the line until Enter, then each line of it becomes a line of its own.
///
/// Guard of readline's buffer, which is read and written through pointers here: readline is called
/// on the reader's thread only; no pointer is kept beyond the call.
extension LineEditor {
  /// Continues to read a paste; of a long one a part, so that signals and output do not wait.
  func readPaste() {
    for _ in 0..<4_096 {
      switch EditorHooks.readByte() {
      case .byte(let byte): if let paste = pastes.take(byte) { return insert(paste) }
      case .nothing: return
      case .end: return finished = .end
      }
    }
  }

  private func insert(_ paste: [UInt8]) {
    insert(text: PastedText.text(of: paste))
    skipTooLong()
    redisplay()
    drawStalePrompt()
    creadline_flush()
  }

  private func insert(text: [UInt8]) {
    guard !isSkipping else { return }
    (text + [0]).withUnsafeBufferPointer { text in
      _ = text.withMemoryRebound(to: CChar.self) { rl_insert_text($0.baseAddress) }
    }
  }

  /// At Enter, takes the lines out of a text with line breaks: they are run one by one.
  ///
  /// - Returns: Whether the text has line breaks.
  func takePastedLines() -> Bool {
    guard !isSkipping, hasLineBreaks else { return false }
    pastedLines = PastedText.lines(of: bytes)[...]
    emptyLine()
    return true
  }

  /// Runs a line of a paste: shows it after the prompt, like a typed one.
  func run(_ line: [UInt8]) {
    insert(text: line)
    leaveLine()
    stopEditing()
    emptyLine()
    creadline_flush()
    finished = .line(taken(line))
  }

  /// Drops the paste that is being read, and the lines of an earlier paste that have not run.
  func dropPaste() {
    pastes.drop()
    guard !pastedLines.isEmpty else { return }
    pastedLines = []
    // Between two lines nothing else would show that the rest was dropped.
    guard !isEditing, !isPaused else { return }
    creadline_write(Array("^C\r\n".utf8))
    creadline_flush()
  }

  /// How long to wait for input, in milliseconds; -1 is for ever.
  var timeout: Int32 {
    // A background job receives no signal when it is moved to the foreground: it has to poll.
    if isPaused { return 250 }
    guard isEditing else { return -1 }
    if !pastedLines.isEmpty { return 0 }
    // The rest of a dropped paste arrives soon or not at all: its end mark may be among what the
    // terminal drops at Ctrl-C. What is typed meanwhile is lost, and never run.
    return pastes.isDropping ? 1_000 : -1
  }

  // MARK: The line

  var hasLineBreaks: Bool { memchr(creadline_buffer(), 10, Int(creadline_end())) != nil }

  private var bytes: [UInt8] {
    Array(UnsafeRawBufferPointer(start: creadline_buffer(), count: Int(creadline_end())))
  }

  /// Draws the line; of one that is taller than the screen, the part around the cursor.
  func redisplay() {
    guard hasLineBreaks,
      let tall = TallLine(
        bytes, point: Int(creadline_point()), prompt: Int(creadline_width(prompt)),
        rows: readlineRows, columns: readlineColumns)
    else { return rl_redisplay() }
    var text = (tall.text + [0]).map(CChar.init(bitPattern:))
    creadline_draw(&text, Int32(tall.text.count), Int32(tall.point))
  }
}
