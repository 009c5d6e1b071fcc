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
