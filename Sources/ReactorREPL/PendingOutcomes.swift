import Reactor
import ReactorRuntime

/// The pending actions of a screen whose outcomes have not been shown yet, since the user continued
/// typing.
///
/// Holds: `contents`, guarded by its own lock.
final class PendingOutcomes<R: Reactor>: Sendable {
  private struct Action: Sendable {
    var receipt: ActionReceipt<R>
    /// The line that has sent it.
    var line: String
    var isCancelled = false
    /// Shows the outcome.
    var showing: Task<Void, Never>
  }

  private struct Contents: Sendable {
    var nextID = 0
    var actions: [Int: Action] = [:]
  }

  private let contents = Guarded(Contents())

  /// Shows the outcome of an action that a line has sent, in a task of its own.
  func show(
    _ receipt: ActionReceipt<R>, of line: String, with show: @escaping @Sendable () async -> Void
  ) {
    contents.withLock { contents in
      let id = contents.nextID
      contents.nextID += 1
      let showing = Task {
        await show()
        self.contents.withLock { $0.actions[id] = nil }
      }
      contents.actions[id] = Action(receipt: receipt, line: line, showing: showing)
    }
  }

  /// Cancels the newest action that has not been cancelled.
  ///
  /// - Returns: The line that has sent it; nil if there is none.
  func cancelNewest() -> String? {
    let newest = contents.withLock { contents -> Action? in
      let open = contents.actions.filter { !$0.value.isCancelled }
      guard let (id, action) = open.max(by: { $0.key < $1.key }) else { return nil }
      contents.actions[id]?.isCancelled = true
      return action
    }
    newest?.receipt.cancel()
    return newest?.line
  }

  /// Returns when the outcomes of all actions that have ended by now have been shown.
  func waitUntilShown() async {
    let actions = contents.withLock { Array($0.actions.values) }
    for action in actions where await action.receipt.isSettled { await action.showing.value }
  }
}
