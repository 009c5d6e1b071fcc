/// How many events a stream keeps that nobody has asked for yet; see ``EventStream/buffering(_:)``.
public struct EventBuffering: Sendable {
  enum Kind: Sendable {
    case unlimited
    case first(Int)
    case last(Int)
  }

  let kind: Kind

  /// All of them; the default.
  public static let unlimited = EventBuffering(kind: .unlimited)

  /// The oldest so many: one that comes while they wait is lost.
  ///
  /// - Parameter count: How many are kept, at least 1.
  /// - Returns: The choice.
  public static func first(_ count: Int) -> EventBuffering {
    EventBuffering(kind: .first(checked(count)))
  }

  /// The newest so many: for one that comes while they wait, the oldest is lost.
  ///
  /// - Parameter count: How many are kept, at least 1.
  /// - Returns: The choice.
  public static func last(_ count: Int) -> EventBuffering {
    EventBuffering(kind: .last(checked(count)))
  }

  private static func checked(_ count: Int) -> Int {
    precondition(count > 0, "a stream keeps one event at least; the count was \(count)")
    return count
  }

  var isLimited: Bool { if case .unlimited = kind { false } else { true } }
}
