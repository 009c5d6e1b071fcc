import Reactor
import ReactorRuntime

/// Finds out what keeps coming in a scenario that never rests.
///
/// It looks at what is done after so many steps that only what keeps coming is still there. Made as
/// that begins; it observes all reactors until it ends.
final class Restlessness: ReactorObserver {
  /// After how many steps in a row a scenario is held to never rest; fewer in the tests of that.
  @TaskLocal static var limit = 1_000_000

  private let runner: SimulationExecutor
  /// How often which action has been taken.
  private let taken = Guarded<[String: Int]>([:])
  private let registration = Guarded<Registration?>(nil)

  init(in runner: SimulationExecutor) {
    self.runner = runner
    let registration = ReactorObservers.add(self)
    self.registration.withLock { $0 = registration }
  }

  var needs: ObserverNeeds { .taken }

  func observe(_ step: ReactorStep) {
    // Others run beside it, in simulations of their own.
    guard case .taken = step.kind, let action = step.action,
      SimulatedExecutor.current === runner
    else { return }
    taken.withLock { $0["'\(action.name)' of \(step.reactor)", default: 0] += 1 }
  }

  /// Stops looking.
  ///
  /// - Returns: One line: what was wrong, what keeps coming, and what would do.
  func end() -> String {
    registration.withLock { $0.take() }?.remove()
    let most = taken.withLock { taken in
      taken.max { ($0.value, $1.key) < ($1.value, $0.key) }?.key
    }
    let what = most ?? "no action: a task that goes round in a loop, say"
    return "the scenario never rests: after \(Self.limit) steps something can still run, and what "
      + "keeps coming is \(what); let it wait for the clock, or for an action"
  }
}
