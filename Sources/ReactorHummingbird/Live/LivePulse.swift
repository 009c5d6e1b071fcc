import Reactor
import ReactorRuntime

/// The heartbeat of all streams of a route: one task, which only exists while a client is
/// connected.
///
/// Holds: `state`, guarded by its own lock.
final class LivePulse: Sendable {
  private struct State: Sendable {
    var signals: [ObjectIdentifier: LiveSignals] = [:]
    var beating: Task<Void, Never>?
  }

  private let state = Guarded(State())
  private let interval: Duration
  private let clock: any Clock<Duration>

  init(_ options: LiveOptions) {
    interval = options.heartbeat
    clock = options.clock
  }

  deinit { state.withLock { $0.beating }?.cancel() }

  func join(_ signals: LiveSignals) {
    state.withLock { state in
      state.signals[ObjectIdentifier(signals)] = signals
      if state.beating == nil { state.beating = beat() }
    }
  }

  func leave(_ signals: LiveSignals) {
    let beating = state.withLock { state -> Task<Void, Never>? in
      state.signals[ObjectIdentifier(signals)] = nil
      return state.signals.isEmpty ? state.beating.take() : nil
    }
    beating?.cancel()
  }

  private func beat() -> Task<Void, Never> {
    Task.detached { [weak self, interval, clock] in
      while (try? await clock.sleep(for: interval)) != nil {
        guard let all = self?.all else { return }
        for signals in all { signals.beat() }
      }
    }
  }

  private var all: [LiveSignals] { state.withLock { Array($0.signals.values) } }
}
