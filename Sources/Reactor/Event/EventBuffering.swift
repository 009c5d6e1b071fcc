import ReactorMachines

/// How many events a stream keeps that nobody has asked for yet; see ``EventStream/buffering(_:)``.
public struct EventBuffering: Sendable {
  let policy: BroadcastMachine.Policy

  /// All of them; the default.
  public static let unlimited = EventBuffering(policy: .every)

  /// The oldest so many: one that comes while they wait is lost.
  ///
  /// - Parameter count: How many are kept, at least 1.
  /// - Returns: The choice.
  public static func first(_ count: Int) -> EventBuffering {
    EventBuffering(policy: .first(checked(count)))
  }

  /// The newest so many: for one that comes while they wait, the oldest is lost.
  ///
  /// - Parameter count: How many are kept, at least 1.
  /// - Returns: The choice.
  public static func last(_ count: Int) -> EventBuffering {
    EventBuffering(policy: .last(checked(count)))
  }

  private static func checked(_ count: Int) -> Int {
    precondition(count > 0, "a stream keeps one event at least; the count was \(count)")
    return count
  }
}
