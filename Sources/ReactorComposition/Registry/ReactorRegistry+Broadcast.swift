public import Reactor
import ReactorRuntime

/// The result of sending an action to all reactors of a registry.
public struct BroadcastReceipt<ID: Hashable & Sendable, R: Reactor>: Sendable {
  let receipts: [ActionReceipt<R>]

  /// The keys of the reactors that accepted it, in the order in which the reactors were created.
  public let accepted: [ID]
  /// The keys of the reactors that did not accept it, with the reasons.
  public let refused: [ID: ActionRefusal]

  /// Waits until the action's own work has ended in all reactors that accepted it.
  ///
  /// **If the waiting task is cancelled**, it returns early.
  nonisolated(nonsending) public var settled: Void {
    get async { for receipt in receipts { await receipt.settled } }
  }
}

extension ReactorRegistry {
  /// Sends an action to all current reactors; none is created for it.
  ///
  /// **Runs on** any thread, and returns at once. Reactors that are being created, or are ending,
  /// are not included. **Order**: reactors receive it in the order in which they were created. An
  /// accepted action is performed, even if the reactor was idle.
  ///
  /// - Parameter action: Returns the action for a key; `nil` to send none.
  /// - Returns: Which reactors accepted it, and which did not.
  @discardableResult
  public func broadcast(_ action: (_ id: ID) -> R.Action?) -> BroadcastReceipt<ID, R> {
    let live = RegistryTable.inOrder(table.withLock { $0.live })
    var (receipts, accepted): ([ActionReceipt<R>], [ID]) = ([], [])
    var refused: [ID: ActionRefusal] = [:]
    for entry in live {
      // Called before the reactor is leased: one that receives nothing stays idle.
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
      endLease(entry)
    }
    return BroadcastReceipt(receipts: receipts, accepted: accepted, refused: refused)
  }

  /// Sends an action to all current reactors.
  ///
  /// - Parameter action: The action.
  /// - Returns: Which reactors accepted it, and which did not.
  @discardableResult
  public func broadcast(_ action: R.Action) -> BroadcastReceipt<ID, R> {
    broadcast { _ in action }
  }
}
