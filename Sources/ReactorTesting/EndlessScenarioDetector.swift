import Reactor
import ReactorRuntime

/// Finds the action that repeats in a scenario that never becomes idle.
///
/// It is created after so many steps that only what repeats can still run, and observes all
/// reactors until it ends.
final class EndlessScenarioDetector: ReactorObserver {
  /// The number of consecutive steps after which a scenario is considered endless; smaller in the
  /// tests of this type.
  @TaskLocal static var limit = 1_000_000

  private let runner: SimulationExecutor
  /// How often each action has been taken.
  private let taken = Guarded<[String: Int]>([:])
  private let registration = Guarded<Registration?>(nil)

  init(in runner: SimulationExecutor) {
    self.runner = runner
    let registration = ReactorObservers.add(self)
    self.registration.withLock { $0 = registration }
  }

  var needs: ObserverNeeds { .taken }

  func observe(_ step: ReactorStep) {
    // Other reactors run at the same time, in other simulations.
    guard case .taken = step.kind, let action = step.action,
      SimulatedExecutor.current === runner
    else { return }
    taken.withLock { $0["'\(action.name)' of \(step.reactor)", default: 0] += 1 }
  }

  /// Ends the observation.
  ///
  /// - Returns: One line: what was wrong, what repeats, and how to correct it.
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
