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
    var newer: [UUID] = []
    var older: [UUID] = []
    var lastRotation: Duration
    /// Commands whose callers have yet to receive the outcome, or to call again after they were
    /// answered that it takes longer.
    var awaited: Set<UUID> = []
    var deliveryWaiters: [OneShotEvent] = []
  }

  private let clock: ClusterClock
  /// The minimum time for which a finished command is remembered.
  private let retention: Duration
  private let state: Guarded<State>

  init(_ clock: ClusterClock, retention: Duration) {
    (self.clock, self.retention) = (clock, retention)
    state = Guarded(State(lastRotation: clock.now()))
  }

  /// Adds a command; one that was cancelled before it arrived is cancelled at once.
  ///
  /// - Returns: The same command, if it is already running or finished.
  func register(_ command: RunningCommand) -> RunningCommand? {
    let (known, isCancelled) = state.withLock { state -> (RunningCommand?, Bool) in
      if let known = state.commands[command.id] { return (known, false) }
      state.commands[command.id] = command
      return (nil, state.cancelled.remove(command.id) != nil)
    }
    if isCancelled { command.cancel() }
    return known
  }

  /// Returns the command, if it is running or finished.
  func command(_ id: UUID) -> RunningCommand? { state.withLock { $0.commands[id] } }

  /// Removes a command that has finished.
  ///
  /// A command of another host is remembered, since its answer may be lost, unless another host may
  /// know more about it.
  func finish(_ command: RunningCommand) {
    let isFinal = command.isRemote && command.result?.result().isFinal == true
    rotating { state in
      guard isFinal else { return state.remove(command.id) }
      state.newer.append(command.id)
    }
  }

  /// Removes a command that could not begin, so that its next attempt begins anew.
  func remove(_ command: RunningCommand) {
    rotating { $0.remove(command.id) }
  }

  /// Cancels a command; one that has not arrived is cancelled when it arrives.
  func cancel(_ id: UUID) {
    let command = rotating { state -> RunningCommand? in
      state.awaited.remove(id)
      if let command = state.commands[id] { return command }
      if state.cancelled.insert(id).inserted { state.newer.append(id) }
      return nil
    }
    command?.cancel()
  }

  private func rotating<Value: Sendable>(_ body: (inout State) -> Value) -> Value {
    let now = clock.now()
    let (value, waiters) = state.withLock { state -> (Value, [OneShotEvent]) in
      let value = body(&state)
      if now - state.lastRotation >= retention {
        for id in state.older {
          state.remove(id)
          state.cancelled.remove(id)
        }
        (state.older, state.newer, state.lastRotation) = (state.newer, [], now)
      }
      return (value, state.takeDeliveryWaiters())
    }
    for waiter in waiters { waiter.fire() }
    return value
  }

  // MARK: Callers

  /// Records that a caller waits for the outcome.
  func markAwaited(_ id: UUID) { state.withLock { _ = $0.awaited.insert(id) } }

  /// Records that the caller has received the outcome.
  func markDelivered(_ id: UUID) { rotating { _ = $0.awaited.remove(id) } }

  /// Returns when every caller has received the outcome of its command, or the task is cancelled.
  func waitUntilDelivered() async {
    let waiter = OneShotEvent()
    let isOver = state.withLock { state in
      if !state.awaited.isEmpty { state.deliveryWaiters.append(waiter) }
      return state.awaited.isEmpty
    }
    if !isOver { await waiter.wait() }
  }
}

extension HostCommands.State {
  fileprivate mutating func remove(_ id: UUID) {
    commands[id] = nil
    awaited.remove(id)
  }

  fileprivate mutating func takeDeliveryWaiters() -> [OneShotEvent] {
    guard awaited.isEmpty else { return [] }
    defer { deliveryWaiters = [] }
    return deliveryWaiters
  }
}
