import Foundation
public import GRDB

/// The tasks in the database, as one transaction sees them.
///
/// It exists only on the database's own queue, which it cannot leave, since it is not `Sendable`.
struct TaskStore {
  let db: Database

  /// How often the database has been changed.
  var revision: Int64 {
    get throws { try Stored.counts.number(number("SELECT revision FROM state")) }
  }

  /// Every section, in order.
  func sections() throws -> [TaskSection] {
    try TaskSection.fetchAll(
      db.cachedStatement(sql: "SELECT \(TaskSection.columns) FROM sections ORDER BY position"))
  }

  func section(_ id: TaskSection.ID) throws -> TaskSection? {
    try TaskSection.fetchOne(
      db.cachedStatement(sql: "SELECT \(TaskSection.columns) FROM sections WHERE id = ?"),
      arguments: [id])
  }

  func section(named name: String) throws -> TaskSection? {
    try TaskSection.fetchOne(
      db.cachedStatement(sql: "SELECT \(TaskSection.columns) FROM sections WHERE nameKey = ?"),
      arguments: [TaskText.key(name)])
  }

  func task(_ id: TaskItem.ID) throws -> TaskItem? {
    try TaskItem.fetchOne(
      db.cachedStatement(sql: "SELECT \(TaskItem.columns) FROM tasks WHERE id = ?"),
      arguments: [id])
  }

  // MARK: Statements

  /// Runs a statement, which is prepared once and cached.
  ///
  /// Typed text is always an argument, never a part of the statement: so there are only as many
  /// statements as are written in the code.
  func run(_ sql: String, _ arguments: StatementArguments = []) throws {
    try db.cachedStatement(sql: sql).execute(arguments: arguments)
  }

  /// Returns the number that a statement selects; 0 if it selects none.
  func number(_ sql: String, _ arguments: StatementArguments = []) throws -> Int64 {
    try Int64.fetchOne(db.cachedStatement(sql: sql), arguments: arguments) ?? 0
  }
}

extension TaskItem: FetchableRecord {
  /// In the order in which a row is decoded.
  static let columns =
    "tasks.id, tasks.sectionID, tasks.title, tasks.memo, tasks.createdAt, tasks.completedAt, "
    + "tasks.position"

  /// Decodes a row of `columns`.
  public init(row: Row) throws {
    id = try row.decode(atIndex: 0)
    sectionID = try row.decode(atIndex: 1)
    title = try row.decode(atIndex: 2)
    memo = try row.decode(atIndex: 3)
    createdAt = try row.date(atIndex: 4)
    completedAt = try row.hasNull(atIndex: 5) ? nil : row.date(atIndex: 5)
    position = try row.count(atIndex: 6)
  }
}

extension TaskSection: FetchableRecord {
  /// In the order in which a row is decoded.
  static let columns = "id, name, position, openCount, doneCount"

  /// Decodes a row of `columns`.
  public init(row: Row) throws {
    id = try row.decode(atIndex: 0)
    name = try row.decode(atIndex: 1)
    position = try row.count(atIndex: 2)
    openCount = try row.count(atIndex: 3)
    doneCount = try row.count(atIndex: 4)
  }
}

/// Numbers that another program may have written: a value that this program never writes, and could
/// not compute with, is reported as damage.
extension Row {
  func count(atIndex index: Int) throws -> Int {
    try Int(Stored.counts.number(decode(Int64.self, atIndex: index)))
  }

  func date(atIndex index: Int) throws -> Date {
    try Date(milliseconds: Stored.times.number(decode(Int64.self, atIndex: index)))
  }
}

/// The range of numbers in the database.
enum Stored {
  /// Counts, positions, and the numbers of steps and revisions.
  static let counts: ClosedRange<Int64> = 0...(1 << 50)
  /// Milliseconds since 1970, in any year of four digits, in any time zone.
  static let times: ClosedRange<Int64> = -62_200_000_000_000...253_500_000_000_000

  static let damage = DatabaseError(resultCode: .SQLITE_CORRUPT, message: "an impossible number")
}

extension ClosedRange<Int64> {
  func number(_ number: Int64) throws -> Int64 {
    guard contains(number) else { throw Stored.damage }
    return number
  }
}

extension Date {
  /// Milliseconds since 1970: how times are stored.
  var milliseconds: Int64 { Int64((timeIntervalSince1970 * 1_000).rounded()) }

  init(milliseconds: Int64) { self.init(timeIntervalSince1970: Double(milliseconds) / 1_000) }
}

/// Converts a search to an FTS5 expression: each of its words begins a word of the task.
///
/// `nil` for a text without a word, which is no search: while the user types a quote or a dash
/// first, the list is unchanged.
func searchExpression(_ text: String) -> String? {
  let words = text.split(whereSeparator: \.isWhitespace).map(String.init).filter(hasToken)
  guard !words.isEmpty else { return nil }
  // In quotes nothing has a special meaning; the content is split into words like titles.
  return words.map { word in
    "\"\(word.replacing("\"", with: " ").replacing("\0", with: " "))\"*"
  }.joined(separator: " ")
}

/// Whether the index makes a word of it: the categories are those in the schema.
private func hasToken(_ word: String) -> Bool {
  word.unicodeScalars.contains { scalar in
    switch scalar.properties.generalCategory {
    case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter,
      .decimalNumber, .letterNumber, .otherNumber, .privateUse, .otherSymbol:
      true
    default: false
    }
  }
}
