import CommandShell
import Foundation

/// Tasks in a JSON file, for other programs and other databases.
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
/// A task requires only a title. Without `created` it is new; a task that is `done` without
/// `completed` counts as done now. Anything else in the file is an error, and is reported.
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
  /// A time as the file has it: to the millisecond, which is the precision of the database.
  static func text(of date: Date) -> String {
    // In the middle of the millisecond: the format truncates what it does not print.
    Date(timeIntervalSince1970: (Double(date.milliseconds) + 0.5) / 1_000)
      .formatted(Date.ISO8601FormatStyle(includingFractionalSeconds: true))
  }

  /// Parses a time that another program may have written, with or without fractions of a second;
  /// `nil` if it is invalid.
  static func date(of text: String) -> Date? {
    guard isTime(text) else { return nil }
    let precise = Date.ISO8601FormatStyle(includingFractionalSeconds: true)
    let date = (try? precise.parse(text)) ?? (try? Date.ISO8601FormatStyle().parse(text))
    return date.flatMap { Stored.times.contains($0.milliseconds) ? $0 : nil }
  }

  /// Whether the day and the time exist: `2026-01-31T09:30:00.125+02:00`.
  ///
  /// Foundation accepts the 30th of February as the 2nd of March, and any text after a time.
  private static func isTime(_ text: String) -> Bool {
    let day = /([0-9]{4})-([0-9]{2})-([0-9]{2})/
    let time = /([0-9]{2}):([0-9]{2}):([0-9]{2})(?:\.[0-9]+)?/
    let zone = /Z|[-+]([0-9]{2})(?::?([0-9]{2}))?/
    let halves = text.split(separator: "T", maxSplits: 1)
    guard halves.count == 2, let day = halves[0].wholeMatch(of: day)?.output,
      let time = halves[1].prefixMatch(of: time),
      let zone = halves[1][time.range.upperBound...].wholeMatch(of: zone)?.output
    else { return false }
    func number(_ digits: Substring?) -> Int { digits.flatMap { Int($0) } ?? 0 }
    return number(day.2) > 0 && number(day.3) > 0
      && number(day.3) <= days(of: number(day.2), in: number(day.1))
      && number(time.output.1) < 24 && number(time.output.2) < 60 && number(time.output.3) < 60
      && number(zone.1) < 24 && number(zone.2.flatMap { $0 }) < 60
  }

  /// The number of days in a month; 0 if there is no such month.
  private static func days(of month: Int, in year: Int) -> Int {
    let isLeap = year.isMultiple(of: 4) && (!year.isMultiple(of: 100) || year.isMultiple(of: 400))
    let days = [0, 31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
    return month < days.count ? days[month] : 0
  }
}

extension TaskService {
  /// Writes all tasks to a file; an older file is replaced when the new one is complete.
  ///
  /// - Returns: The number of tasks.
  public func exportFile(_ path: String) async throws(TaskError) -> Int {
    let file = try await onBlockingThread { () throws(TaskError) in try ReplacedFile(path: path) }
    do {
      let end = try await pages(of: TaskQuery(), size: 500, into: TaskFileWriter(file: file)) {
        writer, page throws(TaskError) in try writer.write(page)
      }
      return try await onBlockingThread { () throws(TaskError) in
        var writer = end
        return try writer.finish()
      }
    } catch {
      file.abandon()
      throw error
    }
  }
}

/// Writes tasks page by page, so that it never has all of them at once.
struct TaskFileWriter: Sendable {
  let file: ReplacedFile
  private var section: TaskSection.ID?
  private var names: [TaskSection.ID: String] = [:]
  private var count = 0

  init(file: ReplacedFile) { self.file = file }

  mutating func write(_ page: TaskPage) throws(TaskError) {
    var text = page.offset == 0 ? "{\"version\": \(TaskFile.version), \"sections\": [" : ""
    // All pages show the same moment.
    if names.isEmpty { names = page.sections.names }
    for task in page.tasks {
      if task.sectionID == section {
        text += ",\n"
      } else {
        let name = names[task.sectionID] ?? ""
        text += "\(section == nil ? "" : "\n  ]},")\n  {\"name\": \(json(name)), \"tasks\": [\n"
        section = task.sectionID
      }
      text += "    \(json(task))"
      count += 1
    }
    try file.write(text)
  }

  mutating func finish() throws(TaskError) -> Int {
    try file.write(section == nil ? "]}\n" : "\n  ]}\n]}\n")
    try file.replace()
    return count
  }

  private func json(_ task: TaskItem) -> String {
    var fields = ["\"title\": \(json(task.title))"]
    if let memo = task.memo { fields.append("\"memo\": \(json(memo))") }
    fields.append("\"done\": \(task.isDone)")
    fields.append("\"created\": \(json(TaskFile.text(of: task.createdAt)))")
    if let completedAt = task.completedAt {
      fields.append("\"completed\": \(json(TaskFile.text(of: completedAt)))")
    }
    return "{\(fields.joined(separator: ", "))}"
  }

  private func json(_ text: String) -> String { JSONText.quoted(text) }
}
