/// What happens to effects when a reactor is stopped.
public enum StopMode: Sendable {
  /// They are cancelled. Actions that wait in a lane never begin: their outcome is
  /// ``ActionOutcome/neverBegun``.
  case cancel
  /// They run to their ends, and so do the actions that wait in a lane.
  case drain
}
