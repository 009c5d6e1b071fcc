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
  ///
  /// - Returns: The number with which the action can be cancelled.
  func show(
    _ receipt: ActionReceipt<R>, of line: String, with show: @escaping @Sendable () async -> Void
  ) -> Int {
    contents.withLock { contents in
      let id = contents.nextID
      contents.nextID += 1
      let showing = PipelineTasks.inheriting {
        await show()
        self.contents.withLock { $0.actions[id] = nil }
      }
      contents.actions[id] = Action(receipt: receipt, line: line, showing: showing)
      return id
    }
  }

  /// Cancels an action, so that ``cancelNewest()`` cancels an earlier one.
  func cancel(_ id: Int) {
    let receipt = contents.withLock { contents -> ActionReceipt<R>? in
      contents.actions[id]?.isCancelled = true
      return contents.actions[id]?.receipt
    }
    receipt?.cancel()
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
