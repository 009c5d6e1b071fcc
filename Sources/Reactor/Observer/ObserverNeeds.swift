/// The steps that an observer needs, so that nothing else has to be computed for it.
///
/// ```swift
/// final class Counting: ReactorObserver {
///   let needs: ObserverNeeds = [.taken]
///   // …
/// }
/// ```
///
/// It consists of the kinds of steps, and of the data in them. Several observers receive the same
/// step, so a step may contain more than one of them needs.
public struct ObserverNeeds: OptionSet, Sendable {
  /// The set as bits.
  public let rawValue: UInt16

  /// Creates a set from bits.
  ///
  /// - Parameter rawValue: The bits.
  @inlinable
  public init(rawValue: UInt16) { self.rawValue = rawValue }

  // MARK: Steps

  /// An action has been taken: ``ReactorStep/Kind/taken(waited:behind:)``.
  public static let taken = ObserverNeeds(rawValue: 1 << 0)
  /// An action has been passed to a hook, or waits in a lane.
  public static let waiting = ObserverNeeds(rawValue: 1 << 1)
  /// An action is begun: ``ReactorStep/Kind/begun(waited:)``.
  public static let begun = ObserverNeeds(rawValue: 1 << 2)
  /// An action's own work has ended: ``ReactorStep/Kind/ended(_:took:)``.
  public static let ended = ObserverNeeds(rawValue: 1 << 3)
  /// Effects begin and end.
  public static let effects = ObserverNeeds(rawValue: 1 << 4)
  /// Mutations are reduced.
  public static let mutations = ObserverNeeds(rawValue: 1 << 5)
  /// Outputs are delivered.
  public static let outputs = ObserverNeeds(rawValue: 1 << 6)
  /// Reactors report problems.
  public static let reports = ObserverNeeds(rawValue: 1 << 7)
  /// Reactors start, stop and are released; mutations become durable.
  public static let lifecycle = ObserverNeeds(rawValue: 1 << 8)

  /// All steps of actions themselves.
  public static let actions: ObserverNeeds = [.taken, .waiting, .begun, .ended]
  /// All steps.
  public static let steps: ObserverNeeds = [
    .actions, .effects, .mutations, .outputs, .reports, .lifecycle,
  ]

  // MARK: Data of steps

  /// The time of each step, and how long things waited and took.
  public static let times = ObserverNeeds(rawValue: 1 << 9)
  /// The action that sent an action, and ``ReactorCause/current`` in their work.
  public static let causes = ObserverNeeds(rawValue: 1 << 10)
  /// The state before a mutation.
  ///
  /// To keep it, a state is copied that `reduce` could otherwise change in place. That is expensive
  /// if states are large.
  public static let oldStates = ObserverNeeds(rawValue: 1 << 11)

  // MARK: Behaviour of the observer

  /// ``ReactorObserver/values(for:)`` is called.
  public static let values = ObserverNeeds(rawValue: 1 << 12)
  /// The observer sends actions while it is notified, or starts tasks that do.
  ///
  /// Without this need, an observer that sends can be notified of its own actions without end.
  public static let sends = ObserverNeeds(rawValue: 1 << 13)

  /// Everything.
  public static let everything: ObserverNeeds = [
    .steps, .times, .causes, .oldStates, .values, .sends,
  ]

  // MARK: Internal

  /// Task-local values are carried with actions.
  @inlinable static var carried: ObserverNeeds { ObserverNeeds(rawValue: 1 << 14) }

  /// The data that is available only when an action is sent.
  static let fromSender: ObserverNeeds = [.times, .causes, .sends, .carried]

  /// Whether an action has to be recorded until it ends.
  var tracksActions: Bool { !isSubset(of: [.taken, .reports, .lifecycle, .times]) }
}
