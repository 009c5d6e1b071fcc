public import ReactorJournal

/// A store for tests whose writes fail, lose their acknowledgement or stall.
///
/// The closure is called for each batch of entries, and decides whether the batch is written:
///
/// ```swift
/// let store = FailingStore { entries, key, write in
///   if isFull { throw DiskFull() }  // nothing is written
///   try await write()
///   if isCutOff { throw ConnectionLost() }  // it is written, and the answer is lost
/// }
/// let journal = try await Journal(.store(store))
/// ```
///
/// To simulate a store that stalls, suspend in the closure before or after `write()`. By comparing
/// `key`, you can make the writes of one reactor fail or stall while those of others succeed. That
/// is the important case for two reactors that decide together.
///
/// To make other functions of a store fail, implement a ``ForwardingStore``.
public struct FailingStore<Inner: JournalStore>: ForwardingStore {
  /// Writes a batch, or does not.
  ///
  /// - Parameters:
  ///   - entries: The batch.
  ///   - key: The key of the reactor's journal.
  ///   - write: Writes the batch.
  public typealias Appending =
    @Sendable (
      _ entries: [JournalEntry], _ key: JournalKey, _ write: @Sendable () async throws -> Void
    ) async throws -> Void

  /// The store that batches are written to.
  public let inner: Inner
  private let appending: Appending

  /// Creates a store around another one.
  ///
  /// - Parameters:
  ///   - inner: The store that batches are written to.
  ///   - appending: Called for each batch.
  public init(_ inner: Inner, appending: @escaping Appending) {
    (self.inner, self.appending) = (inner, appending)
  }

  /// Calls the closure, which writes the entries or does not.
  public func append(_ entries: [JournalEntry], to key: JournalKey, epoch: Int) async throws {
    try await appending(entries, key) { [inner] in
      try await inner.append(entries, to: key, epoch: epoch)
    }
  }
}

extension FailingStore where Inner == MemoryStore {
  /// Creates a store that writes to memory.
  ///
  /// - Parameter appending: Called for each batch.
  public init(appending: @escaping Appending) { self.init(MemoryStore(), appending: appending) }
}
