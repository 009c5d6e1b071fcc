public import ReactorMachines

/// How effects that share something behave towards one another.
///
/// A ``LanedReactor``'s `lane(for:)` maps an action to its lane; actions with equal keys share one,
/// whatever their kinds. By default an action has no lane, and its effect overlaps with all others.
///
/// ```swift
/// func lane(for action: Action) -> Lane? {
///   switch action {
///   case .search: .latest("search").debounced(for: .milliseconds(300), clock: clock)
///   case .save, .delete: .sequential("disk")
///   case .toggle(let id): .leading(id)
///   case .clear: nil
///   }
/// }
/// ```
///
/// A lane has slots. An action takes one when it starts, before `mutate` is called, and frees it
/// when its own work has ended, however it ended: never because it was cancelled, and never for the
/// sake of what it sent in turn. Actions of one lane may come with different rules; the newest
/// one's count.
///
/// **Lifetime**: a lane exists while something runs or waits in it. Every reactor has its own.
///
/// The one idea behind Bloc's transformers, Actomaton's queues, TCA's cancellation ids, and the
/// `take…` helpers of redux-saga.
public struct Lane: Sendable {
  /// Which lane.
  public let key: LaneKey
  @usableFromInline var rules: LaneMachine.Rules
  @usableFromInline var timing: LaneTiming?

  /// Whether who comes when it is full waits for those who are in it.
  @inlinable var holdsUp: Bool {
    if case .wait = rules.overflow { rules.limit != .max } else { false }
  }

  @inlinable
  init(_ key: some Hashable & Sendable, limit: Int, overflow: LaneMachine.Rules.Overflow) {
    precondition(limit > 0, "a lane needs room for one at least; atMost: was \(limit)")
    self.key = LaneKey(key)
    rules = LaneMachine.Rules(limit: limit, overflow: overflow)
  }

  /// At most so many at once, while the rest wait in line.
  ///
  /// Without a limit, it is a name to cancel by.
  ///
  /// - Parameters:
  ///   - key: Which lane.
  ///   - limit: How many may run at once, at least 1.
  ///   - line: How many may wait, and what becomes of one that comes when they do.
  /// - Returns: The lane.
  @inlinable
  public static func concurrent(
    _ key: some Hashable & Sendable, atMost limit: Int = .max, waiting line: LineLimit = .unlimited
  ) -> Lane {
    Lane(key, limit: limit, overflow: line.overflow)
  }

  /// One at a time, in order; the rest wait in line.
  ///
  /// - Parameters:
  ///   - key: Which lane.
  ///   - line: How many may wait, and what becomes of one that comes when they do.
  /// - Returns: The lane.
  @inlinable
  public static func sequential(
    _ key: some Hashable & Sendable, waiting line: LineLimit = .unlimited
  ) -> Lane {
    Lane(key, limit: 1, overflow: line.overflow)
  }

  /// The first wins: while it runs, newcomers are dropped, and reported; `mutate` never sees them.
  ///
  /// - Parameters:
  ///   - key: Which lane.
  ///   - limit: How many may run at once, at least 1.
  /// - Returns: The lane.
  @inlinable
  public static func leading(_ key: some Hashable & Sendable, atMost limit: Int = 1) -> Lane {
    Lane(key, limit: limit, overflow: .drop)
  }

  /// The newest wins: a newcomer evicts the oldest that runs, which is cancelled, silent, and
  /// reported.
  ///
  /// The newcomer starts at once, while the evicted effect may still be cleaning up. To have no
  /// overlap at all, on a database row, say, let it wait for that; then only the newest waits.
  ///
  /// - Parameters:
  ///   - key: Which lane.
  ///   - limit: How many may run at once, at least 1.
  ///   - waitingForEvicted: Whether a newcomer starts only once the evicted effect has really
  ///     ended.
  /// - Returns: The lane.
  @inlinable
  public static func latest(
    _ key: some Hashable & Sendable, atMost limit: Int = 1, waitingForEvicted: Bool = false
  ) -> Lane {
    Lane(key, limit: limit, overflow: .evict(waits: waitingForEvicted))
  }
}

extension LineLimit {
  @inlinable var overflow: LaneMachine.Rules.Overflow {
    .wait(places: UInt32(clamping: count), dropsOldest: whenFull == .dropOldest)
  }
}
