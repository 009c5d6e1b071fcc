/// A door that opens once and lets one waiter through.
///
/// Holds: `state`, guarded by its own lock; a continuation is resumed outside it, and so is whoever
/// wants to be told rather than to wait.
@usableFromInline
package final class Latch: Sendable, Identifiable {
  private enum State {
    case closed
    case waiting(CheckedContinuation<Void, Never>)
    case open
  }

  private let state = Guarded(State.closed)
  private let hasOpened: (@Sendable () -> Void)?

  /// - Parameter hasOpened: Called once, when it opens.
  @usableFromInline
  package init(hasOpened: (@Sendable () -> Void)? = nil) { self.hasOpened = hasOpened }

  /// Opens the door; doing it again changes nothing.
  @usableFromInline
  package func open() {
    let (waiter, isFirst) = state.withLock {
      state -> (CheckedContinuation<Void, Never>?, Bool) in
      defer { state = .open }
      switch state {
      case .closed: return (nil, true)
      case .waiting(let waiter): return (waiter, true)
      case .open: return (nil, false)
      }
    }
    waiter?.resume()
    if isFirst { hasOpened?() }
  }

  /// Waits until the door is open, or until the waiting task is cancelled.
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
