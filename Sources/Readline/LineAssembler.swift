/// Splits arriving bytes into lines, which LF, CRLF or the end of the input terminates.
///
/// A byte order mark at the start of the input, as some editors write it, is no part of a line.
/// Memory is bounded: of a line beyond the limit, only the fact is stored.
struct LineAssembler {
  private var arrived: [UInt8] = []
  private var position = 0
  private var line: [UInt8] = []
  private var isSkipping = false
  private var isFirst = true

  private static let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]
  private static let lineFeed = UInt8(ascii: "\n")
  private static let carriageReturn = UInt8(ascii: "\r")

  /// Adds bytes that arrived; call it only when ``next()`` has returned nil.
  mutating func append(_ bytes: some Sequence<UInt8>) {
    arrived.removeSubrange(..<position)
    position = 0
    arrived.append(contentsOf: bytes)
  }

  /// Returns the next whole line, or nil if more bytes are needed.
  mutating func next() -> InputLine? {
    let rest = arrived[position...]
    guard let end = rest.firstIndex(of: Self.lineFeed) else {
      keep(rest)
      position = arrived.count
      return nil
    }
    keep(rest[..<end])
    position = end + 1
    return take()
  }

  /// Returns what follows the last line feed after the end of the input; nil if nothing does.
  mutating func finish() -> InputLine? {
    if let line = next() { return line }
    return line.isEmpty && !isSkipping ? nil : take()
  }

  private mutating func keep(_ piece: ArraySlice<UInt8>) {
    guard !isSkipping else { return }
    // One byte beyond the limit may still be a carriage return.
    if line.count + piece.count > InputLine.byteLimit + 1 {
      isSkipping = true
      line = []
    } else {
      line.append(contentsOf: piece)
    }
  }

  private mutating func take() -> InputLine {
    defer {
      line.removeAll(keepingCapacity: true)
      isSkipping = false
      isFirst = false
    }
    guard !isSkipping else { return .tooLong }
    let bytes = line.last == Self.carriageReturn ? line.dropLast() : line[...]
    let hasMark = isFirst && bytes.starts(with: Self.byteOrderMark)
    return InputLine(bytes: hasMark ? bytes.dropFirst(Self.byteOrderMark.count) : bytes)
  }
}
