/// How a person names one task of the list on the screen.
enum TaskReference: Hashable, Sendable {
  /// By its row, from 1.
  case row(Int)
  /// By its id, whatever list is on the screen.
  case id(TaskItem.ID)
  /// By what its title begins with.
  case title(String)
}

/// How a person names several tasks: rows, rows from–to, ids, titles; each of them once.
struct TaskSelection: Equatable, Sendable {
  /// The rows, in order, none twice; they may be many more than the list has.
  private(set) var rows: [ClosedRange<Int>] = []
  /// The ids, in the order given, none twice.
  private(set) var ids: [TaskItem.ID] = []
  /// What titles begin with, in the order given, none twice.
  private(set) var titles: [String] = []

  init(_ names: [TaskName] = []) {
    var (ranges, known): ([ClosedRange<Int>], Set<String>) = ([], [])
    for name in names {
      switch name {
      case .rows(let range): ranges.append(range)
      case .id(let id): if !ids.contains(id) { ids.append(id) }
      case .title(let title): if known.insert(title).inserted { titles.append(title) }
      }
    }
    for range in ranges.sorted(by: { $0.lowerBound < $1.lowerBound }) { join(range) }
  }

  /// Rows from 1, and titles.
  init(rows: Int..., titles: String...) {
    self.init(rows.map { .rows($0...$0) } + titles.map { .title($0) })
  }

  /// The last row that is named.
  var lastRow: Int? { rows.last?.upperBound }

  private mutating func join(_ range: ClosedRange<Int>) {
    guard let last = rows.last, range.lowerBound - 1 <= last.upperBound else {
      return rows.append(range)
    }
    rows[rows.count - 1] = last.lowerBound...max(last.upperBound, range.upperBound)
  }
}

/// One word that names tasks: `2`, `2-5`, `@17`, `buy`, `"2 litres"`.
///
/// Digits alone are a row, and an id with an `@` before them; in quotes they are a title like any
/// other.
enum TaskName: Equatable, Sendable {
  case rows(ClosedRange<Int>)
  case id(TaskItem.ID)
  case title(String)

  /// An id as it is shown, and typed: no shell makes anything else of it, as it would of `#`.
  static func text(of id: TaskItem.ID) -> String { "@\(id)" }

  init(_ word: ShellWord) throws(CommandError) {
    if word.text.first == "@", !word.isQuoted, Self.isNumber(word.text.dropFirst()) {
      guard let id = TaskItem.ID(word.text.dropFirst()) else { throw .noTask(word.text) }
      self = .id(id)
      return
    }
    let parts = word.text.split(separator: "-", omittingEmptySubsequences: false)
    if word.isQuoted || !parts.allSatisfy({ Self.isNumber($0) || $0.isEmpty }) {
      guard Self.isNumber(word.text.dropFirst()), word.text.first == "+", !word.isQuoted else {
        self = .title(word.text)
        return
      }
      throw .signedRow(word.text)
    }
    switch (parts.count, parts.first?.isEmpty, parts.last?.isEmpty) {
    case (1, false, _): self = .rows(try Self.row(parts[0])...(try Self.row(parts[0])))
    case (2, false, false):
      let (first, last) = (try Self.row(parts[0]), try Self.row(parts[1]))
      guard first <= last else { throw .backwards(first, last) }
      self = .rows(first...last)
    case (2, true, false): throw .signedRow(word.text)
    default: self = .title(word.text)
    }
  }

  /// The row that digits name.
  static func row(_ digits: some StringProtocol) throws(CommandError) -> Int {
    guard let row = Int(digits), row < .max else { throw .hugeRow(String(digits)) }
    guard row > 0 else { throw .rowZero }
    return row
  }

  /// Whether a text is digits, and only those of ASCII: `Int` takes no others.
  static func isNumber(_ text: some StringProtocol) -> Bool {
    !text.isEmpty && text.utf8.allSatisfy { UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }
  }
}

extension TaskReference {
  /// The one task that a word names.
  init(_ word: ShellWord) throws(CommandError) {
    switch try TaskName(word) {
    case .rows(let range) where range.count == 1: self = .row(range.lowerBound)
    case .rows(let range): throw .oneOnly(range)
    case .id(let id): self = .id(id)
    case .title(let title): self = .title(title)
    }
  }

  /// The one task that is meant by the beginning of its title.
  ///
  /// A task that is called exactly that wins over those whose titles go on: else it could not be
  /// named at all.
  ///
  /// The tasks are those of the list whose titles begin so. Two are enough to see that it is
  /// ambiguous, unless one that is called exactly that comes later.
  static func choose(
    _ prefix: String, among tasks: [TaskItem]
  ) throws(CommandError) -> TaskItem {
    let exact = tasks.filter { $0.title == prefix }
    let meant = exact.isEmpty ? tasks : exact
    guard let task = meant.first else { throw .noTitle(prefix) }
    guard meant.count == 1 else { throw .ambiguousTitle(prefix, meant) }
    return task
  }
}
