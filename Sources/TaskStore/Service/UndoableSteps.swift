/// The steps that this program may undo or redo: its own, and all that existed when it started.
///
/// Holds: `revisions`, guarded by its own lock.
final class UndoableSteps: Sendable {
  /// The revision of the database when it was opened.
  private let opened: Int64
  /// The last revision that each of its own steps resulted in, by the step's number.
  ///
  /// Other programs may reuse a number, for a step of another revision.
  private let revisions = Locked<[Int64: Int64]>([:])

  init(since opened: Int64) { self.opened = opened }

  /// Records a step that has been committed.
  func note(_ step: Int64, _ revision: Int64) {
    revisions.withLock { revisions in
      revisions[step] = revision
      // No older step can be undone or redone.
      guard revisions.count > 4 * Int(Step.limit) else { return }
      revisions = revisions.filter { abs($0.key - step) <= 2 * Step.limit }
    }
  }

  /// Whether no other program has made or undone the step since this one started.
  func contains(_ step: Step) -> Bool {
    step.revision <= opened || revisions.withLock { $0[step.id] } == step.revision
  }
}

extension TaskError {
  /// The last change, which must not be undone by this program.
  static func otherChange(_ step: Step) -> TaskError {
    .refused("the last change is another program's: \(step.summary); undo it there")
  }

  /// The last undone change, which must not be redone by this program.
  static func otherUndo(_ step: Step) -> TaskError {
    .refused("another program has undone this: \(step.summary); redo it there")
  }
}
