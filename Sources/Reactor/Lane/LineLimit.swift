/// How many actions may wait in a lane, and what becomes of one that comes when they do.
///
/// ```swift
/// case .write: .sequential("disk", waiting: .atMost(100, whenFull: .refuse))
/// case .sample: .concurrent("upload", atMost: 4, waiting: .atMost(1000, whenFull: .dropOldest))
/// ```
///
/// By default there is no limit. What waits is what has been taken and has no slot; what a debounce
/// or a throttle holds until its time is up is one action at most, and does not count. A `leading`
/// lane has no line, and that of a `latest` lane is never longer than its slots, so neither offers
/// a limit.
///
/// The lane refuses when the action is *taken*, after `send` has returned; see
/// ``ActionReceipt/refusal`` for how the sender learns of it.
public struct LineLimit: Sendable, Hashable {
  /// What becomes of an action that comes while as many wait as may.
  public enum WhenFull: Sendable, Hashable {
    /// It is refused, and reported; those who wait stay.
    case refuse
    /// It waits, and the one that has waited longest goes: superseded, and reported so.
    case dropOldest
  }

  @usableFromInline let count: Int
  @usableFromInline let whenFull: WhenFull

  @inlinable
  init(count: Int, whenFull: WhenFull) {
    self.count = count
    self.whenFull = whenFull
  }

  /// Any number of actions may wait.
  @inlinable public static var unlimited: LineLimit { LineLimit(count: .max, whenFull: .refuse) }

  /// So many actions may wait.
  ///
  /// - Parameters:
  ///   - count: How many, at least 1.
  ///   - whenFull: What becomes of the next one.
  /// - Returns: The limit.
  @inlinable
  public static func atMost(_ count: Int, whenFull: WhenFull) -> LineLimit {
    precondition(count > 0, "a line needs room for one at least; atMost: was \(count)")
    return LineLimit(count: count, whenFull: whenFull)
  }
}
