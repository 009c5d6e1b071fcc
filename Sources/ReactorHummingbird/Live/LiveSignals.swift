import Reactor
import ReactorRuntime

/// Pending notifications for the stream of one client; their size is limited, however slow the
/// client is.
///
/// Holds: `state`, guarded by its own lock. The continuation is resumed outside the lock.
final class LiveSignals: Sendable {
  struct News: Sendable {
    /// The sources that have a newer state.
    var changed: Set<Int> = []
    /// Whether nothing has been written for some time.
    var isSilent = false
    /// Whether the stream is to end.
    var isOver = false

    var isEmpty: Bool { changed.isEmpty && !isSilent && !isOver }
  }

  private struct State: Sendable {
    var news = News()
    var waiter: CheckedContinuation<News, Never>?
    var hasWritten = false

    mutating func deliver() -> (CheckedContinuation<News, Never>, News)? {
      guard !news.isEmpty, let waiter = waiter.take() else { return nil }
      return (waiter, takeNews())
    }

    /// The end remains set.
    mutating func takeNews() -> News {
      defer { news = News(isOver: news.isOver) }
      return news
    }
  }

  private let state = Guarded(State())

  private func tell(_ change: (inout State) -> Void) {
    let delivery = state.withLock { state in
      change(&state)
      return state.deliver()
    }
    delivery?.0.resume(returning: delivery?.1 ?? News())
  }

  func mark(_ source: Int) { tell { $0.news.changed.insert(source) } }

  /// Signals a heartbeat if nothing was written since the last call.
  func beat() {
    tell { state in
      state.news.isSilent = !state.hasWritten
      state.hasWritten = false
    }
  }

  /// Signals that the stream is to end.
  func end() { tell { $0.news.isOver = true } }

  func hasWritten() { state.withLock { $0.hasWritten = true } }

  /// Waits for notifications; on cancellation, the stream is to end.
  func news() async -> News {
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let news = state.withLock { state -> News? in
          if !state.news.isEmpty { return state.takeNews() }
          state.waiter = continuation
          return nil
        }
        if let news { continuation.resume(returning: news) }
      }
    } onCancel: {
      end()
    }
  }
}
