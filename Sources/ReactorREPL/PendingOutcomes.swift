import Reactor
import ReactorRuntime

/// The pending actions of a screen whose outcomes have not been shown yet, since the user continued
/// typing.
///
/// Holds: `contents`, guarded by its own lock.
final class PendingOutcomes<R: Reactor>: Sendable {
  private struct Contents {
    var nextID = 0
    var actions: [Int: (receipt: ActionReceipt<R>, telling: Task<Void, Never>)] = [:]
  }

  private let contents = Guarded(Contents())

  /// Shows the outcome of an action, in a task of its own.
  func tell(_ receipt: ActionReceipt<R>, with tell: @escaping @Sendable () async -> Void) {
    contents.withLock { contents in
      let id = contents.nextID
      contents.nextID += 1
      let telling = Task {
        await tell()
        self.contents.withLock { $0.actions[id] = nil }
      }
      contents.actions[id] = (receipt, telling)
    }
  }

  /// Returns when the outcomes of all actions that have ended by now have been shown.
  func waitUntilShown() async {
    let actions = contents.withLock { Array($0.actions.values) }
    for action in actions where await action.receipt.isSettled { await action.telling.value }
  }
}
