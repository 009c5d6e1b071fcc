import Foundation
import GRDB

extension TaskItem: FetchableRecord {
  /// In the order in which a row is read.
  static let columns =
    "tasks.id, tasks.sectionID, tasks.title, tasks.memo, tasks.createdAt, tasks.completedAt, "
    + "tasks.position"

  init(row: Row) {
    id = row[0]
    sectionID = row[1]
    title = row[2]
    memo = row[3]
    createdAt = Date(milliseconds: row[4])
    completedAt = (row[5] as Int64?).map(Date.init(milliseconds:))
    position = row[6]
  }
}

extension TaskSection: FetchableRecord {
  /// In the order in which a row is read.
  static let columns = "id, name, position, openCount, doneCount"

  init(row: Row) {
    id = row[0]
    name = row[1]
    position = row[2]
    openCount = row[3]
    doneCount = row[4]
  }
}

extension Date {
  /// Since 1970: how times are stored.
  var milliseconds: Int64 { Int64((timeIntervalSince1970 * 1_000).rounded()) }

  init(milliseconds: Int64) { self.init(timeIntervalSince1970: Double(milliseconds) / 1_000) }
}
