import CommandShell

/// A name of one task of the list on the screen.
public enum TaskReference: Hashable, Sendable {
  /// Its row, from 1.
  case row(Int)
  /// Its id, independent of the list on the screen.
  case id(TaskItem.ID)
  /// The beginning of its title.
  case title(String)
}

/// One word that names tasks: `2`, `2-5`, `@17`, `buy`, `"2 litres"`.
public enum TaskName: Equatable, Sendable {
  case rows(ClosedRange<Int>)
  case id(TaskItem.ID)
  case title(String)

  /// An id as it is shown and typed; unlike `#`, `@` has no special meaning in shells.
  public static func text(of id: TaskItem.ID) -> String { "@\(id)" }
}

/// Names of several tasks: rows, ranges of rows, ids and titles; each of them once.
public struct TaskSelection: Equatable, Sendable {
  /// The rows, sorted, without duplicates; there may be many more than the list has.
  public private(set) var rows: [ClosedRange<Int>] = []
  /// The ids, in the order given, without duplicates.
  public private(set) var ids: [TaskItem.ID] = []
  /// The beginnings of titles, in the order given, without duplicates.
  public private(set) var titles: [String] = []

  /// Creates a selection of names as they were typed.
  public init(_ names: [TaskName] = []) {
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

  /// Creates a selection of rows, from 1, and titles.
  public init(rows: Int..., titles: String...) {
    self.init(rows.map { .rows($0...$0) } + titles.map { .title($0) })
  }

  /// The last row that is named.
  public var lastRow: Int? { rows.last?.upperBound }

  private mutating func join(_ range: ClosedRange<Int>) {
    guard let last = rows.last, range.lowerBound - 1 <= last.upperBound else {
      return rows.append(range)
    }
    rows[rows.count - 1] = last.lowerBound...max(last.upperBound, range.upperBound)
  }
}

extension TaskReference {
  /// Returns the task that the beginning of a title means.
  ///
  /// A task whose title is exactly that text is preferred to those with longer titles: otherwise it
  /// could not be named at all.
  ///
  /// The tasks are those of the list whose titles begin so. Two are enough to detect an ambiguity,
  /// unless a task with exactly that title follows.
  public static func choose(
    _ prefix: String, among tasks: [TaskItem]
  ) throws(TaskError) -> TaskItem {
    let exact = tasks.filter { $0.title == prefix }
    let meant = exact.isEmpty ? tasks : exact
    guard let task = meant.first else { throw .noTitle(prefix) }
    guard meant.count == 1 else { throw .ambiguousTitle(prefix, meant) }
    return task
  }
}

// MARK: Errors

extension TaskError {
  /// A row that the list does not have.
  public static func noRow(_ row: Int, of count: Int) -> TaskError {
    switch count {
    case 0: .refused("there is no row \(row): the list is empty; 'add' adds a task")
    case 1: .refused("there is no row \(row); the list has one, row 1")
    default: .refused("there is no row \(row); the list has rows 1 to \(count)")
    }
  }

  /// A beginning that no title in the list has.
  static func noTitle(_ prefix: String) -> TaskError {
    let way =
      NumberName.correction(of: prefix)
      ?? "'list' shows them (a title of several words goes in quotes)"
    return .refused("no task in the list begins with '\(CommandError.shown(prefix))'; \(way)")
  }

  /// A beginning that several titles have.
  static func ambiguousTitle(_ prefix: String, _ tasks: [TaskItem]) -> TaskError {
    let examples = tasks.prefix(2).map {
      "'\(CommandError.shown($0.title))' (\(TaskName.text(of: $0.id)))"
    }
    return .refused(
      "'\(CommandError.shown(prefix))' could be "
        + "\(examples.joined(separator: ", "))\(tasks.count > 2 ? " …" : "");"
        + " type more of the title, or the id")
  }

  /// An id that no task has.
  public static func noTask(_ id: String) -> TaskError {
    .refused("there is no task \(CommandError.shown(id)); 'list' shows the ids there are")
  }
}
