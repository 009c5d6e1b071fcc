import Reactor
import ReactorRuntime

/// What one client's stream is to be told: a plain list, however slow the client is.
///
/// Holds: `state`, guarded by its own lock; the continuation is resumed outside it.
final class LiveSignals: Sendable {
  struct News: Sendable {
    /// Which of its sources have a newer state.
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

    /// What is over stays so.
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

  /// Some time has passed; was there nothing written in it, something will be.
  func beat() {
    tell { state in
      state.news.isSilent = !state.hasWritten
      state.hasWritten = false
    }
  }

  /// The stream is to end.
  func end() { tell { $0.news.isOver = true } }

  func hasWritten() { state.withLock { $0.hasWritten = true } }

  /// Waits for news; cancelled, it is over.
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
