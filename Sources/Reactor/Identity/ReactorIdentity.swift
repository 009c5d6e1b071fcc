import Synchronization

/// Identifies a reactor: its type, a number that is unique in the process, and its name if it has
/// one.
///
/// Its `description` is `Room#7 'lobby'`, or `Room#7` without a name.
public struct ReactorIdentity: Sendable, Hashable, CustomStringConvertible {
  /// The type of the reactor, which this layer does not know; see `ReactorReport+Type`.
  let reactor: Any.Type

  /// The reactor's number, from 1 on.
  ///
  /// It is assigned when it is first read, or when the reactor is named, and never changes.
  public let number: UInt64

  /// The name given by the author: `Pipeline(named: "lobby")`.
  public let name: String?

  init(of reactor: Any.Type, number: UInt64, name: String?) {
    self.reactor = reactor
    self.number = number
    self.name = name
  }

  /// Whether both identify the same reactor, regardless of its name.
  ///
  /// - Parameters:
  ///   - left: An identity.
  ///   - right: Another identity.
  /// - Returns: Whether type and number are the same.
  public static func == (left: ReactorIdentity, right: ReactorIdentity) -> Bool {
    left.number == right.number && left.reactor == right.reactor
  }

  /// Feeds the number to a hasher.
  ///
  /// - Parameter hasher: The hasher.
  public func hash(into hasher: inout Hasher) { hasher.combine(number) }

  /// The type, the number, and the name if there is one.
  public var description: String { "\(reactor)#\(number)" + (name.map { " '\($0)'" } ?? "") }
}

/// The number of an action in its reactor.
///
/// Actions that were sent are numbered from 0 on, in the order they were accepted, across all
/// restarts. Actions that a `transform(action:)` has made are counted separately. Its `description`
/// is `7`, or `hook-1`.
public struct ActionNumber: Sendable, Hashable, Comparable, CustomStringConvertible {
  /// The number; the highest bit is set if a hook made the action.
  public let rawValue: UInt64

  /// Creates a number from a reactor's raw value.
  ///
  /// - Parameter rawValue: The number.
  public init(rawValue: UInt64) { self.rawValue = rawValue }

  /// Whether a hook made the action, from another action or by itself, and no code sent it.
  public var isMadeByHook: Bool { rawValue >= HookActionNumber.first }

  /// Orders by when the actions were sent; those that a hook has made are after all of them.
  public static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }

  /// The number in digits.
  public var description: String {
    isMadeByHook ? "hook-\(rawValue & ~HookActionNumber.first)" : "\(rawValue)"
  }
}

/// Identifies a reactor among those of its type; made when it is first needed, or when the author
/// names it.
enum InstanceLabel: Sendable {
  case none
  case numbered(UInt64)
  case named(NamedInstance)
}

final class NamedInstance: Sendable {
  let number = InstanceNumbers.next()
  let name: String

  init(_ name: String) { self.name = name }
}

enum InstanceNumbers {
  private static let last = Atomic<UInt64>(0)

  static func next() -> UInt64 { last.add(1, ordering: .relaxed).newValue }
}
