import ReactorMachines

/// Which states an observer gets when the reactor is faster than it is.
public struct StateBuffering: Sendable {
  let policy: BroadcastMachine.Policy
  /// What is told how many states were left out.
  @usableFromInline let skipped: (@Sendable (Int) -> Void)?

  /// Every state, in order; the default.
  public static let everyState = StateBuffering(policy: .every, skipped: nil)

  /// The newest state at the time of asking; those in between are skipped.
  ///
  /// Nothing is kept for such an observer, and while there are no others `reduce` goes on editing
  /// the state in place.
  public static let newest = StateBuffering(policy: .newest, skipped: nil)

  /// At most the last so many states that have yet to be seen; the observer is told what it missed.
  ///
  /// Where a hook over the states, ``StateStream/derived(_:)`` or a combination makes the states,
  /// what is left out is counted from the observer's first call of `next()` on.
  ///
  /// - Parameters:
  ///   - count: How many states are kept, at least 1.
  ///   - skipped: Called with the number of states that were left out, in the observer's task,
  ///     before it is given the state after them.
  /// - Returns: The choice.
  public static func last(
    _ count: Int, skipped: @escaping @Sendable (Int) -> Void
  ) -> StateBuffering {
    precondition(count > 0, "an observer needs one state at least; last: was \(count)")
    return StateBuffering(policy: .last(count), skipped: skipped)
  }

  var isEveryState: Bool { policy == .every }
}
