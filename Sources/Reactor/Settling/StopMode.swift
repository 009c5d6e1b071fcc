/// What becomes of effects when a reactor is stopped.
public enum StopMode: Sendable {
  /// They are cancelled.
  case cancel
  /// They run to their ends, and so does what waits in a lane.
  case drain
}
