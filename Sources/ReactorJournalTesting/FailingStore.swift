public import ReactorJournal

/// A store whose writing fails, loses its answer or waits, where a test says so.
///
/// The closure is called for each batch of entries that is to be written, and writes it or not:
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
/// What waits in it before or after `write()` is a store that stalls. Where it looks at `key`, the
/// writing of one reactor fails or stalls while that of the others goes on: of two that decide
/// together, this is the failure that matters.
///
/// Where other functions of the store are to fail, write a ``ForwardingStore``.
public struct FailingStore<Inner: JournalStore>: ForwardingStore {
  /// What is called for each batch.
  ///
  /// - Parameters:
  ///   - entries: The batch.
  ///   - key: Which reactor's.
  ///   - write: Writes it.
  public typealias Appending =
    @Sendable (
      _ entries: [JournalEntry], _ key: JournalKey, _ write: @Sendable () async throws -> Void
    ) async throws -> Void

  /// The store that keeps what is written.
  public let inner: Inner
  private let appending: Appending

  /// - Parameters:
  ///   - inner: The store that keeps what is written.
  ///   - appending: Called for each batch.
  public init(_ inner: Inner, appending: @escaping Appending) {
    (self.inner, self.appending) = (inner, appending)
  }

  /// Has the closure write entries, or not.
  public func append(_ entries: [JournalEntry], to key: JournalKey, epoch: Int) async throws {
    try await appending(entries, key) { [inner] in
      try await inner.append(entries, to: key, epoch: epoch)
    }
  }
}

extension FailingStore where Inner == MemoryStore {
  /// What is written is kept in memory.
  ///
  /// - Parameter appending: Called for each batch.
  public init(appending: @escaping Appending) { self.init(MemoryStore(), appending: appending) }
}
