import Reactor
import ReactorRuntime

/// The actions of a screen after which a person went on typing, until it is told how they ended.
///
/// Holds: `contents`, guarded by its own lock.
final class UntoldEnds<R: Reactor>: Sendable {
  private struct Contents {
    var nextID = 0
    var actions: [Int: (receipt: ActionReceipt<R>, telling: Task<Void, Never>)] = [:]
  }

  private let contents = Guarded(Contents())

  /// Tells the end of an action, in a task of its own.
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

  /// Returns once the ends have been told of all actions that have ended by now.
  func haveEndsTold() async {
    let actions = contents.withLock { Array($0.actions.values) }
    for action in actions where await action.receipt.isSettled { await action.telling.value }
  }
}
