import CommandShell
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
    let shape =
      /[0-9]{4}(-[0-9]{2}){2}T[0-9]{2}(:[0-9]{2}){2}(\.[0-9]+)?(Z|[-+][0-9]{2}(:?[0-9]{2})?)/
    guard text.wholeMatch(of: shape) != nil, TimeFields(text).canBe else { return nil }
    let precise = Date.ISO8601FormatStyle(includingFractionalSeconds: true)
    let date = (try? precise.parse(text)) ?? (try? Date.ISO8601FormatStyle().parse(text))
    return date.flatMap { Stored.times.contains($0.milliseconds) ? $0 : nil }
  }
}

/// The numbers of a time as it is written: `2026-01-31T09:30:00.125+02:00`.
///
/// Foundation takes the 30th of February for the 2nd of March.
private struct TimeFields {
  private let digits: [Substring.UTF8View]
  private let hasFraction: Bool

  init(_ text: String) {
    digits = text.utf8.split { !(UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0) }
    hasFraction = text.utf8.contains(UInt8(ascii: "."))
  }

  /// Whether there is such a day, and such a time on it.
  var canBe: Bool {
    guard digits.prefix(6).map(\.count) == [4, 2, 2, 2, 2, 2] else { return false }
    let fields = digits.prefix(6).map { Self.number($0) }
    let zone = digits.dropFirst(hasFraction ? 7 : 6).flatMap { $0 }
    return 1...12 ~= fields[1] && 1...Self.days(of: fields[1], in: fields[0]) ~= fields[2]
      && fields[3] < 24 && fields[4] < 60 && fields[5] < 60
      && Self.number(zone.prefix(2)) < 24 && Self.number(zone.dropFirst(2)) < 60
  }

  private static func number(_ digits: some Sequence<UInt8>) -> Int {
    digits.reduce(0) { min($0, 1 << 20) * 10 + Int($1 - UInt8(ascii: "0")) }
  }

  private static func days(of month: Int, in year: Int) -> Int {
    let isLeap = year.isMultiple(of: 4) && (!year.isMultiple(of: 100) || year.isMultiple(of: 400))
    return [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][month - 1]
  }
}

extension TaskService {
  /// Writes all tasks into a file; an older one is replaced when the new one is whole.
  ///
  /// Gives the number of tasks.
  func exportFile(_ path: String) async throws(TaskError) -> Int {
    let file = try await offThePool { () throws(TaskError) in try ReplacedFile(path: path) }
    do {
      let end = try await pages(of: TaskQuery(), size: 500, into: TaskFileWriter(file: file)) {
        writer, page throws(TaskError) in try writer.write(page)
      }
      return try await offThePool { () throws(TaskError) in
        var writer = end
        return try writer.finish()
      }
    } catch {
      file.abandon()
      throw error
    }
  }
}

/// Writes tasks as they come, so that it never has all of them at once.
struct TaskFileWriter: Sendable {
  let file: ReplacedFile
  private var section: TaskSection.ID?
  private var names: [TaskSection.ID: String] = [:]
  private var count = 0

  init(file: ReplacedFile) { self.file = file }

  mutating func write(_ page: TaskPage) throws(TaskError) {
    var text = page.offset == 0 ? "{\"version\": \(TaskFile.version), \"sections\": [" : ""
    // All pages are of one moment.
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
