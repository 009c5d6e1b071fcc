import CommandShell
import Foundation

/// The output for scripts, with `--json`: one value, on one line.
///
/// Keys are present even without a value, and always in the same order.
public enum ScriptOutput: Equatable, Sendable {
  /// The rows of the list.
  case list(ScriptList)
  /// The sections, with the numbers of open and done tasks.
  case sections([ScriptSection])
  /// The result of a change.
  case outcome(ScriptOutcome)

  /// The value as one line.
  public var line: String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    encoder.dateEncodingStrategy = .iso8601
    // Encoding cannot fail: there are no non-finite numbers and no custom types.
    let data = (try? encoder.encode(self)) ?? Data("{}".utf8)
    return JSONText.harmless(String(decoding: data, as: UTF8.self))
  }
}

extension ScriptOutput: Encodable {
  private enum CodingKeys: CodingKey {
    case list, sections, outcome
  }

  /// Encodes an object with one key.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    switch self {
    case .list(let list): try container.encode(list, forKey: .list)
    case .sections(let sections): try container.encode(sections, forKey: .sections)
    case .outcome(let outcome): try container.encode(outcome, forKey: .outcome)
    }
  }
}

/// Rows of the list.
public struct ScriptList: Codable, Equatable, Sendable {
  var tasks: [ScriptTask]
  /// The number of rows in the whole list.
  var total: Int

  /// Creates the output of a page.
  public init(_ page: TaskPage, hasRows: Bool = true) {
    let names = page.sections.names
    tasks = page.tasks.enumerated().map { index, task in
      ScriptTask(
        task, row: hasRows ? page.offset + index + 1 : nil, in: names[task.sectionID])
    }
    total = page.total
  }
}

/// A section.
public struct ScriptSection: Codable, Equatable, Sendable {
  var name: String
  var open: Int
  var done: Int

  /// Creates the output of a section with its counts.
  public init(_ section: TaskSection) {
    name = section.name
    open = section.openCount
    done = section.doneCount
  }
}

/// The result of a change, with the tasks that it concerns.
public struct ScriptOutcome: Codable, Equatable, Sendable {
  var summary: String
  /// The ids of those tasks, including deleted ones.
  var ids: [String]
  var tasks: [ScriptTask]

  /// Creates the output of a change, with the names of the sections.
  public init(_ outcome: TaskOutcome, in sections: [TaskSection]) {
    summary = outcome.summary
    ids = outcome.ids.map(TaskName.text)
    let names = sections.names
    tasks = outcome.tasks.map { ScriptTask($0, row: nil, in: names[$0.sectionID]) }
  }
}

/// A task.
struct ScriptTask: Codable, Equatable, Sendable {
  /// The task's row, from 1; null if the list is not known, or if no other command could use it.
  var row: Int?
  /// The id as every command accepts it: `@17`.
  var id: String
  var title: String
  var memo: String?
  var done: Bool
  /// The name of the task's section.
  var section: String?
  var created: Date
  /// When the task was done; null while it is open.
  var completed: Date?

  init(_ task: TaskItem, row: Int?, in section: String?) {
    self.row = row
    id = TaskName.text(of: task.id)
    title = task.title
    memo = task.memo
    done = task.isDone
    self.section = section
    created = task.createdAt
    completed = task.completedAt
  }

  /// Written by hand because the synthesized function omits keys without a value.
  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(row, forKey: .row)
    try container.encode(id, forKey: .id)
    try container.encode(title, forKey: .title)
    try container.encode(memo, forKey: .memo)
    try container.encode(done, forKey: .done)
    try container.encode(section, forKey: .section)
    try container.encode(created, forKey: .created)
    try container.encode(completed, forKey: .completed)
  }
}
