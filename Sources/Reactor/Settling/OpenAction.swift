/// An action whose own work goes on after its turn: what, since when, and where it stands.
///
/// Its `description` is one line of text.
public struct OpenAction: Sendable, CustomStringConvertible {
  /// Where an action stands.
  public enum Standing: Sendable, Hashable {
    /// Its effects run; in this lane, if it has one.
    case running(lane: LaneKey?)
    /// It waits in this lane, and has yet to start.
    case waiting(lane: LaneKey)
  }

  /// The action.
  public let action: any Sendable

  /// Its number, by which reports and its receipt name it.
  public let number: ActionNumber

  /// Whether it runs, or waits in a lane.
  public let standing: Standing

  /// Since when it has run, or waited; `nil` in a simulation, which has no such moments.
  public let since: ContinuousClock.Instant?

  /// How long it had run, or waited, when this was asked for; in a simulation, by its clock.
  public let age: Duration

  /// One line: the number, the action, where it stands, and for how long.
  ///
  /// What the action carries is not in it, unless the action says so itself; see ``ReportText``.
  public var description: String {
    let place =
      switch standing {
      case .running(nil): "running"
      case .running(let lane?): "running in lane '\(lane.reportText)'"
      case .waiting(let lane): "waiting in lane '\(lane.reportText)'"
      }
    return "#\(number) '\(ReportText.text(of: action))', \(place) for \(age)"
      .split(whereSeparator: \.isNewline).joined(separator: " ")
  }
}
