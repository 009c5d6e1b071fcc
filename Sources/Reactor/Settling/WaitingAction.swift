/// An action that waits for another one: because its work asks it, or because that one is in its
/// lane.
///
/// A list of them is in ``ActionOutcome/circle(_:)``: each waits for the next.
public struct WaitingAction: Sendable, Equatable, CustomStringConvertible {
  /// The reactor whose action it is.
  public let reactor: ReactorIdentity

  /// The action's number.
  public let actionNumber: ActionNumber

  /// What kind of action, as ``ReportText/name(of:)`` says it.
  public let actionName: String

  /// As reports name it: `action 12 'buy' of Office#1`.
  public var description: String { "action \(actionNumber) '\(actionName)' of \(reactor)" }
}
