import Foundation
import Reactor
import ReactorRuntime

/// The running commands of one reactor type on a host, and recently finished commands of other
/// hosts.
///
/// A repeated call that arrives late must find its command, also after the reactor has ended.
///
/// Holds: `state`, guarded by its own lock. Waiters are called outside the lock.
final class HostCommands: Sendable {
  fileprivate struct State: Sendable {
    /// Commands that are running, or finished and not yet removed.
    var commands: [UUID: RunningCommand] = [:]
    /// Commands that were cancelled before they arrived.
    var cancelled: Set<UUID> = []
    /// Finished commands, and those that were cancelled before they arrived, in two generations.
    ///
    /// When the newer generation is old enough, it replaces the older one, which is removed.
    var recent: [UUID] = []
    var before: [UUID] = []
    var forgotten: Duration
    /// Commands whose callers have yet to receive the outcome, or to call again after they were
    /// answered that it takes longer.
    var awaited: Set<UUID> = []
    var collectors: [OneShotEvent] = []
  }

  private let clock: ClusterClock
  /// The minimum time for which a finished command is remembered.
  private let memory: Duration
  private let state: Guarded<State>

  init(_ clock: ClusterClock, memory: Duration) {
    (self.clock, self.memory) = (clock, memory)
    state = Guarded(State(forgotten: clock.now()))
  }

  /// Adds a command; one that was cancelled before it arrived is cancelled at once.
  ///
  /// - Returns: The same command, if it is already running or finished.
  func enter(_ command: RunningCommand) -> RunningCommand? {
    let (known, isCancelled) = state.withLock { state -> (RunningCommand?, Bool) in
      if let known = state.commands[command.id] { return (known, false) }
      state.commands[command.id] = command
      return (nil, state.cancelled.remove(command.id) != nil)
    }
    if isCancelled { command.cancel() }
    return known
  }

  /// Returns the command, if it is running or finished.
  func known(_ id: UUID) -> RunningCommand? { state.withLock { $0.commands[id] } }

  /// Removes a command that has finished.
  ///
  /// A command of another host is remembered, since its answer may be lost, unless another host may
  /// know more about it.
  func leave(_ command: RunningCommand) {
    let isLasting = command.isRemote && command.result?.result().isLasting == true
    forgetOld { state in
      guard isLasting else { return state.forget(command.id) }
      state.recent.append(command.id)
    }
  }

  /// Removes a command that could not begin, so that its next attempt begins anew.
  func forget(_ command: RunningCommand) {
    forgetOld { $0.forget(command.id) }
  }

  /// Cancels a command; one that has not arrived is cancelled when it arrives.
  func cancel(_ id: UUID) {
    let command = forgetOld { state -> RunningCommand? in
      state.awaited.remove(id)
      if let command = state.commands[id] { return command }
      if state.cancelled.insert(id).inserted { state.recent.append(id) }
      return nil
    }
    command?.cancel()
  }

  private func forgetOld<Value: Sendable>(_ body: (inout State) -> Value) -> Value {
    let now = clock.now()
    let (value, collectors) = state.withLock { state -> (Value, [OneShotEvent]) in
      let value = body(&state)
      if now - state.forgotten >= memory {
        for id in state.before {
          state.forget(id)
          state.cancelled.remove(id)
        }
        (state.before, state.recent, state.forgotten) = (state.recent, [], now)
      }
      return (value, state.takeCollectors())
    }
    for collector in collectors { collector.fire() }
    return value
  }

  // MARK: Callers

  /// Records that a caller waits for the outcome.
  func isAwaited(_ id: UUID) { state.withLock { _ = $0.awaited.insert(id) } }

  /// Records that the caller has received the outcome.
  func isCollected(_ id: UUID) { forgetOld { _ = $0.awaited.remove(id) } }

  /// Returns when every caller has received the outcome of its command, or the task is cancelled.
  func allCollected() async {
    let collector = OneShotEvent()
    let isOver = state.withLock { state in
      if !state.awaited.isEmpty { state.collectors.append(collector) }
      return state.awaited.isEmpty
    }
    if !isOver { await collector.wait() }
  }
}

extension HostCommands.State {
  fileprivate mutating func forget(_ id: UUID) {
    commands[id] = nil
    awaited.remove(id)
  }

  fileprivate mutating func takeCollectors() -> [OneShotEvent] {
    guard awaited.isEmpty else { return [] }
    defer { collectors = [] }
    return collectors
  }
}
