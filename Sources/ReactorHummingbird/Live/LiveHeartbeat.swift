import Reactor
import ReactorRuntime

/// The heartbeat of all streams of a route: one task, which only exists while a client is
/// connected.
///
/// Holds: `state`, guarded by its own lock.
final class LiveHeartbeat: Sendable {
  private struct State: Sendable {
    var notifications: [ObjectIdentifier: LiveNotifications] = [:]
    var task: Task<Void, Never>?
  }

  private let state = Guarded(State())
  private let interval: Duration
  private let clock: any Clock<Duration>

  init(_ options: LiveOptions) {
    interval = options.heartbeat
    clock = options.clock
  }

  deinit { state.withLock { $0.task }?.cancel() }

  func subscribe(_ notifications: LiveNotifications) {
    state.withLock { state in
      state.notifications[ObjectIdentifier(notifications)] = notifications
      if state.task == nil { state.task = start() }
    }
  }

  func unsubscribe(_ notifications: LiveNotifications) {
    let task = state.withLock { state -> Task<Void, Never>? in
      state.notifications[ObjectIdentifier(notifications)] = nil
      return state.notifications.isEmpty ? state.task.take() : nil
    }
    task?.cancel()
  }

  private func start() -> Task<Void, Never> {
    Task.detached { [weak self, interval, clock] in
      while (try? await clock.sleep(for: interval)) != nil {
        guard let all = self?.all else { return }
        for notifications in all { notifications.requestHeartbeat() }
      }
    }
  }

  private var all: [LiveNotifications] { state.withLock { Array($0.notifications.values) } }
}
