import Reactor
import ReactorRuntime

/// Decides which states of several reactors may be shown together.
///
/// A state that results from a broadcast is never shown beside a state of another receiver from
/// before that broadcast.
///
/// A broadcast that reaches two or more of the reactors is a barrier: everything before it is shown
/// first, and then the states at the ends of its turns, all at once.
///
/// Holds: `contents`, guarded by its own lock, which guards the columns as well.
final class CombinationState: Sendable {
  struct Contents: Sendable {
    var columns: [ColumnState]
    /// The broadcasts that have not been shown yet, by number.
    var barriers: [UInt64: Barrier] = [:]
    var barrierCount: UInt64 = 0
    /// Whether a thread is showing states; it shows them in order.
    var isShowing = false
    var hasBegun = false
  }

  /// What is known about one reactor's states.
  struct ColumnState: Sendable {
    /// The version of the first state to show; `nil` until it is known.
    var base: UInt64?
    /// The barriers that the column has not passed yet, in order.
    var barriers = FIFO<UInt64>()
    /// The version of the last state that was received or, before any was, of the initial one.
    var received: UInt64 = 0
    var hasFirst = false
    var hasEnded = false
  }

  /// The turns of one broadcast.
  struct Barrier: Sendable {
    struct Turn: Sendable {
      /// The version of the state before the turn, and after it; `nil` until it is known.
      var begin: UInt64?
      var end: UInt64?
    }

    var turns: [Int: Turn]
  }

  let contents: Guarded<Contents>
  /// The closure is in a struct: read directly out of a generic value, it would be wrapped again
  /// each time.
  private struct ChangeHandler: Sendable {
    var show: (@Sendable () -> Void)?
  }

  private let changeHandler = Guarded(ChangeHandler())

  init(columns: Int) {
    contents = Guarded(Contents(columns: Array(repeating: ColumnState(), count: columns)))
  }

  /// Sets the closure that shows what can be shown; it is called without a lock held.
  func setChangeHandler(_ show: @escaping @Sendable () -> Void) {
    changeHandler.withLock { $0.show = show }
  }

  private func changed() { changeHandler.withLock { $0 }.show?() }

  // MARK: Called by the order and by the reactors

  /// Registers a broadcast that will reach these columns; called in the order of broadcasts.
  func addBarrier(_ columns: [Int]) -> UInt64 {
    contents.withLock { contents in
      contents.barrierCount += 1
      let number = contents.barrierCount
      contents.barriers[number] = Barrier(
        turns: Dictionary(uniqueKeysWithValues: columns.map { ($0, Barrier.Turn()) }))
      for column in columns { contents.columns[column].barriers.append(number) }
      return number
    }
  }

  /// Records that the turn of a broadcast has begun: at the version of the state before it, or
  /// `nil` if there will be no turn, because the action was not accepted or the reactor was
  /// released.
  func began(_ barrier: UInt64, in column: Int, atVersion version: UInt64?) {
    contents.withLock { contents in
      guard let version else { return contents.leave(barrier, column) }
      contents.barriers[barrier]?.turns[column]?.begin = version
    }
    changed()
  }

  /// Records that the turn has ended: at the version of the state after it, or `nil` as above.
  func ended(_ barrier: UInt64, in column: Int, atVersion version: UInt64?) {
    contents.withLock { contents in
      guard let version else { return contents.leave(barrier, column) }
      contents.barriers[barrier]?.turns[column]?.end = version
    }
    changed()
  }

  /// Sets the version with which a column begins.
  func begin(_ column: Int, atVersion version: UInt64) {
    contents.withLock { $0.columns[column].base = version }
    changed()
  }
}

/// A registration for the turns of a member: one column of a combination.
final class ColumnRegistration: Sendable, Identifiable {
  let combination: CombinationState
  let column: Int

  init(combination: CombinationState, column: Int) {
    (self.combination, self.column) = (combination, column)
  }
}

/// A registration for the turn of one action.
struct TurnRegistration: Sendable {
  let column: ColumnRegistration
  let barrier: UInt64

  func began(atVersion version: UInt64?) {
    column.combination.began(barrier, in: column.column, atVersion: version)
  }

  func ended(atVersion version: UInt64?) {
    column.combination.ended(barrier, in: column.column, atVersion: version)
  }
}
