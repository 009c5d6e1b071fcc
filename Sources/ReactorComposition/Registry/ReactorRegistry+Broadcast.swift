public import Reactor
import ReactorRuntime

/// What became of an action that was sent to all reactors of a registry.
public struct BroadcastReceipt<ID: Hashable & Sendable, R: Reactor>: Sendable {
  let receipts: [ActionReceipt<R>]

  /// The keys of those that have accepted it, in the order in which they were made.
  public let accepted: [ID]
  /// The keys of those that have not, and why.
  public let refused: [ID: ActionRefusal]

  /// Waits until the action's own work has ended in all that have accepted it.
  ///
  /// Returns early if the waiting task is cancelled.
  nonisolated(nonsending) public var settled: Void {
    get async { for receipt in receipts { await receipt.settled } }
  }
}

extension ReactorRegistry {
  /// Sends an action to all reactors that there are now; none is made for it.
  ///
  /// **Runs on** any thread, and returns at once. A reactor that is being made, or ends, is not
  /// among them. They get it in the order in which they were made; what each accepts is done,
  /// though it may be idle.
  ///
  /// - Parameter action: The action of each, by its key; `nil` for those that get none.
  /// - Returns: Which have accepted it, and which have not.
  @discardableResult
  public func broadcast(_ action: (_ id: ID) -> R.Action?) -> BroadcastReceipt<ID, R> {
    let live = RegistryTable.inOrder(table.withLock { $0.live })
    var (receipts, accepted): ([ActionReceipt<R>], [ID]) = ([], [])
    var refused: [ID: ActionRefusal] = [:]
    for entry in live {
      // Asked first: one that gets nothing goes on being idle.
      guard let action = action(entry.id), let lease = table.withLock({ $0.lease(entry) }) else {
        continue
      }
      let receipt = lease.reactor.send(action)
      if let refusal = receipt.refusal, receipt.isRefused {
        refused[entry.id] = refusal
      } else {
        receipts.append(receipt)
        accepted.append(entry.id)
      }
      giveBack(entry)
    }
    return BroadcastReceipt(receipts: receipts, accepted: accepted, refused: refused)
  }

  /// Sends an action to all reactors that there are now.
  ///
  /// - Parameter action: The action.
  /// - Returns: Which have accepted it, and which have not.
  @discardableResult
  public func broadcast(_ action: R.Action) -> BroadcastReceipt<ID, R> {
    broadcast { _ in action }
  }
}
