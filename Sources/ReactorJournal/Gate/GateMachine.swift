/// What a journaled reactor has reduced, and what of it may leave.
///
/// *Entries* are mutations that are kept, and commands, numbered in the order in which they are
/// written. *Items* leave in their order, each once all entries before it are durable; *waiters*
/// are resumed after the items that became free with them.
///
/// ```
///          begin                 take              written
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
    /// The action whose work it is of, where that is known.
    let cause: UInt64?
    let isCommand: Bool
  }

  private var phase = Phase.open
  /// Whether a task writes.
  private(set) var isWriting = false
  /// The last entry there is.
  private(set) var last: Int
  /// The last entry that is durable.
  private(set) var durable: Int
  /// Entries that have yet to be taken: the last ones, in order.
  private var pending: ArraySlice<Pending> = []
  /// Of each item that is held, the entry after which it leaves; of each waiter, too.
  private var items: ArraySlice<Int> = []
  private var waiters: ArraySlice<Int> = []
  /// Whether items are being released: what leaves meanwhile goes behind them.
  private var isReleasing = false
  /// Whether the state has something of mutations that are not kept.
  private(set) var hasTransient = false
  /// The version of the last state that has left.
  private(set) var shown: UInt64 = 0

  /// - Parameter last: The last entry there is; it is durable.
  init(last: Int) { (self.last, durable) = (last, last) }

  /// The last entry that has been taken.
  var taken: Int { last - pending.count }

  // MARK: Entries

  /// A mutation that is kept has been reduced, or a command is to be kept.
  ///
  /// - Returns: Its number; `nil` where it is not kept any more.
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

  /// A mutation that is not kept has been reduced.
  mutating func reduceTransient() { hasTransient = true }

  /// - Returns: Whether the caller has to begin to write.
  mutating func begin() -> Bool {
    guard phase != .failed, !isWriting, !pending.isEmpty else { return false }
    isWriting = true
    return true
  }

  /// The task that writes goes on, unless nothing is left.
  mutating func continues() -> Bool {
    isWriting = phase != .failed && !pending.isEmpty
    return isWriting
  }

  /// Takes the entries that are to be written next.
  ///
  /// What an action does at once is not parted, unless each is written by itself: not by commands
  /// that were noted meanwhile, either.
  ///
  /// - Parameter limit: How many, unless an action has more.
  /// - Returns: How many.
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

  /// What was taken is durable: items and waiters may be released.
  mutating func written() {
    precondition(phase != .failed, "written in \(phase)")
    durable = taken
  }

  // MARK: What leaves

  enum Leaving: Sendable, Hashable {
    case now
    case held
    /// It is not shown: while nothing observes, one state for each batch is enough.
    case leftOut
    /// Nothing is shown any more.
    case dropped
  }

  /// An item is to leave, behind all entries there are now.
  ///
  /// - Parameters:
  ///   - isNeeded: Whether it has to leave; otherwise it may be left out.
  ///   - isBehind: Whether it is shown before it is durable.
  /// - Returns: What becomes of it.
  mutating func leave(isNeeded: Bool, isBehind: Bool) -> Leaving {
    if phase == .failed { return .dropped }
    let isOpen = durable == last || isBehind
    if !isNeeded, !isOpen { return .leftOut }
    if isOpen, isBehind || items.isEmpty && !isReleasing { return .now }
    items.append(last)
    return .held
  }

  /// - Returns: Whether the waiter is held until all entries there are now are durable.
  mutating func wait(isBehind: Bool) -> Bool {
    guard phase != .failed, !isBehind, durable < last || isReleasing else { return false }
    waiters.append(last)
    return true
  }

  /// - Returns: Whether the first item that is held leaves now.
  mutating func releaseItem() -> Bool {
    isReleasing = items.first.map { phase == .failed || $0 <= durable } ?? false
    if isReleasing { items.removeFirst() }
    return isReleasing
  }

  /// - Returns: Whether the first waiter is resumed now.
  mutating func releaseWaiter() -> Bool {
    guard let first = waiters.first, phase == .failed || first <= durable else { return false }
    waiters.removeFirst()
    return true
  }

  /// A state leaves.
  mutating func show(_ version: UInt64) { shown = version }

  enum Newest: Sendable, Hashable {
    /// The state of the reactor.
    case current
    /// The state at the end of the batch.
    case batch
    /// The last one that has left, or none that may be seen.
    case none
  }

  /// Which state is shown once a batch is durable and its items are released.
  ///
  /// - Parameters:
  ///   - current: The version of the reactor's state, if that may be shown.
  ///   - batch: The version of the state at the batch's end, where that is known.
  ///   - isBehind: Whether states are shown before they are durable.
  /// - Returns: Which one, if it is newer than the last that has left.
  func newest(current: UInt64?, batch: UInt64?, isBehind: Bool) -> Newest {
    if let current, current > shown, durable == last || isBehind { return .current }
    if let batch, batch > shown { return .batch }
    return .none
  }

  // MARK: Ending

  /// Nothing is written any more, and what is held can be released as dropped.
  ///
  /// - Returns: Whether that is new.
  mutating func fail() -> Bool {
    if phase == .failed { return false }
    (phase, isWriting) = (.failed, false)
    pending = []
    return true
  }

  enum Closing: Sendable, Hashable {
    case complete
    /// So many entries are not durable, and are still being written.
    case unconfirmed(Int)
  }

  mutating func close() -> Closing {
    guard phase == .open else { return .complete }
    phase = .closed
    return durable == last ? .complete : .unconfirmed(last - durable)
  }
}
