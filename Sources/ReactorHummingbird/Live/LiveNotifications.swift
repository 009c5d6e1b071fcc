import Reactor
import ReactorRuntime

/// Pending notifications for the stream of one client; their size is limited, however slow the
/// client is.
///
/// Holds: `state`, guarded by its own lock. The continuation is resumed outside the lock.
final class LiveNotifications: Sendable {
  struct Pending: Sendable {
    /// The sources that have a newer state.
    var changed: Set<Int> = []
    /// Whether nothing has been written for some time.
    var needsHeartbeat = false
    /// Whether the stream is to end.
    var isOver = false

    var isEmpty: Bool { changed.isEmpty && !needsHeartbeat && !isOver }
  }

  private struct State: Sendable {
    var pending = Pending()
    var waiter: CheckedContinuation<Pending, Never>?
    var hasWritten = false

    mutating func deliver() -> (CheckedContinuation<Pending, Never>, Pending)? {
      guard !pending.isEmpty, let waiter = waiter.take() else { return nil }
      return (waiter, takePending())
    }

    /// The end remains set.
    mutating func takePending() -> Pending {
      defer { pending = Pending(isOver: pending.isOver) }
      return pending
    }
  }

  private let state = Guarded(State())

  private func update(_ change: (inout State) -> Void) {
    let delivery = state.withLock { state in
      change(&state)
      return state.deliver()
    }
    delivery?.0.resume(returning: delivery?.1 ?? Pending())
  }

  func markChanged(_ source: Int) { update { $0.pending.changed.insert(source) } }

  /// Signals a heartbeat if nothing was written since the last call.
  func requestHeartbeat() {
    update { state in
      state.pending.needsHeartbeat = !state.hasWritten
      state.hasWritten = false
    }
  }

  /// Signals that the stream is to end.
  func end() { update { $0.pending.isOver = true } }

  func didWrite() { state.withLock { $0.hasWritten = true } }

  /// Waits for notifications; on cancellation, the stream is to end.
  func next() async -> Pending {
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let pending = state.withLock { state -> Pending? in
          if !state.pending.isEmpty { return state.takePending() }
          state.waiter = continuation
          return nil
        }
        if let pending { continuation.resume(returning: pending) }
      }
    } onCancel: {
      end()
    }
  }
}
