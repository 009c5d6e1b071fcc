import Synchronization

/// A value that counts as new on every assignment, equal or not, for alerts and other one-shot
/// events.
///
/// ```swift
/// struct State { @Pulse var alert: String? }
///
/// state.alert = "saved"  // in reduce
///
/// var last = await reactor.currentState.$alert
/// for await state in reactor.state where state.$alert.isNewer(than: last) {
///   last = state.$alert
///   show(state.alert)
/// }
/// ```
///
/// Each assignment takes a ticket that is unique in the process. To replace the whole state
/// therefore neither loses a pulse nor repeats one. Two pulses are equal if their values are.
///
/// The idea is ReactorKit's.
@propertyWrapper
public struct Pulse<Value> {
  private var value: Value

  /// The number of the last assignment, counted in the whole process; 0 if there was none.
  public private(set) var ticket: UInt64

  /// Creates a pulse that has not fired.
  ///
  /// - Parameter wrappedValue: The first value.
  public init(wrappedValue: Value) {
    value = wrappedValue
    ticket = 0
  }

  /// The value; assigning it fires the pulse.
  public var wrappedValue: Value {
    get { value }
    set {
      value = newValue
      ticket = PulseTickets.next()
    }
  }

  /// The pulse itself, to check whether it has fired.
  public var projectedValue: Pulse { self }

  /// Returns whether this pulse has fired since the other was read.
  ///
  /// - Parameter other: The same pulse in an earlier state.
  /// - Returns: True if there was an assignment in between.
  public func isNewer(than other: Pulse) -> Bool { ticket > other.ticket }
}

extension Pulse: Sendable where Value: Sendable {}

extension Pulse: Equatable where Value: Equatable {
  /// Compares the values, and ignores when they were assigned.
  ///
  /// - Parameters:
  ///   - lhs: A pulse.
  ///   - rhs: Another pulse.
  /// - Returns: True if the values are equal.
  public static func == (lhs: Pulse, rhs: Pulse) -> Bool { lhs.value == rhs.value }
}

extension Pulse: CustomDebugStringConvertible {
  /// The value, as it would be printed without the pulse around it.
  public var debugDescription: String { "\(value)" }
}

extension Pulse: CustomReactorReportable {
  /// The value as reports show it.
  public var reportDescription: String { ReportText.text(of: value) }
}

extension Pulse: CustomReflectable {
  /// The mirror of the value, so that code that prints or compares states by reflection finds no
  /// tickets.
  public var customMirror: Mirror { Mirror(reflecting: value) }
}

/// A pulse of any value, to be found in a state by reflection.
package protocol AnyPulse {
  var ticket: UInt64 { get }
}

extension Pulse: AnyPulse {}

/// Counts the assignments in the process.
package enum PulseTickets {
  private static let count = Atomic<UInt64>(0)

  /// The ticket that was taken last; every later assignment has a higher one.
  package static var latest: UInt64 { count.load(ordering: .relaxed) }

  static func next() -> UInt64 { count.add(1, ordering: .relaxed).newValue }
}
