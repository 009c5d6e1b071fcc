import ReactorMachines

/// Selects the states that a subscriber receives if the reactor is faster than the subscriber.
public struct StateBuffering: Sendable {
  let policy: BroadcastMachine.Policy
  /// Called with the number of states that were left out.
  @usableFromInline let skipped: (@Sendable (Int) -> Void)?

  /// Every state, in order; the default.
  public static let everyState = StateBuffering(policy: .every, skipped: nil)

  /// The newest state when the subscriber requests one; states in between are skipped.
  ///
  /// Nothing is kept for such a subscriber. While there are no others, `reduce` continues to edit
  /// the state in place.
  public static let newest = StateBuffering(policy: .newest, skipped: nil)

  /// At most the newest unread states; the subscriber is notified of how many it missed.
  ///
  /// If a hook over the states, ``StateStream/derived(_:)`` or a combination makes the states,
  /// those left out are counted from the subscriber's first call of `next()` on.
  ///
  /// - Parameters:
  ///   - count: The number of states to keep, at least 1.
  ///   - skipped: Called with the number of states that were left out, in the subscriber's task,
  ///     before it receives the state after them.
  /// - Returns: The policy.
  public static func last(
    _ count: Int, skipped: @escaping @Sendable (Int) -> Void
  ) -> StateBuffering {
    precondition(count > 0, "an observer needs one state at least; last: was \(count)")
    return StateBuffering(policy: .last(count), skipped: skipped)
  }

  var isEveryState: Bool { policy == .every }
}
