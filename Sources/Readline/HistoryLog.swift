/// The remembered lines, oldest first.
struct HistoryLog: Equatable {
  /// How many lines are kept.
  static let limit = 1_000

  private(set) var entries: [String] = []

  /// Parses the last lines of a history file; bytes that are not valid text are skipped.
  init(fileText bytes: some Collection<UInt8>) {
    for line in bytes.split(separator: UInt8(ascii: "\n")) {
      if let text = String(validating: line, as: UTF8.self) { add(text) }
    }
  }

  /// Remembers a line; returns false if it is blank, repeats the previous one or has line breaks.
  @discardableResult
  mutating func add(_ line: String) -> Bool {
    guard line != entries.last, line.contains(where: { !$0.isWhitespace }) else { return false }
    guard !line.unicodeScalars.contains(where: { $0 == "\n" || $0 == "\0" }) else { return false }
    entries.append(line)
    if entries.count > Self.limit { entries.removeFirst(entries.count - Self.limit) }
    return true
  }

  /// The log as the text of a file.
  var fileText: [UInt8] {
    Array(entries.map { $0 + "\n" }.joined().utf8)
  }
}
