/// What happens to effects when a reactor is stopped.
public enum StopMode: Sendable {
  /// They are cancelled.
  case cancel
  /// They run to their ends, and so do the actions that wait in a lane.
  case drain
}
