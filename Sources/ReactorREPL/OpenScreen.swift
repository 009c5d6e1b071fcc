import Reactor

/// A screen while it is open, and what the loop stores for it.
struct OpenScreen<S: Screen>: Sendable {
  let screen: S
  let generations: Generations
  let pending = PendingOutcomes<S.R>()
  let running = RunningCommand()

  init(_ screen: S) {
    self.screen = screen
    generations = Generations(of: screen.reactor)
  }
}
