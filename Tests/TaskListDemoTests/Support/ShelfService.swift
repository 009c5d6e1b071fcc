import Foundation
import Reactor

@testable import TaskListDemo
@testable import TaskStore

/// A service for tests of screens: tasks on a shelf, in memory, with the same events.
///
/// It takes part in a simulation, which a database cannot.
actor ShelfService: TaskService {
  fileprivate struct Contents {
    var sections: [String] = []
    var tasks: [TaskItem] = []
  }

  private let broadcaster = EventBroadcaster<TaskEvent>()
  private let clock: (any Clock<Duration>)?
  private var contents = Contents()
  private var undoable: [Contents] = []
  private var redoable: [Contents] = []
  private var revision: Int64 = 0
  private var nextID: Int64 = 1
  /// What the next call ends with, instead of what it would do.
  private var trouble: TaskError?
  /// How often a page was read.
  private(set) var reads = 0

  /// A shelf with tasks in the section "Tasks".
  ///
  /// - Parameters:
  ///   - titles: Their titles; one that begins with `x ` is done.
  ///   - clock: What every answer takes a second by; `nil` for answers at once.
  init(_ titles: [String] = [], clock: (any Clock<Duration>)? = nil) {
    self.clock = clock
    for title in titles {
      let isDone = title.hasPrefix("x ")
      contents.put(
        title: isDone ? String(title.dropFirst(2)) : title, in: "Tasks", id: nextID, isDone: isDone)
      nextID += 1
    }
  }

  func fail(with error: TaskError) { trouble = error }

  var titles: [String] { contents.tasks.map(\.title) }
  var memos: [String?] { contents.tasks.map(\.memo) }

  nonisolated func events() -> EventStream<TaskEvent> { broadcaster.stream() }

  // MARK: Changes

  func perform(
    _ change: TaskChange, progress: @escaping @Sendable (TaskProgress) -> Void
  ) async throws(TaskError) -> TaskOutcome {
    try await answer()
    let before = contents
    let (kind, summary) = try make(change, progress)
    undoable.append(before)
    redoable = []
    return tell(kind, summary)
  }

  func undo() async throws(TaskError) -> TaskOutcome? {
    try await answer()
    guard let earlier = undoable.popLast() else { return nil }
    redoable.append(contents)
    contents = earlier
    return tell(.changed, "undone")
  }

  func redo() async throws(TaskError) -> TaskOutcome? {
    try await answer()
    guard let later = redoable.popLast() else { return nil }
    undoable.append(contents)
    contents = later
    return tell(.changed, "redone")
  }

  /// Another program adds a task.
  func addFromElsewhere(_ title: String) {
    contents.put(title: title, in: "Tasks", id: nextID)
    nextID += 1
    revision += 1
    broadcaster.send(TaskEvent(kind: .changed, revision: revision))
  }

  private func tell(_ kind: TaskEvent.Kind, _ summary: String) -> TaskOutcome {
    revision += 1
    broadcaster.send(TaskEvent(kind: kind, revision: revision))
    return TaskOutcome(summary: summary, revision: revision, tasks: [])
  }

  private func make(
    _ change: TaskChange, _ progress: @Sendable (TaskProgress) -> Void
  ) throws(TaskError) -> (TaskEvent.Kind, String) {
    switch change {
    case .add(let draft):
      let title = try TaskText.title(draft.title)
      let task = contents.put(title: title, memo: draft.memo, in: draft.section, id: nextID)
      nextID += 1
      return (.created(task), "added \(title)")
    case .addAll(let drafts):
      for (done, draft) in drafts.enumerated() {
        contents.put(title: draft.title, memo: draft.memo, in: draft.section, id: nextID)
        nextID += 1
        progress(TaskProgress(done: done + 1, total: drafts.count))
      }
      return (.changed, "added \(drafts.count)")
    case .edit(let id, let edits):
      let task = try contents.change(id) { task in
        for edit in edits {
          switch edit {
          case .title(let title): task.title = title
          case .memo(let memo): task.memo = memo
          }
        }
      }
      return (.updated([task]), "changed \(task.title)")
    case .setDone(let ids, let isDone):
      var changed: [TaskItem] = []
      for id in ids {
        changed.append(try contents.change(id) { $0.completedAt = isDone ? .distantPast : nil })
      }
      return (.updated(changed), "\(isDone ? "done" : "open"): \(ids.count)")
    case .delete(let ids):
      for id in ids { _ = try contents.change(id) { _ in } }
      contents.tasks.removeAll { ids.contains($0.id) }
      return (.deleted(ids), "deleted \(ids.count)")
    case .move(let id, let other):
      let places = [id, other].compactMap { id in contents.tasks.firstIndex { $0.id == id } }
      guard places.count == 2 else { throw .refused("no such task; refresh") }
      let task = contents.tasks.remove(at: places[0])
      contents.tasks.insert(task, at: places[1])
      return (.moved(id), "moved \(task.title)")
    case .clearDone:
      contents.tasks.removeAll(where: \.isDone)
      return (.changed, "cleared")
    }
  }

  // MARK: Reading

  func page(_ query: TaskQuery, from offset: Int, limit: Int) async throws(TaskError) -> TaskPage {
    try await answer()
    reads += 1
    let found = contents.find(query)
    return TaskPage(
      tasks: Array(found.dropFirst(offset).prefix(limit)), offset: offset, total: found.count,
      sections: contents.counted, revision: revision)
  }

  func pages<Result: Sendable>(
    of query: TaskQuery, size: Int, into initial: Result,
    _ update: @escaping @Sendable (inout Result, TaskPage) throws(TaskError) -> Void
  ) async throws(TaskError) -> Result {
    var result = initial
    try update(&result, try await page(query, from: 0, limit: .max))
    return result
  }

  func task(_ id: TaskItem.ID) async throws(TaskError) -> TaskItem? {
    try await answer()
    return contents.tasks.first { $0.id == id }
  }

  func row(of id: TaskItem.ID, in query: TaskQuery) async throws(TaskError) -> Int? {
    try await answer()
    return contents.find(query).firstIndex { $0.id == id }
  }

  func tasks(
    titled prefix: String, in query: TaskQuery, limit: Int
  ) async throws(TaskError) -> [TaskItem] {
    try await answer()
    let found = contents.find(query).filter {
      $0.title.lowercased().hasPrefix(prefix.lowercased())
    }
    return Array(found.prefix(limit))
  }

  func sections() async throws(TaskError) -> [TaskSection] {
    try await answer()
    return contents.counted
  }

  private func answer() async throws(TaskError) {
    if let clock {
      do { try await clock.sleep(for: .seconds(1)) } catch { throw .cancelled }
    }
    defer { trouble = nil }
    if let trouble { throw trouble }
  }
}

extension ShelfService.Contents {
  @discardableResult
  fileprivate mutating func put(
    title: String, memo: String? = nil, in section: String, id: Int64, isDone: Bool = false
  ) -> TaskItem {
    if !sections.contains(section) { sections.append(section) }
    let sectionID = Int64((sections.firstIndex(of: section) ?? 0) + 1)
    let task = TaskItem(
      id: id, sectionID: sectionID, title: title, memo: memo, createdAt: .distantPast,
      completedAt: isDone ? .distantPast : nil,
      position: tasks.count { $0.sectionID == sectionID })
    tasks.append(task)
    return task
  }

  fileprivate mutating func change(
    _ id: TaskItem.ID, _ body: (inout TaskItem) -> Void
  ) throws(TaskError) -> TaskItem {
    guard let place = tasks.firstIndex(where: { $0.id == id }) else {
      throw .refused("the task is gone; refresh")
    }
    body(&tasks[place])
    return tasks[place]
  }

  fileprivate func find(_ query: TaskQuery) -> [TaskItem] {
    tasks.filter { task in
      (query.section == nil || task.sectionID == query.section)
        && (query.filter == .all || task.isDone == (query.filter == .done))
        && (query.search.isEmpty || task.title.lowercased().contains(query.search.lowercased()))
    }
  }

  fileprivate var counted: [TaskSection] {
    sections.enumerated().map { index, name in
      let mine = tasks.filter { $0.sectionID == Int64(index + 1) }
      return TaskSection(
        id: Int64(index + 1), name: name, position: index, openCount: mine.count { !$0.isDone },
        doneCount: mine.count(where: \.isDone))
    }
  }
}
