import Foundation
import Reactor
import ReactorJournal

/// A reactor that this host has: how far its journal is, and which commands it works on.
///
/// Holds: `state`, guarded by its own lock; what waits is called outside it.
final class HeldKey: Sendable {
  private struct State: Sendable {
    var last: Int
    var hasWritten = false
    var takingsAreForgotten = false
    var lastWaiter = 0
    var waiters: [Int: OneShot] = [:]
    /// Commands that are under way, or whose answers are not in the store.
    var commands: [UUID: RunningCommand] = [:]
    var byNumber: [UInt64: RunningCommand] = [:]
    /// Those of other hosts that are done: late repetitions must find them.
    ///
    /// The older ones are forgotten together, when the newer ones take their place.
    var done: [UUID] = []
    var doneBefore: [UUID] = []
    var forgotten: Duration
  }

  let key: JournalKey
  let epoch: Int
  /// How often it had been taken without having recovered.
  let takings: Int
  private let clock: ClusterClock
  /// For how long at least a command that is done is remembered.
  private let memory: Duration
  private let state: Guarded<State>
  /// The reactor has ended.
  let ended = OneShot()

  init(
    _ key: JournalKey, epoch: Int, takings: Int, last: Int, _ clock: ClusterClock, memory: Duration
  ) {
    (self.key, self.epoch, self.takings) = (key, epoch, takings)
    (self.clock, self.memory) = (clock, memory)
    state = Guarded(State(last: last, forgotten: clock.now()))
  }

  // MARK: The journal

  /// The last entry that has been kept.
  var last: Int { state.withLock { $0.last } }

  /// What is to be written: the entries, and the commands that they are the first of.
  func batch(_ entries: [JournalEntry]) -> ClusterBatch {
    let (commands, isFirst) = state.withLock { state in
      var found: [CommandRecord] = []
      for entry in entries {
        guard let number = entry.actionNumber, let command = state.byNumber[number] else {
          continue
        }
        state.byNumber[number] = nil
        if let record = command.record(at: entry.sequence) { found.append(record) }
      }
      return (found, !state.hasWritten)
    }
    return ClusterBatch(entries: entries, commands: commands, isFirst: isFirst)
  }

  /// - Returns: Whether nobody has done so yet.
  func takesBackTakings() -> Bool {
    state.withLock { state in
      defer { state.takingsAreForgotten = true }
      return !state.takingsAreForgotten
    }
  }

  func hasKept(_ batch: ClusterBatch) {
    let waiters = state.withLock { state in
      state.hasWritten = true
      state.last = batch.entries.last?.sequence ?? state.last
      defer { state.waiters = [:] }
      return state.waiters.sorted { $0.key < $1.key }.map(\.value)
    }
    for waiter in waiters { waiter.happen() }
  }

  /// Returns when there is an entry after this one, when the reactor has ended, or when cancelled.
  func wait(after sequence: Int) async {
    let more = OneShot()
    let number = state.withLock { state -> Int? in
      if state.last > sequence { return nil }
      state.lastWaiter += 1
      state.waiters[state.lastWaiter] = more
      return state.lastWaiter
    }
    guard let number else { return }
    let end = ended.whenHappened { more.happen() }
    await more.wait()
    ended.takeBack(end)
    state.withLock { _ = $0.waiters.removeValue(forKey: number) }
  }

  // MARK: Commands

  /// A command comes in.
  ///
  /// - Returns: The same command, where it is under way or done already.
  func enter(_ command: RunningCommand) -> RunningCommand? {
    state.withLock { state in
      if let known = state.commands[command.id] { return known }
      state.commands[command.id] = command
      return nil
    }
  }

  /// Sends an action as a command's, so that its first mutation is known when it is kept.
  func send(
    _ command: RunningCommand, _ send: () -> (number: UInt64?, cancel: @Sendable () -> Void)
  ) {
    state.withLock { state in
      let sent = send()
      if let number = sent.number { state.byNumber[number] = command }
      command.begun(number: sent.number, cancel: sent.cancel)
    }
  }

  /// A command is done.
  ///
  /// One of another host, whose answer may get lost, is remembered for a while.
  func leave(_ command: RunningCommand) {
    let now = clock.now()
    state.withLock { state in
      if let number = command.number { state.byNumber[number] = nil }
      guard command.isRemote else {
        state.commands[command.id] = nil
        return
      }
      state.done.append(command.id)
      guard now - state.forgotten >= memory else { return }
      for id in state.doneBefore { state.commands[id] = nil }
      (state.doneBefore, state.done, state.forgotten) = (state.done, [], now)
    }
  }

  /// A command could not be begun: its next attempt begins anew.
  func forget(_ command: RunningCommand) {
    state.withLock { $0.commands[command.id] = nil }
  }

  func cancel(_ id: UUID) { state.withLock { $0.commands[id] }?.cancel() }
}

extension JournalEntry {
  /// The number of the action whose work it is.
  fileprivate var actionNumber: UInt64? {
    cause.flatMap { $0.split(separator: ".").last }.flatMap { UInt64($0) }
  }
}
