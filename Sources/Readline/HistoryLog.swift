/// Which lines are worth remembering, oldest first.
struct HistoryLog: Equatable {
  /// How many lines are kept.
  static let limit = 1_000

  private(set) var entries: [String] = []

  /// The last lines of a history file; what is no text is passed over.
  init(fileText bytes: some Collection<UInt8>) {
    for line in bytes.split(separator: UInt8(ascii: "\n")) {
      if let text = String(validating: line, as: UTF8.self) { add(text) }
    }
  }

  /// Remembers a line; false if it is blank, repeats the one before or spans lines.
  @discardableResult
  mutating func add(_ line: String) -> Bool {
    guard line != entries.last, line.contains(where: { !$0.isWhitespace }) else { return false }
    guard !line.unicodeScalars.contains(where: { $0 == "\n" || $0 == "\0" }) else { return false }
    entries.append(line)
    if entries.count > Self.limit { entries.removeFirst(entries.count - Self.limit) }
    return true
  }

  /// The log as a file holds it.
  var fileText: [UInt8] {
    Array(entries.map { $0 + "\n" }.joined().utf8)
  }
}
