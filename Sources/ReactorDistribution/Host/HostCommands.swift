import Foundation
import Reactor
import ReactorRuntime

/// The commands of one kind of reactors that are under way on a host, and, for a while, those of
/// other hosts that are done: late repetitions must find them, also when the reactor has ended.
///
/// Holds: `state`, guarded by its own lock; what waits is called outside it.
final class HostCommands: Sendable {
  fileprivate struct State: Sendable {
    /// Under way, or done and not forgotten.
    var commands: [UUID: RunningCommand] = [:]
    /// Cancelled before they came.
    var cancelled: Set<UUID> = []
    /// Done, or cancelled before they came; the older ones are forgotten together, when the newer
    /// ones take their place.
    var recent: [UUID] = []
    var before: [UUID] = []
    var forgotten: Duration
    /// Whose callers have yet to be told what came of them, or to ask again, as they have been told
    /// that it takes longer.
    var awaited: Set<UUID> = []
    var collectors: [OneShot] = []
  }

  private let clock: ClusterClock
  /// For how long at least a command that is done is remembered.
  private let memory: Duration
  private let state: Guarded<State>

  init(_ clock: ClusterClock, memory: Duration) {
    (self.clock, self.memory) = (clock, memory)
    state = Guarded(State(forgotten: clock.now()))
  }

  /// A command comes in; one that has been cancelled before is cancelled at once.
  ///
  /// - Returns: The same command, where it is under way or done already.
  func enter(_ command: RunningCommand) -> RunningCommand? {
    let (known, isCancelled) = state.withLock { state -> (RunningCommand?, Bool) in
      if let known = state.commands[command.id] { return (known, false) }
      state.commands[command.id] = command
      return (nil, state.cancelled.remove(command.id) != nil)
    }
    if isCancelled { command.cancel() }
    return known
  }

  /// The command, where it is under way or done already.
  func known(_ id: UUID) -> RunningCommand? { state.withLock { $0.commands[id] } }

  /// A command is done.
  ///
  /// One of another host, whose answer may get lost, is remembered; unless another host can say
  /// more of it.
  func leave(_ command: RunningCommand) {
    let isLasting = command.isRemote && command.result?.result().isLasting == true
    forgetOld { state in
      guard isLasting else { return state.forget(command.id) }
      state.recent.append(command.id)
    }
  }

  /// A command could not be begun: its next attempt begins anew.
  func forget(_ command: RunningCommand) {
    forgetOld { $0.forget(command.id) }
  }

  /// Cancels a command; one that has yet to come is cancelled when it does.
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
    let (value, collectors) = state.withLock { state -> (Value, [OneShot]) in
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
    for collector in collectors { collector.happen() }
    return value
  }

  // MARK: Callers

  /// A caller is to be told what comes of it.
  func isAwaited(_ id: UUID) { state.withLock { _ = $0.awaited.insert(id) } }

  /// Its caller has been told what came of it.
  func isCollected(_ id: UUID) { forgetOld { _ = $0.awaited.remove(id) } }

  /// Returns when every caller has been told what came of what it asked for, or the task is
  /// cancelled.
  func allCollected() async {
    let collector = OneShot()
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

  fileprivate mutating func takeCollectors() -> [OneShot] {
    guard awaited.isEmpty else { return [] }
    defer { collectors = [] }
    return collectors
  }
}
