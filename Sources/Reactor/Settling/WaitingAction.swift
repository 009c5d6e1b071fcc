/// An action that waits for another, either because its work asks the other, or because the other
/// is in its lane.
///
/// A list of them is in ``ActionOutcome/cycle(_:)``: each waits for the next.
public struct WaitingAction: Sendable, Equatable, CustomStringConvertible {
  /// The reactor of the action.
  public let reactor: ReactorIdentity

  /// The action's number.
  public let actionNumber: ActionNumber

  /// The kind of the action, as ``ReportText/name(of:)`` returns it.
  public let actionName: String

  /// The action as reports identify it: `action 12 'buy' of Office#1`.
  public var description: String { "action \(actionNumber) '\(actionName)' of \(reactor)" }
}
