/// How a process ended.
public enum ExitStatus: Equatable, Sendable {
  /// It ended by itself, with this status.
  case exited(Int32)
  /// A signal with this number ended it.
  case signalled(Int32)

  /// Creates the status from the result of `waitpid`.
  init(waitStatus: Int32) {
    let signal = waitStatus & 0x7f
    self = signal == 0 ? .exited((waitStatus >> 8) & 0xff) : .signalled(signal)
  }
}
