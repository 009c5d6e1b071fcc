/// How many actions may wait for a reactor, and what becomes of one that comes when they do.
///
/// ```swift
/// let pipeline = Pipeline(inbox: .atMost(1000, whenFull: .suspend))
/// ```
///
/// By default there is no limit. What waits is what has been sent and not yet taken; effects that
/// run, and actions that wait in a lane, do not count.
public struct InboxLimit: Sendable {
  /// What becomes of an action that comes while the inbox is full.
  public enum WhenFull: Sendable {
    /// It is refused, and reported.
    case refuse
    /// `await sendWhenRoom(_:)` waits; `send(_:)`, which cannot, is refused, and reported.
    case suspend
  }

  @usableFromInline let count: Int
  @usableFromInline let whenFull: WhenFull

  @inlinable
  init(count: Int, whenFull: WhenFull) {
    self.count = count
    self.whenFull = whenFull
  }

  @inlinable var isUnlimited: Bool { count == .max }

  /// Any number of actions may wait.
  @inlinable public static var unlimited: InboxLimit { InboxLimit(count: .max, whenFull: .refuse) }

  /// So many actions may wait.
  ///
  /// - Parameters:
  ///   - count: How many, at least 1.
  ///   - whenFull: What becomes of the next one.
  /// - Returns: The limit.
  public static func atMost(_ count: Int, whenFull: WhenFull) -> InboxLimit {
    precondition(count > 0, "an inbox needs room for one action at least; atMost: was \(count)")
    return InboxLimit(count: count, whenFull: whenFull)
  }
}
