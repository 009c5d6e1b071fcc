import Synchronization

/// Which reactor: its type, a number that no other reactor of the process has, and a name if it has
/// one.
///
/// Its `description` is `Room#7 'lobby'`, or `Room#7` without a name.
public struct ReactorIdentity: Sendable, Hashable, CustomStringConvertible {
  /// The type of the reactor, which this file does not know; see `ReactorReport+Type`.
  let reactor: Any.Type

  /// Its number, from 1 on; given when it is first asked for, or the reactor named, and kept for
  /// good.
  public let number: UInt64

  /// What its author calls it: `Pipeline(named: "lobby")`.
  public let name: String?

  init(of reactor: Any.Type, number: UInt64, name: String?) {
    self.reactor = reactor
    self.number = number
    self.name = name
  }

  /// Whether both are the same reactor, whatever it is called.
  ///
  /// - Parameters:
  ///   - left: An identity.
  ///   - right: Another.
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
/// Those that were sent are numbered from 0 on, in the order in which they came, over all restarts;
/// those that a `transform(action:)` has made count by themselves. Its `description` is `7`, or
/// `hook-1`.
public struct ActionNumber: Sendable, Hashable, Comparable, CustomStringConvertible {
  /// The number; of one that a hook has made, with the highest bit set.
  public let rawValue: UInt64

  /// A number, as a reactor gives it.
  ///
  /// - Parameter rawValue: The number.
  public init(rawValue: UInt64) { self.rawValue = rawValue }

  /// Whether nobody sent the action: a hook has made it, of another one or of nothing.
  public var isMadeByHook: Bool { rawValue >= UnsentNumber.first }

  /// In the order in which they were sent; those that a hook has made come after all of them.
  public static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }

  /// The number in digits.
  public var description: String {
    isMadeByHook ? "hook-\(rawValue & ~UnsentNumber.first)" : "\(rawValue)"
  }
}

/// What tells a reactor from the others: made when somebody first asks, or when its author names
/// it.
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
