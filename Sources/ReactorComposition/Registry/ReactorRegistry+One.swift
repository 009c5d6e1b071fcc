public import Reactor
import ReactorRuntime

/// Ending the reactor of one key.
extension ReactorRegistry {
  /// Ends the reactor of one key, if there is one, whether or not it is in use; the next use of the
  /// key creates another.
  ///
  /// **Runs on** the caller's executor, and returns when the reactor has ended.
  ///
  /// - Parameters:
  ///   - id: The key.
  ///   - mode: What happens to its effects.
  nonisolated(nonsending) public func stop(_ id: ID, _ mode: StopMode) async {
    guard let end = beginEnd(of: id, mode) else { return }
    await end.receipt.settled
    // A cancelled task stops waiting, but the successor must not wait for ever.
    if end.receipt.isSettled { reactorEnded(end.entry) } else { awaitEnd(of: end.entry) }
  }

  /// Ends the reactor of one key, if there is one, and waits for all its work; the next use of the
  /// key creates another.
  ///
  /// **Runs on** the caller's executor, and returns when the reactor has ended. **If the task is
  /// cancelled**, work that has not ended by then is cancelled, and the function returns without
  /// waiting for it.
  ///
  /// - Parameter id: The key.
  /// - Returns: What was cut short, also in its children; empty if all work came to its end.
  @discardableResult
  nonisolated(nonsending) public func drain(_ id: ID) async -> [AbandonedWork] {
    guard let end = beginEnd(of: id, .drain) else { return [] }
    await end.receipt.settled
    if end.receipt.isSettled { reactorEnded(end.entry) } else { awaitEnd(of: end.entry, .cancel) }
    return await end.receipt.abandoned.map { AbandonedWork($0.reactor, id: id, $0.actions) }
  }

  /// The same as ``drain(_:)``.
  @available(*, deprecated, message: "it drains: write drain(id); to cancel, stop(id, .cancel)")
  nonisolated(nonsending) public func stop(_ id: ID) async { await drain(id) }

  /// The end of a key's reactor.
  ///
  /// It does not hold the reactor, which is released before its successor is created.
  private struct End {
    let entry: Entry
    let receipt: StopReceipt
  }

  private func beginEnd(of id: ID, _ mode: StopMode) -> End? {
    let lease = table.withLock { table -> Lease? in
      guard let entry = table.entries[id], let reactor = entry.reactor else { return nil }
      if entry.phase == .live { table.unlink(entry) }
      entry.phase = .ending
      return Lease(entry, reactor)
    }
    return lease.map {
      End(entry: $0.entry, receipt: $0.reactor.stop(mode))
    }
  }
}
