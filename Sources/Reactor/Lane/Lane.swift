public import ReactorMachines

/// A rule for effects that share a resource: which may overlap, and which wait, are dropped, or are
/// cancelled.
///
/// A ``LanedReactor``'s `lane(for:)` maps an action to its lane. Actions with equal keys share a
/// lane, whatever their kinds. By default an action has no lane, and its effect may overlap with
/// all others.
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
/// A lane has slots. An action takes a slot when it starts, before `mutate` is called. It frees the
/// slot when its own work has ended, however it ended. It does not free the slot earlier, neither
/// when it is cancelled nor for actions that it sent. The exception is an action that is evicted
/// from a `latest` lane without `waitingForEvicted`: its slot is free at once. Actions of one lane
/// may have different rules; the rules of the newest one apply.
///
/// **Lifetime**: a lane exists while an action runs or waits in it. Every reactor has its own
/// lanes.
///
/// Lanes unify Bloc's transformers, Actomaton's queues, TCA's cancellation ids, and the `take…`
/// helpers of redux-saga.
public struct Lane: Sendable {
  /// Identifies the lane.
  public let key: LaneKey
  @usableFromInline var rules: LaneMachine.Rules
  @usableFromInline var timing: LaneTiming?

  /// Whether an action that arrives when the lane is full waits for those that run in it.
  @inlinable var blocksWhenFull: Bool {
    if case .wait = rules.overflow { rules.limit != .max } else { false }
  }

  @inlinable
  init(_ key: some Hashable & Sendable, limit: Int, overflow: LaneMachine.Rules.Overflow) {
    precondition(limit > 0, "the limit of a lane must be at least 1; atMost: was \(limit)")
    self.key = LaneKey(key)
    rules = LaneMachine.Rules(limit: limit, overflow: overflow)
  }

  /// Runs at most `limit` actions at a time; the others wait, in order.
  ///
  /// Without a limit, the lane is only a name by which to cancel its actions. For how many may
  /// wait, see ``sequential(_:waitingLimit:dropsOldest:)``.
  ///
  /// ```swift
  /// case .sample: .concurrent("upload", atMost: 4, waitingLimit: 1000, dropsOldest: true)
  /// ```
  ///
  /// - Parameters:
  ///   - key: Identifies the lane.
  ///   - limit: How many actions may run at a time, at least 1.
  ///   - waiting: How many actions may wait, at least 1.
  ///   - dropsOldest: Whether an action that arrives while that many wait replaces the oldest of
  ///     them; otherwise it is refused.
  /// - Returns: The lane.
  @inlinable
  public static func concurrent(
    _ key: some Hashable & Sendable, atMost limit: Int = .max, waitingLimit waiting: Int = .max,
    dropsOldest: Bool = false
  ) -> Lane {
    Lane(key, limit: limit, overflow: waitOverflow(waiting, dropsOldest))
  }

  /// Runs one action at a time, in order; the others wait.
  ///
  /// ```swift
  /// case .write: .sequential("disk", waitingLimit: 100)
  /// ```
  ///
  /// An action waits if it has been taken and has no slot. An action that a debounce or a throttle
  /// holds does not count; there is at most one. An action that arrives while the limit is reached
  /// is refused, and reported. If the oldest is dropped instead, that one is superseded, and
  /// reported as such.
  ///
  /// The lane refuses an action when it is *taken*, after `send` has returned. For how the sender
  /// is notified, see ``ActionReceipt/refusal``.
  ///
  /// - Parameters:
  ///   - key: Identifies the lane.
  ///   - waiting: How many actions may wait, at least 1.
  ///   - dropsOldest: Whether an action that arrives while that many wait replaces the oldest of
  ///     them; otherwise it is refused.
  /// - Returns: The lane.
  @inlinable
  public static func sequential(
    _ key: some Hashable & Sendable, waitingLimit waiting: Int = .max, dropsOldest: Bool = false
  ) -> Lane {
    Lane(key, limit: 1, overflow: waitOverflow(waiting, dropsOldest))
  }

  @inlinable
  static func waitOverflow(_ limit: Int, _ dropsOldest: Bool) -> LaneMachine.Rules.Overflow {
    precondition(limit > 0, "a lane's waiting limit must be at least 1; waitingLimit: was \(limit)")
    return .wait(places: UInt32(clamping: limit), dropsOldest: dropsOldest)
  }

  /// The first action wins: while it runs, new actions are dropped and reported, and `mutate` is
  /// never called with them.
  ///
  /// - Parameters:
  ///   - key: Identifies the lane.
  ///   - limit: How many actions may run at a time, at least 1.
  /// - Returns: The lane.
  @inlinable
  public static func leading(_ key: some Hashable & Sendable, atMost limit: Int = 1) -> Lane {
    Lane(key, limit: limit, overflow: .drop)
  }

  /// The newest action wins: it evicts the oldest that runs, which is cancelled, can no longer
  /// emit, and is reported.
  ///
  /// The new action starts immediately, while the evicted effect may still be cleaning up. If they
  /// must not overlap at all, on a database row for example, let the new action wait for the
  /// evicted one; then only the newest waits.
  ///
  /// - Parameters:
  ///   - key: Identifies the lane.
  ///   - limit: How many actions may run at a time, at least 1.
  ///   - waitingForEvicted: Whether a new action starts only once the evicted effect has really
  ///     ended.
  /// - Returns: The lane.
  @inlinable
  public static func latest(
    _ key: some Hashable & Sendable, atMost limit: Int = 1, waitingForEvicted: Bool = false
  ) -> Lane {
    Lane(key, limit: limit, overflow: .evict(waits: waitingForEvicted))
  }
}
