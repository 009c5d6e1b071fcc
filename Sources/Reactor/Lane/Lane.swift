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
  /// Without a limit, it is a name to cancel by. For how many may wait, see
  /// ``sequential(_:waitingLimit:dropsOldest:)``.
  ///
  /// ```swift
  /// case .sample: .concurrent("upload", atMost: 4, waitingLimit: 1000, dropsOldest: true)
  /// ```
  ///
  /// - Parameters:
  ///   - key: Which lane.
  ///   - limit: How many may run at once, at least 1.
  ///   - waiting: How many may wait, at least 1.
  ///   - dropsOldest: Whether one that comes when they do takes the place of the oldest; otherwise
  ///     it is refused.
  /// - Returns: The lane.
  @inlinable
  public static func concurrent(
    _ key: some Hashable & Sendable, atMost limit: Int = .max, waitingLimit waiting: Int = .max,
    dropsOldest: Bool = false
  ) -> Lane {
    Lane(key, limit: limit, overflow: line(waiting, dropsOldest))
  }

  /// One at a time, in order; the rest wait in line.
  ///
  /// ```swift
  /// case .write: .sequential("disk", waitingLimit: 100)
  /// ```
  ///
  /// What waits is what has been taken and has no slot; what a debounce or a throttle holds until
  /// its time is up is one action at most, and does not count. One that comes while as many wait is
  /// refused, and reported; or, if the oldest is dropped, that one is superseded, and reported so.
  ///
  /// The lane refuses when the action is *taken*, after `send` has returned; see
  /// ``ActionReceipt/refusal`` for how the sender learns of it.
  ///
  /// - Parameters:
  ///   - key: Which lane.
  ///   - waiting: How many may wait, at least 1.
  ///   - dropsOldest: Whether one that comes when they do takes the place of the oldest; otherwise
  ///     it is refused.
  /// - Returns: The lane.
  @inlinable
  public static func sequential(
    _ key: some Hashable & Sendable, waitingLimit waiting: Int = .max, dropsOldest: Bool = false
  ) -> Lane {
    Lane(key, limit: 1, overflow: line(waiting, dropsOldest))
  }

  @inlinable
  static func line(_ limit: Int, _ dropsOldest: Bool) -> LaneMachine.Rules.Overflow {
    precondition(limit > 0, "a line needs room for one at least; waitingLimit: was \(limit)")
    return .wait(places: UInt32(clamping: limit), dropsOldest: dropsOldest)
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
