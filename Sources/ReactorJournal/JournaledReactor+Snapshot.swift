import Reactor

extension JournaledReactor {
  /// Makes a snapshot now, whatever ``JournalOptions/snapshotAfter`` says, and returns when it is
  /// stored.
  ///
  /// The snapshot contains everything that has been reduced by now, except transient mutations.
  /// With ``JournalOptions/deletesBeforeSnapshot``, the entries that it covers have been deleted
  /// when this returns. If another snapshot is being made, this waits for it first.
  ///
  /// **Runs on** the caller's executor; the reactor continues meanwhile.
  ///
  /// - Returns: The last change that the snapshot contains; 0 if nothing is stored, and then no
  ///   snapshot is made; `nil` if no journal has opened the reactor.
  /// - Throws: What the store or the codec throws, and then nothing that is stored is lost;
  ///   ``JournalError/ended(_:)`` if the reactor has ended.
  @discardableResult
  nonisolated(nonsending) public func makeSnapshot() async throws -> Int? {
    guard let writer else { return nil }
    try await pipeline.durable()
    return try await writer.makeSnapshot()
  }
}
