import Reactor
import ReactorRuntime

/// The generations of a screen's reactor: the current one, and another for each restart.
///
/// The state stream of a generation ends when the reactor is stopped, so each generation needs a
/// subscription of its own.
struct Generations: Sendable {
  /// An element for each generation, when it begins.
  let beginnings: AsyncStream<Void>
  private let beginning: AsyncStream<Void>.Continuation
  private let restarts: Task<Void, Never>

  /// Starts to count the generations, with the current one.
  init(of reactor: some Reactor) {
    let (beginnings, beginning) = AsyncStream.makeStream(of: Void.self)
    beginning.yield()
    restarts = PipelineTasks.inheriting { [restarts = reactor.restarts()] in
      for await _ in restarts { beginning.yield() }
    }
    (self.beginnings, self.beginning) = (beginnings, beginning)
  }

  /// Ends the stream after the generations that have begun.
  func finish() {
    restarts.cancel()
    beginning.finish()
  }
}
