public import Reactor

/// The reason why a call of a registry failed.
public enum RegistryError: Error, Equatable, CustomStringConvertible {
  /// The registry has been stopped.
  case stopped
  /// The reactor did not accept the action.
  case refused(ActionRefusal)
  /// The creation of a reactor would have waited for itself.
  ///
  /// The value is the keys of the cycle; the last key is the first one again.
  case cycle([String])

  /// The reason in one line.
  public var description: String {
    switch self {
    case .stopped: "the registry has been stopped"
    case .refused(let refusal): "the reactor refused the action: \(refusal)"
    case .cycle(let keys):
      "making a reactor waits for itself: \(keys.joined(separator: " needs "))"
    }
  }
}
