import Reactor

extension JournaledReactor {
  /// Makes a snapshot now, whatever ``JournalOptions/snapshotAfter`` says, and returns when it is
  /// kept.
  ///
  /// All that has been reduced by then is in it, except what is transient. With
  /// ``JournalOptions/deletesBeforeSnapshot``, what it covers has been deleted when this returns.
  /// A snapshot that is being made is waited for first.
  ///
  /// **Runs on** the caller's executor; the reactor goes on meanwhile.
  ///
  /// - Returns: The last change that is in it; 0, and none has been made, where nothing is kept;
  ///   `nil` where no journal has opened the reactor.
  /// - Throws: What the store or the codec throws, which takes nothing of what is kept;
  ///   ``JournalError/ended(_:)`` where the reactor has ended.
  @discardableResult
  nonisolated(nonsending) public func makeSnapshot() async throws -> Int? {
    guard let writer else { return nil }
    try await pipeline.durable()
    return try await writer.makeSnapshot()
  }
}
