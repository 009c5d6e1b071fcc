public import Reactor
import ReactorRuntime

/// The end of one key's reactor.
extension ReactorRegistry {
  /// Ends the reactor of one key, if there is one and whether or not it is in use; the next use of
  /// the key makes another one.
  ///
  /// **Runs on** the caller's executor, and returns when it has ended.
  ///
  /// - Parameters:
  ///   - id: The key.
  ///   - mode: What becomes of its effects.
  nonisolated(nonsending) public func stop(_ id: ID, _ mode: StopMode) async {
    guard let end = beginEnd(of: id, mode) else { return }
    await end.receipt.settled
    // What is cancelled waits no longer, and the successor must not wait for ever.
    if end.receipt.isSettled { hasEnded(end.entry) } else { watchEnd(of: end.entry) }
  }

  /// Ends the reactor of one key, if there is one, and lets everything come to its end; the next
  /// use of the key makes another one.
  ///
  /// **Runs on** the caller's executor, and returns when it has ended. **If the task is
  /// cancelled**, what has not ended by then is cancelled, and it returns without waiting for that.
  ///
  /// - Parameter id: The key.
  /// - Returns: What was cut short, in its children as well; nothing if all came to its end.
  @discardableResult
  nonisolated(nonsending) public func drain(_ id: ID) async -> [AbandonedWork] {
    guard let end = beginEnd(of: id, .drain) else { return [] }
    await end.receipt.settled
    if end.receipt.isSettled { hasEnded(end.entry) } else { watchEnd(of: end.entry, .cancel) }
    return await end.receipt.abandoned.map { AbandonedWork($0.reactor, id: id, $0.actions) }
  }

  /// As ``drain(_:)``.
  @available(*, deprecated, message: "it drains: write drain(id); to cancel, stop(id, .cancel)")
  nonisolated(nonsending) public func stop(_ id: ID) async { await drain(id) }

  /// What ends of a key: not the reactor itself, which is released before there is another one.
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
