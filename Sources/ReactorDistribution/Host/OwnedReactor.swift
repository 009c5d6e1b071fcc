import Foundation
import Reactor
import ReactorJournal
import ReactorRuntime

/// A reactor that this host owns: the end of its journal, and the commands to store in it.
///
/// Holds: `state`, guarded by its own lock. Waiters are called outside the lock.
final class OwnedReactor: Sendable {
  private struct State: Sendable {
    var last: Int
    var hasWritten = false
    var areTakingsReset = false
    var lastWaiter = 0
    var waiters: [Int: OneShotEvent] = [:]
    /// Commands whose first mutation has yet to be stored, by the numbers of their actions.
    var byNumber: [UInt64: RunningCommand] = [:]
  }

  let key: JournalKey
  let epoch: Int
  /// How often the reactor had been taken without being recovered.
  let takings: Int
  private let state: Guarded<State>
  /// Fires when the reactor has ended.
  let ended = OneShotEvent()

  init(_ key: JournalKey, epoch: Int, takings: Int, last: Int) {
    (self.key, self.epoch, self.takings) = (key, epoch, takings)
    state = Guarded(State(last: last))
  }

  // MARK: The journal

  /// The last stored entry.
  var last: Int { state.withLock { $0.last } }

  /// Returns the batch to write: the entries, and the commands whose first entry is among them.
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

  /// Marks the count of takings as reset.
  ///
  /// - Returns: Whether it is the first call.
  func markTakingsReset() -> Bool {
    state.withLock { state in
      defer { state.areTakingsReset = true }
      return !state.areTakingsReset
    }
  }

  func didStore(_ batch: ClusterBatch) {
    let waiters = state.withLock { state in
      state.hasWritten = true
      state.last = batch.entries.last?.sequence ?? state.last
      defer { state.waiters = [:] }
      return state.waiters.sorted { $0.key < $1.key }.map(\.value)
    }
    for waiter in waiters { waiter.fire() }
  }

  /// Returns when there is an entry after this one, when the reactor has ended, or when the task is
  /// cancelled.
  func wait(after sequence: Int) async {
    let more = OneShotEvent()
    let number = state.withLock { state -> Int? in
      if state.last > sequence { return nil }
      state.lastWaiter += 1
      state.waiters[state.lastWaiter] = more
      return state.lastWaiter
    }
    guard let number else { return }
    let end = ended.whenFired { more.fire() }
    await more.wait()
    ended.removeHandler(end)
    state.withLock { _ = $0.waiters.removeValue(forKey: number) }
  }

  // MARK: Commands

  /// Sends the action of a command, so that the command is stored with the action's first mutation.
  func send(
    _ command: RunningCommand, _ send: () -> (number: UInt64?, cancel: @Sendable () -> Void)
  ) {
    state.withLock { state in
      let sent = send()
      if let number = sent.number { state.byNumber[number] = command }
      command.didBegin(number: sent.number, cancel: sent.cancel)
    }
  }

  /// Removes a command that is done.
  func remove(_ command: RunningCommand) {
    guard let number = command.number else { return }
    state.withLock { $0.byNumber[number] = nil }
  }
}

extension JournalEntry {
  /// The number of the action that emitted the mutation.
  fileprivate var actionNumber: UInt64? {
    cause.flatMap { $0.split(separator: ".").last }.flatMap { UInt64($0) }
  }
}
