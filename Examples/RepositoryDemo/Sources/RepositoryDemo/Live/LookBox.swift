import Synchronization

/// The newest look of one stream, with a signal that there is a newer one.
///
/// Tasks that observe changes update it; the stream reads it when its browser can receive more.
/// However slow the browser is, there is one look and no queue.
///
/// Holds: `state`, guarded by its own lock.
final class LookBox: Sendable {
  private struct State: Sendable {
    var look: Look
    var isBeat = false
  }

  private let state: Mutex<State>
  /// One element for any number of changes since the last one.
  let news: AsyncStream<Void>
  private let tell: AsyncStream<Void>.Continuation

  init(_ look: Look) {
    state = Mutex(State(look: look))
    (news, tell) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    tell.yield()
  }

  func update(_ change: (inout Look) -> Void) {
    state.withLock { change(&$0.look) }
    tell.yield()
  }

  /// Signals that some time has passed.
  func beat() {
    state.withLock { $0.isBeat = true }
    tell.yield()
  }

  func end() { tell.finish() }

  /// Returns the look, and whether time has passed since it was last taken.
  func take() -> (look: Look, isBeat: Bool) {
    state.withLock { state in
      defer { state.isBeat = false }
      return (state.look, state.isBeat)
    }
  }
}
