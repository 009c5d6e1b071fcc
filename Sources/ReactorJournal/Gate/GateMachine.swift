/// The state machine of an output gate: what a journaled reactor has reduced, and which outputs may
/// leave.
///
/// *Entries* are mutations that are stored, and commands, numbered in the order in which they are
/// written. *Items* are outputs. They leave in order, each once all entries before it are durable.
/// *Waiters* are resumed after the items that were released with them.
///
/// ```
///           begin                 take              written
///   idle ─────────▶ writing ───────────▶ a batch ───────────▶ writing ─▶ …
///    ▲                 │                    │
///    └─────────────────┘                    └───────▶ failed
///      continues: nothing is pending          fail
/// ```
///
/// | event | open | closed | failed |
/// |---|---|---|---|
/// | `append` | a number | a number for a mutation, none for a command | – |
/// | `begin` | whether to write | whether to write | false |
/// | `take` | how many entries | how many entries | 0 |
/// | `written` | they are durable | they are durable | trap |
/// | `leave` | now, held or left out | now, held or left out | dropped |
/// | `wait` | whether it has to | whether it has to | false |
/// | `fail` | true | true | false |
/// | `close` | complete, or what is unconfirmed | complete | complete |
struct GateMachine: Sendable, Hashable {
  private enum Phase: Sendable, Hashable { case open, closed, failed }

  private struct Pending: Sendable, Hashable {
    /// The action that emitted the mutation; `nil` if it is not known.
    let cause: UInt64?
    let isCommand: Bool
  }

  private var phase = Phase.open
  /// Whether a task is writing.
  private(set) var isWriting = false
  /// The last entry.
  private(set) var last: Int
  /// The last durable entry.
  private(set) var durable: Int
  /// The entries that have yet to be taken, in order.
  private var pending: ArraySlice<Pending> = []
  /// For each held item, the entry after which it leaves; the same for each waiter.
  private var items: ArraySlice<Int> = []
  private var waiters: ArraySlice<Int> = []
  /// Whether items are being released.
  private var isReleasing = false
  /// Whether something is held or being released, so that what arrives now comes after it.
  private var isHolding: Bool { !items.isEmpty || isReleasing }
  /// Whether the state contains transient mutations, which are not stored.
  private(set) var hasTransient = false
  /// The version of the last state that has left.
  private(set) var shown: UInt64 = 0

  /// Creates a gate.
  ///
  /// - Parameter last: The last entry, which is durable.
  init(last: Int) { (self.last, durable) = (last, last) }

  /// The last entry that has been taken.
  var taken: Int { last - pending.count }

  // MARK: Entries

  /// Adds an entry for a mutation that has been reduced, or for a command.
  ///
  /// - Returns: The number of the entry; `nil` if it is no longer written.
  mutating func append(of cause: UInt64?, isCommand: Bool = false) -> Int? {
    switch phase {
    case .failed: return nil
    case .closed where isCommand: return nil
    case .open, .closed: break
    }
    last += 1
    pending.append(Pending(cause: cause, isCommand: isCommand))
    return last
  }

  /// Records that a transient mutation has been reduced.
  mutating func reduceTransient() { hasTransient = true }

  /// Begins to write.
  ///
  /// - Returns: Whether the caller has to start a task that writes.
  mutating func begin() -> Bool {
    guard phase != .failed, !isWriting, !pending.isEmpty else { return false }
    isWriting = true
    return true
  }

  /// Returns whether the writing task continues; it ends if nothing is pending.
  mutating func continues() -> Bool {
    isWriting = phase != .failed && !pending.isEmpty
    return isWriting
  }

  /// Takes the entries for the next batch.
  ///
  /// Mutations that one action emits at once are not split into two batches, not even by commands
  /// between them, unless each entry is written by itself.
  ///
  /// - Parameter limit: The maximum number of entries, which the mutations of one action may
  ///   exceed.
  /// - Returns: The number of entries.
  mutating func take(limit: Int) -> Int {
    let count = batchCount(limit)
    pending.removeFirst(count)
    return count
  }

  private func batchCount(_ limit: Int) -> Int {
    let count = min(pending.count, limit)
    let end = pending.startIndex + count
    guard limit > 1, end < pending.endIndex,
      let last = pending[..<end].lastIndex(where: { !$0.isCommand }),
      let cause = pending[last].cause
    else { return count }
    var whole = end
    for place in end..<pending.endIndex where !pending[place].isCommand {
      guard pending[place].cause == cause else { break }
      whole = place + 1
    }
    return whole - pending.startIndex
  }

  /// Records that the taken entries are durable, so that items and waiters may be released.
  mutating func written() {
    precondition(phase != .failed, "written in \(phase)")
    durable = taken
  }

  // MARK: Outputs

  enum Leaving: Sendable, Hashable {
    case now
    case held
    /// It is not shown: without an observer, one state for each batch is enough.
    case leftOut
    /// The gate has failed, so nothing is shown any more.
    case dropped
  }

  /// Decides about an item that comes after all current entries.
  ///
  /// - Parameters:
  ///   - isNeeded: Whether it has to leave; otherwise it may be left out.
  ///   - isWriteBehind: Whether outputs may be visible before they are durable.
  /// - Returns: The decision.
  mutating func leave(isNeeded: Bool, isWriteBehind: Bool) -> Leaving {
    if phase == .failed { return .dropped }
    // Also with write-behind, since what is held may wait for the record of a command.
    if durable == last || isWriteBehind, !isHolding { return .now }
    if !isNeeded, durable < last { return .leftOut }
    items.append(last)
    return .held
  }

  /// Adds a waiter.
  ///
  /// - Returns: Whether the waiter is held until all current entries are durable.
  mutating func wait(isWriteBehind: Bool) -> Bool {
    guard phase != .failed, isHolding || !isWriteBehind && durable < last else { return false }
    waiters.append(last)
    return true
  }

  /// Releases the first held item, if it may leave.
  ///
  /// - Returns: Whether the first held item leaves now.
  mutating func releaseItem() -> Bool {
    isReleasing = items.first.map { phase == .failed || $0 <= durable } ?? false
    if isReleasing { items.removeFirst() }
    return isReleasing
  }

  /// Releases the first waiter, if its entries are durable.
  ///
  /// - Returns: Whether the first waiter is resumed now.
  mutating func releaseWaiter() -> Bool {
    guard let first = waiters.first, phase == .failed || first <= durable else { return false }
    waiters.removeFirst()
    return true
  }

  /// Whether an item or a waiter is held.
  var holdsAny: Bool { !items.isEmpty || !waiters.isEmpty }

  /// Records that a state leaves.
  mutating func show(_ version: UInt64) { shown = version }

  enum Newest: Sendable, Hashable {
    /// The reactor's current state.
    case current
    /// The state at the end of the batch.
    case batch
    /// The last state that has left, or none that may be visible.
    case none
  }

  /// Returns the state to show after a batch is durable and its items are released.
  ///
  /// - Parameters:
  ///   - current: The version of the reactor's state, if it may be shown.
  ///   - batch: The version of the state at the end of the batch, if it is known.
  ///   - isWriteBehind: Whether states may be visible before they are durable.
  /// - Returns: The state to show, if it is newer than the last that has left.
  func newest(current: UInt64?, batch: UInt64?, isWriteBehind: Bool) -> Newest {
    if let current, current > shown, items.isEmpty, durable == last || isWriteBehind {
      return .current
    }
    if let batch, batch > shown { return .batch }
    return .none
  }

  // MARK: Ending

  /// Ends writing after a failure; held items can then be released as dropped.
  ///
  /// - Returns: Whether the gate had not failed before.
  mutating func fail() -> Bool {
    if phase == .failed { return false }
    (phase, isWriting) = (.failed, false)
    pending = []
    return true
  }

  enum Closing: Sendable, Hashable {
    case complete
    /// This many entries are not durable yet, and are still being written.
    case unconfirmed(Int)
  }

  mutating func close() -> Closing {
    guard phase == .open else { return .complete }
    phase = .closed
    return durable == last ? .complete : .unconfirmed(last - durable)
  }
}
