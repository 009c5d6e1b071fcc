package import Reactor
import ReactorRuntime

/// What happened, in order, written from any thread; a test can wait for the nth entry.
///
/// Holds: `state`, guarded by its own lock; continuations are resumed outside it.
package final class Log<Entry: Sendable>: Sendable {
  private struct State: Sendable {
    var entries: [Entry] = []
    var waiters: [(count: Int, continuation: CheckedContinuation<Void, Never>)] = []
  }

  private let state = Guarded(State())

  package init() {}

  package func append(_ entry: Entry) {
    let reached = state.withLock { state in
      state.entries.append(entry)
      let count = state.entries.count
      let all = state.waiters
      state.waiters = all.filter { $0.count > count }
      return all.filter { $0.count <= count }.map(\.continuation)
    }
    for waiter in reached { waiter.resume() }
  }

  package var entries: [Entry] { state.withLock { $0.entries } }

  package var count: Int { state.withLock { $0.entries.count } }

  /// Waits until there are so many entries.
  package func entries(upTo count: Int) async -> [Entry] {
    await withCheckedContinuation { continuation in
      let isThere = state.withLock { state in
        if state.entries.count >= count { return true }
        state.waiters.append((count, continuation))
        return false
      }
      if isThere { continuation.resume() }
    }
    return entries
  }
}

/// What a reactor has reported.
package typealias ReportLog = Log<ReactorReport>

extension Log where Entry == ReactorReport {
  /// The reports as short words, to compare.
  package var problems: [String] { entries.map { $0.problem.word } }
}

extension ReactorReport.Problem {
  package var word: String {
    switch self {
    case .effectFailed: "effectFailed"
    case .actionRefused: "actionRefused"
    case .inboxFull: "inboxFull"
    case .senderCancelled: "senderCancelled"
    case .laneFull(let lane): "laneFull(\(lane))"
    case .droppedInLane(let lane): "dropped(\(lane))"
    case .supersededInLane(let lane): "superseded(\(lane))"
    case .evictedFromLane(let lane): "evicted(\(lane))"
    case .droppedByMiddleware(let reason): "droppedByMiddleware(\(reason))"
    case .actionDropped: "actionDropped"
    case .mutationDropped: "mutationDropped"
    case .emittedTooLate: "emittedTooLate"
    case .answeredTwice: "answeredTwice"
    case .notOpened: "notOpened"
    case .journalFailed: "journalFailed"
    case .journalStalled: "journalStalled"
    case .unconfirmed(let count): "unconfirmed(\(count))"
    case .snapshotSkipped: "snapshotSkipped"
    case .snapshotFailed: "snapshotFailed"
    case .observationCycle: "observationCycle"
    case .hookEnded(let hook): "hookEnded(\(hook))"
    case .hookInputIteratedTwice(let hook): "hookInputIteratedTwice(\(hook))"
    }
  }
}

/// An error for effects to throw.
package struct Failure: Error, Equatable {
  package var number: Int

  package init(number: Int = 0) { self.number = number }
}
