import CommandShell
import Foundation
import TaskStore

/// A task as one row: `1. [ ] Buy milk`, or with another label.
struct TaskRow {
  /// The label: `1. `.
  var label: String
  var task: TaskItem

  init(number: Int, task: TaskItem) {
    self.init(label: "\(number). ", task: task)
  }

  init(label: String, task: TaskItem) {
    self.label = label
    self.task = task
  }

  /// The width with the whole title.
  var titleColumns: Int { label.count + box.count + 1 + DisplayWidth.of(task.title) }

  /// The width with everything in the row, as far as it is less than the window's width.
  func columns(upTo columns: Int, labelColumns: Int, times: TimeLabel) -> Int {
    let time = time(times, columns: columns)
    let memo = task.memo.map(Self.oneLine).map { DisplayText.fitted($0, to: columns).columns }
    return titleColumns + labelColumns - label.count
      + (memo.map { $0 > 0 ? max($0 + 2, Self.leastMemo) : 0 } ?? 0)
      + (time.isEmpty ? 0 : time.count + 2)
  }

  private var box: String { task.isDone ? "[x]" : "[ ]" }

  /// The row on a terminal: aligned labels, the title, the memo if it fits, and at the right the
  /// time of completion.
  ///
  /// - Parameters:
  ///   - columns: The window's width.
  ///   - labelColumns: The width of the longest label in the list.
  ///   - times: Formats the time.
  /// - Returns: The row, no wider than the window.
  func styled(columns: Int, labelColumns: Int, times: TimeLabel) -> StyledText {
    var row = RowBuilder(columns: columns)
    row.add(DisplayText.blanks(labelColumns - label.count) + label, .dim)
    row.add("\(box) ", task.isDone ? .green : [])
    let time = time(times, columns: columns)
    // The title leaves columns for the time, but is never removed completely.
    let room = row.room - (time.isEmpty ? 0 : time.count + 2)
    let before = row.room
    row.add(task.title, task.isDone ? [.dim, .strikethrough] : [], limit: room)
    addMemo(to: &row, room: room - (before - row.room))
    row.addRight(time, .dim)
    return row.row
  }

  /// In fewer columns, a memo would not be readable.
  private static let leastMemo = 10

  private func addMemo(to row: inout RowBuilder, room: Int) {
    guard let memo = task.memo.map(Self.oneLine), !memo.isEmpty, room >= Self.leastMemo else {
      return
    }
    row.add("  ")
    row.add(memo, .dim, limit: room - 2)
  }

  private func time(_ times: TimeLabel, columns: Int) -> String {
    guard let completedAt = task.completedAt, columns >= 40 else { return "" }
    return times.text(completedAt)
  }

  /// The memo's lines in one line, up to the width of any window.
  private static func oneLine(_ memo: String) -> String {
    memo.prefix(2_000).split(whereSeparator: \.isNewline).joined(separator: " / ")
  }
}

/// Formats a time in the shortest form: `14:03`, `2 May`, `2 May 2024`.
struct TimeLabel: Sendable {
  private static let fields: Set<Calendar.Component> = [.year, .month, .day, .hour, .minute]
  private static let months = [
    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
  ]

  private let calendar: Calendar
  private let today: DateComponents

  /// Creates labels relative to a moment.
  ///
  /// - Parameters:
  ///   - now: The moment.
  ///   - calendar: The calendar.
  init(now: Date, calendar: Calendar = Calendar(identifier: .gregorian)) {
    self.calendar = calendar
    today = calendar.dateComponents(Self.fields, from: now)
  }

  func text(_ date: Date) -> String {
    let then = calendar.dateComponents(Self.fields, from: date)
    guard let year = then.year, let month = then.month, let day = then.day,
      Self.months.indices.contains(month - 1)
    else { return "" }
    let name = "\(day) \(Self.months[month - 1])"
    if year != today.year { return "\(name) \(year)" }
    if month != today.month || day != today.day { return name }
    return "\(twoDigits(then.hour)):\(twoDigits(then.minute))"
  }

  private func twoDigits(_ number: Int?) -> String {
    let number = number ?? 0
    return number < 10 ? "0\(number)" : "\(number)"
  }
}
