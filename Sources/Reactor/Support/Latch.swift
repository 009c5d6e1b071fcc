/// A door that opens once and lets one waiter through.
///
/// Holds: `state`, guarded by its own lock; a continuation is resumed outside it.
@usableFromInline
final class Latch: Sendable {
  private enum State {
    case closed
    case waiting(CheckedContinuation<Void, Never>)
    case open
  }

  private let state = Guarded(State.closed)

  /// Opens the door; doing it again changes nothing.
  func open() {
    let waiter = state.withLock { state -> CheckedContinuation<Void, Never>? in
      defer { state = .open }
      guard case .waiting(let waiter) = state else { return nil }
      return waiter
    }
    waiter?.resume()
  }

  /// Waits until the door is open, or until the waiting task is cancelled.
  func wait(isolation: isolated (any Actor)? = #isolation) async {
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let isOpen = state.withLock { state -> Bool in
          if case .open = state { return true }
          state = .waiting(continuation)
          return false
        }
        if isOpen { continuation.resume() }
      }
    } onCancel: {
      open()
    }
  }
}
