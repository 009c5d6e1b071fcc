/// A latch that opens once and resumes one waiter.
///
/// Contains `state`, guarded by its own lock. The continuation is resumed, and `hasOpened` is
/// called, outside the lock.
@usableFromInline
package final class Latch: Sendable, Identifiable {
  private enum State: Sendable {
    case closed
    case waiting(CheckedContinuation<Void, Never>)
    case open
  }

  private let state = Guarded(State.closed)
  private let hasOpened: (@Sendable () -> Void)?

  /// - Parameter hasOpened: Called once, when the latch opens.
  @usableFromInline
  package init(hasOpened: (@Sendable () -> Void)? = nil) { self.hasOpened = hasOpened }

  /// Opens the latch; later calls have no effect.
  @usableFromInline
  package func open() {
    let before = state.withLock { state in
      defer { state = .open }
      return state
    }
    switch before {
    case .open: return
    case .waiting(let waiter): waiter.resume()
    case .closed: break
    }
    hasOpened?()
  }

  /// Waits until the latch is open, or until the waiting task is cancelled.
  @usableFromInline
  package func wait(isolation: isolated (any Actor)? = #isolation) async {
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
