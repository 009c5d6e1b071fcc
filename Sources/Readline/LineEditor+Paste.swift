import CReadline
#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// What is pasted: text in the line until Enter, then each line of it a line of its own.
///
/// Guard of readline's buffer, which is read and written through pointers here: the reader's
/// thread, on which alone readline is called; no pointer is kept beyond the call.
extension LineEditor {
  /// Reads on in a paste; of a long one a part, so that signals and output are not kept waiting.
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

  /// At Enter, takes the lines of a line with line breaks out of it: they are run one by one.
  ///
  /// - Returns: Whether the line has line breaks.
  func takePastedLines() -> Bool {
    guard !isSkipping, hasLineBreaks else { return false }
    pastedLines = PastedText.lines(of: bytes)[...]
    emptyLine()
    return true
  }

  /// Runs a line of a paste: shows it behind the prompt, as one that was typed.
  func run(_ line: [UInt8]) {
    insert(text: line)
    leaveLine()
    stopEditing()
    emptyLine()
    creadline_flush()
    finished = .line(taken(line))
  }

  /// Drops what is being pasted, and what is still to be run of an earlier paste.
  func dropPaste() {
    pastes.drop()
    guard !pastedLines.isEmpty else { return }
    pastedLines = []
    // Between two lines nothing else would show that they are gone.
    guard !isEditing, !isPaused else { return }
    creadline_write(Array("^C\r\n".utf8))
    creadline_flush()
  }

  /// How long to wait for input, in milliseconds; -1 is for ever.
  var patience: Int32 {
    // A job running in the background gets no signal when it is fetched back: it has to look.
    if isPaused { return 250 }
    guard isEditing else { return -1 }
    if !pastedLines.isEmpty { return 0 }
    // The rest of a paste that was dropped comes soon, or not at all: its end may have gone with
    // what the terminal drops at Ctrl-C. What is typed meanwhile is lost, and never run.
    return pastes.isDropping ? 1_000 : -1
  }

  // MARK: The line

  var hasLineBreaks: Bool { memchr(creadline_buffer(), 10, Int(creadline_end())) != nil }

  private var bytes: [UInt8] {
    Array(UnsafeRawBufferPointer(start: creadline_buffer(), count: Int(creadline_end())))
  }

  /// Draws the line; of one that is higher than the screen, what is around the cursor.
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
