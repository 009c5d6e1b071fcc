/// Cuts arriving bytes into lines: LF or CRLF ends one, and so does the end of the input.
///
/// A byte order mark at the head of the input, as some editors write it, is no part of a line.
/// Memory stays bounded: of a line beyond the limit nothing is kept but the fact.
struct LineAssembler {
  private var arrived: [UInt8] = []
  private var position = 0
  private var line: [UInt8] = []
  private var isSkipping = false
  private var isFirst = true

  private static let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]
  private static let lineFeed = UInt8(ascii: "\n")
  private static let carriageReturn = UInt8(ascii: "\r")

  /// Adds bytes that arrived; call it only when ``next()`` has nothing more to give.
  mutating func append(_ bytes: some Sequence<UInt8>) {
    arrived.removeSubrange(..<position)
    position = 0
    arrived.append(contentsOf: bytes)
  }

  /// The next whole line, or nil when more bytes are needed.
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

  /// What stands after the last line feed once the input has ended, if anything does.
  mutating func finish() -> InputLine? {
    if let line = next() { return line }
    return line.isEmpty && !isSkipping ? nil : take()
  }

  private mutating func keep(_ piece: ArraySlice<UInt8>) {
    guard !isSkipping else { return }
    // One byte beyond the limit may yet turn out to be a carriage return.
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
