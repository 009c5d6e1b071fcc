import ReactorRuntime

/// The command that is being executed, which Ctrl-C cancels.
///
/// Holds: `state`, guarded by its own lock; the closure is called outside it.
final class RunningCommand: Sendable {
  private enum State: Sendable {
    case none
    /// The command of this line is executed; the closure cancels it.
    case running(line: String, cancel: (@Sendable () -> Void)?)
    case interrupted
  }

  private let state = Guarded(State.none)

  func begin(_ line: String) { state.withLock { $0 = .running(line: line, cancel: nil) } }

  func end() { state.withLock { $0 = .none } }

  /// Sets what an interruption cancels; if there was one, calls it at once.
  func setCancel(_ cancel: @escaping @Sendable () -> Void) {
    let isInterrupted = state.withLock { state in
      switch state {
      case .none: return false
      case .running(let line, _):
        state = .running(line: line, cancel: cancel)
        return false
      case .interrupted: return true
      }
    }
    if isInterrupted { cancel() }
  }

  var isInterrupted: Bool {
    state.withLock { state in if case .interrupted = state { true } else { false } }
  }

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
      switch state {
      case .none: return (.noCommand, nil)
      case .running(let line, let cancel):
        state = .interrupted
        return (.cancelled(line), cancel)
      case .interrupted: return (.repeated, nil)
      }
    }
    cancel?()
    return interruption
  }
}
