import Reactor
import ReactorRuntime

/// Which states of several reactors may be shown together: a state that a broadcast has led to
/// never without what it has led to elsewhere.
///
/// A broadcast that reaches two or more of the reactors is a barrier: all that came before it is
/// shown before, and then the states at the ends of its turns, all at once.
///
/// Holds: `contents`, guarded by its own lock, which guards the columns as well.
final class CombinedBook: Sendable {
  struct Contents: Sendable {
    var columns: [ColumnBook]
    /// The broadcasts that have yet to be shown, by number.
    var barriers: [UInt64: Barrier] = [:]
    var barrierCount: UInt64 = 0
    /// Whether some thread shows what there is, in order.
    var isShowing = false
    var hasBegun = false
  }

  /// What is known of one reactor's states.
  struct ColumnBook: Sendable {
    /// The version to begin with; `nil` until it is known.
    var base: UInt64?
    /// The barriers that it has yet to pass, in order.
    var barriers = FIFO<UInt64>()
    /// The version of the last state that has come, or of the one that was there.
    var received: UInt64 = 0
    var hasFirst = false
    var hasEnded = false
  }

  /// The turns of one broadcast.
  struct Barrier: Sendable {
    struct Turn: Sendable {
      /// The version of the state before it, and after it; `nil` until it is known.
      var begin: UInt64?
      var end: UInt64?
    }

    var turns: [Int: Turn]
  }

  let contents: Guarded<Contents>
  /// In a struct: a closure that is read out of a generic value by itself is wrapped once more each
  /// time.
  private struct Showing: Sendable {
    var show: (@Sendable () -> Void)?
  }

  private let showing = Guarded(Showing())

  init(columns: Int) {
    contents = Guarded(Contents(columns: Array(repeating: ColumnBook(), count: columns)))
  }

  /// Sets what shows what can be shown; called under no lock.
  func whenChanged(_ show: @escaping @Sendable () -> Void) {
    showing.withLock { $0.show = show }
  }

  private func changed() { showing.withLock { $0 }.show?() }

  // MARK: Called by the order and by the reactors

  /// A broadcast will reach these columns; called in the order of broadcasts.
  func expect(_ columns: [Int]) -> UInt64 {
    contents.withLock { contents in
      contents.barrierCount += 1
      let number = contents.barrierCount
      contents.barriers[number] = Barrier(
        turns: Dictionary(uniqueKeysWithValues: columns.map { ($0, Barrier.Turn()) }))
      for column in columns { contents.columns[column].barriers.append(number) }
      return number
    }
  }

  /// The turn of a broadcast has begun: at the version of the state before it, or `nil` if there
  /// will be none, because the action was not accepted or the reactor has gone.
  func began(_ barrier: UInt64, in column: Int, atVersion version: UInt64?) {
    contents.withLock { contents in
      guard let version else { return contents.leave(barrier, column) }
      contents.barriers[barrier]?.turns[column]?.begin = version
    }
    changed()
  }

  /// The turn is over: at the version of the state after it, or `nil` as above.
  func ended(_ barrier: UInt64, in column: Int, atVersion version: UInt64?) {
    contents.withLock { contents in
      guard let version else { return contents.leave(barrier, column) }
      contents.barriers[barrier]?.turns[column]?.end = version
    }
    changed()
  }

  /// What a column begins with.
  func begin(_ column: Int, atVersion version: UInt64) {
    contents.withLock { $0.columns[column].base = version }
    changed()
  }
}

/// What looks at the turns of a member: a column of a book.
final class CombinedWatcher: Sendable, Identifiable {
  let book: CombinedBook
  let column: Int

  init(book: CombinedBook, column: Int) { (self.book, self.column) = (book, column) }
}

/// What looks at the turn of one action.
struct CombinedWatch: Sendable {
  let watcher: CombinedWatcher
  let barrier: UInt64

  func began(atVersion version: UInt64?) {
    watcher.book.began(barrier, in: watcher.column, atVersion: version)
  }

  func ended(atVersion version: UInt64?) {
    watcher.book.ended(barrier, in: watcher.column, atVersion: version)
  }
}
