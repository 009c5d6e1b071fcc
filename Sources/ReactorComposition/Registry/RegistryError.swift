public import Reactor

/// Why a registry could not do what it was asked to.
public enum RegistryError: Error, Equatable, CustomStringConvertible {
  /// It has been stopped.
  case stopped
  /// The reactor did not accept the action.
  case refused(ActionRefusal)
  /// Making a reactor would have waited for itself: the keys, the last of which is the first again.
  case circle([String])

  /// One line.
  public var description: String {
    switch self {
    case .stopped: "the registry has been stopped"
    case .refused(let refusal): "the reactor refused the action: \(refusal)"
    case .circle(let keys):
      "making a reactor waits for itself: \(keys.joined(separator: " needs "))"
    }
  }
}

/// What a registry has had to leave behind when it was stopped.
///
/// Its `description` is one line of text.
public struct AbandonedReactor<ID: Hashable & Sendable>: Sendable, CustomStringConvertible {
  /// Its key.
  public let id: ID
  /// Which reactor, it or a child of it; `nil` where it was still being made.
  public let reactor: ReactorIdentity?
  /// What was cut short, in the order in which it was sent.
  public let actions: [OpenAction]

  /// One line: the key, and what was cut short.
  public var description: String {
    let key = ReportText.text(of: id)
    guard let reactor else { return "'\(key)': still being made" }
    return "'\(key)' (\(reactor)): " + actions.map { "\($0)" }.joined(separator: ", ")
  }
}
