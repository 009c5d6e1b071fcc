import ReactorRuntime

/// The command that is being executed, which Ctrl-C cancels.
///
/// Holds: `state`, guarded by its own lock; the closure is called outside it.
final class RunningCommand: Sendable {
  private struct State: Sendable {
    /// The line that has the command; nil while none is executed.
    var line: String?
    var isInterrupted = false
    var cancel: (@Sendable () -> Void)?
  }

  private let state = Guarded(State())

  func begin(_ line: String) { state.withLock { $0 = State(line: line) } }

  func end() { state.withLock { $0 = State() } }

  /// Sets what an interruption cancels; if there was one, calls it at once.
  func setCancel(_ cancel: @escaping @Sendable () -> Void) {
    let isInterrupted = state.withLock { state in
      state.cancel = cancel
      return state.isInterrupted
    }
    if isInterrupted { cancel() }
  }

  var isInterrupted: Bool { state.withLock { $0.isInterrupted } }

  /// The result of an interruption.
  enum Interruption: Sendable {
    case noCommand
    /// The command of this line was cancelled.
    case cancelled(String)
    /// It had been interrupted before.
    case repeated
  }

  func interrupt() -> Interruption {
    let (interruption, cancel) = state.withLock {
      state -> (Interruption, (@Sendable () -> Void)?) in
      guard let line = state.line else { return (.noCommand, nil) }
      guard !state.isInterrupted else { return (.repeated, nil) }
      state.isInterrupted = true
      return (.cancelled(line), state.cancel)
    }
    cancel?()
    return interruption
  }
}
