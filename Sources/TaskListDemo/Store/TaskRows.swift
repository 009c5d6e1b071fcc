import Foundation
import GRDB

extension TaskItem: FetchableRecord {
  /// In the order in which a row is read.
  static let columns =
    "tasks.id, tasks.sectionID, tasks.title, tasks.memo, tasks.createdAt, tasks.completedAt, "
    + "tasks.position"

  init(row: Row) throws {
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
  /// In the order in which a row is read.
  static let columns = "id, name, position, openCount, doneCount"

  init(row: Row) throws {
    id = try row.decode(atIndex: 0)
    name = try row.decode(atIndex: 1)
    position = try row.count(atIndex: 2)
    openCount = try row.count(atIndex: 3)
    doneCount = try row.count(atIndex: 4)
  }
}

/// Numbers that somebody else may have written: those that no program of ours writes, and that
/// could not be reckoned with, are damage.
extension Row {
  func count(atIndex index: Int) throws -> Int {
    try Int(Stored.counts.number(decode(Int64.self, atIndex: index)))
  }

  func date(atIndex index: Int) throws -> Date {
    try Date(milliseconds: Stored.times.number(decode(Int64.self, atIndex: index)))
  }
}

/// What numbers can be in the database.
enum Stored {
  /// Counts, places and the numbers of steps and states.
  static let counts: ClosedRange<Int64> = 0...(1 << 50)
  /// Milliseconds since 1970, in any year of four digits, wherever on earth.
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
  /// Since 1970: how times are stored.
  var milliseconds: Int64 { Int64((timeIntervalSince1970 * 1_000).rounded()) }

  init(milliseconds: Int64) { self.init(timeIntervalSince1970: Double(milliseconds) / 1_000) }
}
