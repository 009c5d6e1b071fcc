import Synchronization

/// The newest look of one stream, and word that there is a newer one.
///
/// Written by whoever hears of a change, read by the stream when its browser can take more. However
/// slow that is, there is one look and no queue.
///
/// Holds: `state`, guarded by its own lock.
final class LookBox: Sendable {
  private struct State: Sendable {
    var look: Look
    var isBeat = false
  }

  private let state: Mutex<State>
  /// One for any number of changes since the last.
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

  /// Some time has passed.
  func beat() {
    state.withLock { $0.isBeat = true }
    tell.yield()
  }

  func end() { tell.finish() }

  /// The look, and whether time has passed since it was taken last.
  func take() -> (look: Look, isBeat: Bool) {
    state.withLock { state in
      defer { state.isBeat = false }
      return (state.look, state.isBeat)
    }
  }
}
