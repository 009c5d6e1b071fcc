import GRDB

extension TaskChanging {
  /// Adds tasks at the end of their sections, in their order.
  func add(
    _ drafts: [TaskDraft], _ summary: @autoclosure () throws -> String
  ) throws -> MadeChange {
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
    // Their ids follow one another: nobody else adds tasks meanwhile.
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

/// Where the next task of each section goes.
private struct SectionEnds {
  let store: TaskStore
  /// The step that makes the sections that are missing.
  let step: Int64
  private var ends: [String: (section: TaskSection.ID, position: Int)] = [:]
  /// How many sections there are; counted when the first one is made.
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
