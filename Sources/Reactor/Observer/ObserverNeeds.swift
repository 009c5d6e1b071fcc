/// What an observer needs to be told, so that nobody pays for the rest.
///
/// ```swift
/// final class Counting: ReactorObserver {
///   let needs: ObserverNeeds = [.taken]
///   // …
/// }
/// ```
///
/// There are the steps, by what has happened, and what is to be in them. A step that several
/// observers are told is the same for all of them: one may find more in it than it needs.
public struct ObserverNeeds: OptionSet, Sendable {
  /// The set as bits.
  public let rawValue: UInt16

  /// A set of bits.
  ///
  /// - Parameter rawValue: The bits.
  @inlinable
  public init(rawValue: UInt16) { self.rawValue = rawValue }

  // MARK: Steps

  /// An action has been taken: ``ReactorStep/Kind/taken(waited:behind:)``.
  public static let taken = ObserverNeeds(rawValue: 1 << 0)
  /// An action has gone into a hook, or waits in a lane.
  public static let waiting = ObserverNeeds(rawValue: 1 << 1)
  /// An action is begun: ``ReactorStep/Kind/begun(waited:)``.
  public static let begun = ObserverNeeds(rawValue: 1 << 2)
  /// An action's own work is over: ``ReactorStep/Kind/ended(_:took:)``.
  public static let ended = ObserverNeeds(rawValue: 1 << 3)
  /// Effects begin and end.
  public static let effects = ObserverNeeds(rawValue: 1 << 4)
  /// Mutations are reduced.
  public static let mutations = ObserverNeeds(rawValue: 1 << 5)
  /// Outputs are put out.
  public static let outputs = ObserverNeeds(rawValue: 1 << 6)
  /// What reactors report.
  public static let reports = ObserverNeeds(rawValue: 1 << 7)
  /// Reactors start, stop, are released, and are kept up to somewhere.
  public static let life = ObserverNeeds(rawValue: 1 << 8)

  /// All steps of actions themselves.
  public static let actions: ObserverNeeds = [.taken, .waiting, .begun, .ended]
  /// All steps.
  public static let steps: ObserverNeeds = [
    .actions, .effects, .mutations, .outputs, .reports, .life,
  ]

  // MARK: What is in them

  /// When each step happened, how long things waited, and how long they took.
  public static let times = ObserverNeeds(rawValue: 1 << 9)
  /// What actions were sent by, and ``ReactorCause/current`` in their work.
  public static let causes = ObserverNeeds(rawValue: 1 << 10)
  /// The state before a mutation.
  ///
  /// To keep it, a state is copied that `reduce` could else change in place, which is dear where
  /// states are large.
  public static let oldStates = ObserverNeeds(rawValue: 1 << 11)

  // MARK: What the observer does

  /// It is asked for ``ReactorObserver/values(for:)``.
  public static let values = ObserverNeeds(rawValue: 1 << 12)
  /// It sends actions while it is told, or begins tasks that do.
  ///
  /// One that sends and does not say so is not kept from being told of what it sends for ever.
  public static let sends = ObserverNeeds(rawValue: 1 << 13)

  /// Everything.
  public static let everything: ObserverNeeds = [
    .steps, .times, .causes, .oldStates, .values, .sends,
  ]

  // MARK: Inside

  /// Task-local values come along with actions.
  @inlinable static var carried: ObserverNeeds { ObserverNeeds(rawValue: 1 << 14) }

  /// What only whoever sends an action can find out.
  static let ofSenders: ObserverNeeds = [.times, .causes, .sends, .carried]

  /// Whether what has been told of an action has to be remembered until it ends.
  var tracksActions: Bool { !isSubset(of: [.taken, .reports, .life, .times]) }
}
