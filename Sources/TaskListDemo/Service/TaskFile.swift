import Foundation

/// Tasks in a file, as JSON, for other programs and for other databases.
///
/// ```json
/// {"version": 1, "sections": [
///   {"name": "Home", "tasks": [
///     {"title": "Buy milk", "memo": "two bottles", "done": true,
///      "created": "2026-01-31T09:30:00.000Z", "completed": "2026-01-31T17:05:00.000Z"}
///   ]}
/// ]}
/// ```
///
/// A task needs its title and nothing else. Without `created` it is new; what is `done` without
/// `completed` was done just now. Anything else in the file is a mistake, and is told.
struct TaskFile: Equatable, Sendable {
  static let version = 1

  var sections: [Section] = []

  struct Section: Equatable, Sendable {
    var name: String
    var tasks: [Entry]
  }

  struct Entry: Equatable, Sendable {
    var title: String
    var memo: String?
    var isDone = false
    var createdAt: Date?
    var completedAt: Date?
  }
}

extension TaskFile {
  /// A time as the file has it: to the millisecond, which is what the database keeps.
  static func text(of date: Date) -> String {
    // From the middle of the millisecond: the style cuts off what it does not print.
    Date(timeIntervalSince1970: (Double(date.milliseconds) + 0.5) / 1_000)
      .formatted(Date.ISO8601FormatStyle(includingFractionalSeconds: true))
  }

  /// A time as another program may have written it, with parts of a second or without; `nil` if it
  /// is none.
  static func date(of text: String) -> Date? {
    let precise = Date.ISO8601FormatStyle(includingFractionalSeconds: true)
    let date = (try? precise.parse(text)) ?? (try? Date.ISO8601FormatStyle().parse(text))
    return date.flatMap { Stored.times.contains($0.milliseconds) ? $0 : nil }
  }
}
