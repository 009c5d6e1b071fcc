import GRDB

/// The history of steps: the last ones can be undone, and then redone.
///
/// `state.doneSteps` is the number of the last step that is done.
extension TaskStore {
  /// Returns the number of the step for a change; undone steps are deleted.
  func beginStep() throws -> Int64 {
    let done = try doneSteps
    try forget("> ?", [done])
    return done + 1
  }

  /// Makes a change the last step; the oldest step is deleted if there are too many.
  func end(_ step: Step) throws {
    try run(
      "INSERT INTO steps (id, kind, summary) VALUES (?, ?, ?)",
      [step.id, step.kind.rawValue, step.summary])
    try forget("<= ?", [step.id - Step.limit])
    try setDoneSteps(step.id, by: step)
  }

  /// Undoes the last step, unless `check` throws.
  ///
  /// - Returns: The step; `nil` if there is none.
  func undo(_ check: (Step) throws -> Void) throws -> Step? {
    guard let step = try step(doneSteps) else { return nil }
    try check(step)
    let before = step.images(isAfter: false)
    switch step.kind {
    case .add:
      try remove(step.images(isAfter: true))
      try removeSections(of: step.id)
    case .delete: try insert(before)
    case .update: try rewrite(before)
    case .move: try replace(before)
    }
    try setDoneSteps(step.id - 1, by: step)
    return step
  }

  /// Redoes the step that was undone last, unless `check` throws.
  ///
  /// - Returns: The step; `nil` if there is none.
  func redo(_ check: (Step) throws -> Void) throws -> Step? {
    guard let step = try step(doneSteps + 1) else { return nil }
    try check(step)
    let after = step.images(isAfter: true)
    switch step.kind {
    case .add:
      try insertSections(of: step.id)
      try insert(after)
    case .delete: try remove(step.images(isAfter: false))
    case .update: try rewrite(after)
    case .move: try replace(after)
    }
    try setDoneSteps(step.id, by: step)
    return step
  }

  private func step(_ id: Int64) throws -> Step? {
    try Step.fetchOne(
      db.cachedStatement(sql: "SELECT id, kind, summary, revision FROM steps WHERE id = ?"),
      arguments: [id])
  }

  private var doneSteps: Int64 {
    get throws { try Stored.counts.number(number("SELECT doneSteps FROM state")) }
  }

  /// Every committed step increases the revision, also by undo and redo.
  private func setDoneSteps(_ count: Int64, by step: Step) throws {
    try run("UPDATE state SET doneSteps = ?, revision = revision + 1", [count])
    try run("UPDATE steps SET revision = ? WHERE id = ?", [revision, step.id])
  }

  private func forget(_ condition: String, _ arguments: StatementArguments) throws {
    try run("DELETE FROM stepTasks WHERE stepID \(condition)", arguments)
    try run("DELETE FROM stepSections WHERE stepID \(condition)", arguments)
    try run("DELETE FROM steps WHERE id \(condition)", arguments)
  }
}
