/// An action whose own work continues after its turn: which action, since when, and whether it runs
/// or waits.
///
/// Its `description` is one line of text.
public struct OpenAction: Sendable, CustomStringConvertible {
  /// Whether an action runs or waits.
  public enum Status: Sendable, Hashable {
    /// Its effects run; in this lane, if it has one.
    case running(lane: LaneKey?)
    /// It waits in this lane, and has not started yet.
    case waiting(lane: LaneKey)
  }

  /// The action.
  public let action: any Sendable

  /// Its number, by which reports and its receipt identify it.
  public let number: ActionNumber

  /// Whether it runs, or waits in a lane.
  public let status: Status

  /// Since when it has run or waited; `nil` in a simulation, which has no such instants.
  public let since: ContinuousClock.Instant?

  /// How long it had run or waited when this value was created; in a simulation, by its clock.
  public let age: Duration

  /// One line: the number, the action, whether it runs or waits, and for how long.
  ///
  /// It does not contain the action's associated values, unless the action's own description does;
  /// see ``ReportText``.
  public var description: String {
    let place =
      switch status {
      case .running(nil): "running"
      case .running(let lane?): "running in lane '\(lane.reportText)'"
      case .waiting(let lane): "waiting in lane '\(lane.reportText)'"
      }
    return "#\(number) '\(ReportText.text(of: action))', \(place) for \(age)"
      .split(whereSeparator: \.isNewline).joined(separator: " ")
  }
}
