import Foundation
import GRDB

/// The result of a requested change.
enum AppliedChange {
  case step(Step)
  /// Everything was already as requested.
  case nothing(summary: String, [TaskItem.ID])
}

/// One change in progress, which becomes one step.
struct TaskChanging {
  let store: TaskStore
  /// The number that the step will have.
  let step: Int64
  let now: Int64
  let progress: @Sendable (TaskProgress) -> Void

  func make(_ change: TaskChange) throws -> AppliedChange {
    switch change {
    case .add(let draft): try add([draft], "added \(TaskText.quoted(TaskText.title(draft.title)))")
    case .addAll(let drafts): try add(drafts, "added \(counted(drafts.count))")
    case .edit(let id, let edits): try edit(id, edits)
    case .setDone(let ids, let isDone): try setDone(unique(ids), isDone)
    case .delete(let ids): try delete(unique(ids))
    case .move(let id, let other): try move(id, to: other)
    case .clearDone(let section): try clearDone(section)
    }
  }

  func made(_ kind: Step.Kind, _ summary: String) -> AppliedChange {
    .step(Step(id: step, kind: kind, summary: summary))
  }

  private var before: StepImages { StepImages(stepID: step, isAfter: false) }
  private var after: StepImages { StepImages(stepID: step, isAfter: true) }

  // MARK: Editing

  private func edit(_ id: TaskItem.ID, _ edits: [TaskEdit]) throws -> AppliedChange {
    let old = try existing(id)
    var new = old
    for edit in edits {
      switch edit {
      case .title(let title): new.title = try TaskText.title(title)
      case .memo(let memo): new.memo = try TaskText.memo(memo)
      }
    }
    // Compared byte by byte: `==` treats two encodings of é as equal.
    guard !isSame(new.title, old.title) || !isSame(new.memo, old.memo) else {
      return .nothing(summary: "\(TaskText.quoted(old.title)) is just so already", [id])
    }
    try store.keep(id, in: before)
    try store.run(
      "UPDATE tasks SET title = ?, titleKey = ?, memo = ? WHERE id = ?",
      [new.title, TaskText.key(new.title), new.memo, id])
    try store.keep(id, in: after)
    return made(.update, summary(of: old, new))
  }

  private func isSame(_ one: String?, _ other: String?) -> Bool {
    one.map { Array($0.utf8) } == other.map { Array($0.utf8) }
  }

  private func summary(of old: TaskItem, _ new: TaskItem) -> String {
    let title = TaskText.quoted(new.title)
    guard isSame(old.title, new.title) else {
      return "renamed \(TaskText.quoted(old.title)) to \(title)"
        + (isSame(old.memo, new.memo) ? "" : ", with another memo")
    }
    return switch (old.memo, new.memo) {
    case (_, nil): "removed the memo of \(title)"
    case (nil, _): "added a memo to \(title)"
    default: "changed the memo of \(title)"
    }
  }

  private func setDone(_ ids: [TaskItem.ID], _ isDone: Bool) throws -> AppliedChange {
    let tasks = try ids.map(existing)
    let changing = tasks.filter { $0.isDone != isDone }
    for task in changing {
      try store.keep(task.id, in: before)
      try store.run(
        "UPDATE tasks SET completedAt = ? WHERE id = ?", [isDone ? now : nil, task.id])
      try store.keep(task.id, in: after)
    }
    let state = isDone ? "done" : "open"
    guard !changing.isEmpty else {
      let verb = tasks.count == 1 ? "is" : "are"
      return .nothing(summary: "\(named(tasks)) \(verb) \(state) already", ids)
    }
    let names = named(changing)
    return made(.update, isDone ? "marked \(names) as done" : "reopened \(names)")
  }

  // MARK: Moving and deleting

  private func move(_ id: TaskItem.ID, to otherID: TaskItem.ID) throws -> AppliedChange {
    let task = try existing(id)
    let other = try existing(otherID)
    let title = TaskText.quoted(task.title)
    guard task.id != other.id else {
      return .nothing(summary: "\(title) is there already", [id])
    }
    let isGoingDown = try isAbove(task, other)
    // The gap that the task leaves is closed. Within one section, that makes the other's position
    // the one below it.
    let isBelow = isGoingDown && task.sectionID != other.sectionID
    try store.keep(id, in: before)
    try store.place(id, in: other.sectionID, at: other.position + (isBelow ? 1 : 0))
    try store.keep(id, in: after)
    let side = isGoingDown ? "below" : "above"
    return made(.move, "moved \(title) \(side) \(TaskText.quoted(other.title))")
  }

  private func isAbove(_ one: TaskItem, _ other: TaskItem) throws -> Bool {
    guard one.sectionID != other.sectionID else { return one.position < other.position }
    let positions = try (store.section(one.sectionID), store.section(other.sectionID))
    guard let above = positions.0, let below = positions.1 else { return false }
    return above.position < below.position
  }

  private func delete(_ ids: [TaskItem.ID]) throws -> AppliedChange {
    let tasks = try ids.map(existing)
    guard !tasks.isEmpty else { return .nothing(summary: "there is nothing to delete", []) }
    for task in tasks { try store.keep(task.id, in: before) }
    try store.remove(before)
    return made(.delete, "deleted \(named(tasks))")
  }

  private func clearDone(_ section: TaskSection.ID?) throws -> AppliedChange {
    if let section {
      guard try store.section(section) != nil else {
        throw TaskError.refused("that section is gone; look at the list again")
      }
      try store.keep("completedAt IS NOT NULL AND sectionID = ?", [section], in: before)
    } else {
      try store.keep("completedAt IS NOT NULL", [], in: before)
    }
    let count = store.db.changesCount
    guard count > 0 else { return .nothing(summary: "no task is done", []) }
    try store.remove(before)
    return made(.delete, "deleted \(counted(count)) that \(isOrAre(count)) done")
  }

  // MARK: Words

  private func existing(_ id: TaskItem.ID) throws -> TaskItem {
    guard let task = try store.task(id) else {
      throw TaskError.taskNotFound
    }
    return task
  }

  private func unique(_ ids: [TaskItem.ID]) -> [TaskItem.ID] {
    var seen: Set<TaskItem.ID> = []
    return ids.filter { seen.insert($0).inserted }
  }

  private func named(_ tasks: [TaskItem]) -> String {
    tasks.count == 1 ? TaskText.quoted(tasks[0].title) : counted(tasks.count)
  }

  private func isOrAre(_ count: Int) -> String { count == 1 ? "is" : "are" }
}

/// `1 task`, `3 tasks`.
func counted(_ count: Int) -> String { count == 1 ? "1 task" : "\(count) tasks" }

extension TaskChanging {
  /// Adds tasks at the end of their sections, in their order.
  func add(
    _ drafts: [TaskDraft], _ summary: @autoclosure () throws -> String
  ) throws -> AppliedChange {
    guard !drafts.isEmpty else { return .nothing(summary: "there is nothing to add", []) }
    var ends = SectionEnds(store: store, step: step)
    var (first, last): (TaskItem.ID?, TaskItem.ID) = (nil, 0)
    for (number, draft) in drafts.enumerated() {
      if number.isMultiple(of: 1_000) {
        progress(TaskProgress(done: number, total: drafts.count))
      }
      last = try insert(draft, at: ends.next(in: draft.section))
      first = first ?? last
    }
    progress(TaskProgress(done: drafts.count, total: drafts.count))
    // Their ids are consecutive: no other task is added meanwhile.
    try store.keep(
      "id >= ? AND id <= ?", [first ?? last, last], in: StepImages(stepID: step, isAfter: true))
    return try made(.add, summary())
  }

  private func insert(
    _ draft: TaskDraft, at place: (section: TaskSection.ID, position: Int)
  ) throws -> TaskItem.ID {
    let title = try TaskText.title(draft.title)
    let isDone = draft.isDone || draft.completedAt != nil
    try store.run(
      """
      INSERT INTO tasks (sectionID, position, title, titleKey, memo, createdAt, completedAt)
        VALUES (?, ?, ?, ?, ?, ?, ?)
      """,
      [
        place.section, place.position, title, TaskText.key(title), TaskText.memo(draft.memo),
        draft.createdAt?.milliseconds ?? now,
        isDone ? draft.completedAt?.milliseconds ?? now : nil,
      ])
    return store.db.lastInsertedRowID
  }
}

/// The position for the next task of each section.
private struct SectionEnds {
  let store: TaskStore
  /// The step that creates the missing sections.
  let step: Int64
  private var ends: [String: (section: TaskSection.ID, position: Int)] = [:]
  /// The number of sections; counted when the first one is created.
  private var count: Int64?

  init(store: TaskStore, step: Int64) {
    self.store = store
    self.step = step
  }

  mutating func next(in text: String) throws -> (section: TaskSection.ID, position: Int) {
    let name = try TaskText.section(text)
    let key = TaskText.key(name)
    let end = try ends[key] ?? end(of: name)
    ends[key] = (end.section, end.position + 1)
    return end
  }

  private mutating func end(of name: String) throws -> (section: TaskSection.ID, position: Int) {
    if let section = try store.section(named: name) { return (section.id, section.count) }
    let position = try count ?? store.number("SELECT count(*) FROM sections")
    try store.run(
      "INSERT INTO sections (name, nameKey, position) VALUES (?, ?, ?)",
      [name, TaskText.key(name), position])
    count = position + 1
    let id = store.db.lastInsertedRowID
    try store.keep(section: id, in: step)
    return (id, 0)
  }
}
