/// Which steps this program may take back, or make again: its own, and all that were there when it
/// began.
///
/// Holds: `revisions`, guarded by its own lock.
final class OwnSteps: Sendable {
  /// The revision of the database when it was opened.
  private let opened: Int64
  /// The revision that each of its own steps has led to last, by the step's number.
  ///
  /// Other programs use a number again, for a step of another revision.
  private let revisions = Locked<[Int64: Int64]>([:])

  init(since opened: Int64) { self.opened = opened }

  /// Notes a step that is on the disk.
  func note(_ step: Int64, _ revision: Int64) {
    revisions.withLock { revisions in
      revisions[step] = revision
      // No other can be taken back, or made again.
      guard revisions.count > 4 * Int(Step.limit) else { return }
      revisions = revisions.filter { abs($0.key - step) <= 2 * Step.limit }
    }
  }

  /// Whether no other program has made the step, or taken it back, since this one began.
  func contains(_ step: Step) -> Bool {
    step.revision <= opened || revisions.withLock { $0[step.id] } == step.revision
  }
}

extension TaskError {
  /// The last change, which is not to be undone from here.
  static func otherChange(_ step: Step) -> TaskError {
    .refused("the last change is another program's: \(step.summary); undo it there")
  }

  /// The last change that was undone, which is not to be redone from here.
  static func otherUndo(_ step: Step) -> TaskError {
    .refused("another program has undone this: \(step.summary); redo it there")
  }
}
