public import ReactorJournal

/// A store for tests that forwards to another store each function that it does not implement.
///
/// Use it for a store that fails, counts or waits. Implement the functions that matter, with
/// exactly the names and labels of ``/ReactorJournal/JournalStore``. A function with another name
/// is never called.
///
/// ```swift
/// actor CountingStore: ForwardingStore {
///   let inner = MemoryStore()
///   private(set) var batches = 0
///
///   func append(_ entries: [JournalEntry], to key: JournalKey, epoch: Int) async throws {
///     try await inner.append(entries, to: key, epoch: epoch)
///     batches += 1
///   }
/// }
/// ```
///
/// If only writes of entries are to fail, use ``FailingStore``, which needs no type of your own.
public protocol ForwardingStore: JournalStore {
  /// The type of the store that it forwards to.
  associatedtype Inner: JournalStore

  /// The store that it forwards to.
  var inner: Inner { get }
}

extension ForwardingStore {
  /// Forwards ``/ReactorJournal/JournalStore/take(_:)``.
  public func take(_ key: JournalKey) async throws -> JournalClaim { try await inner.take(key) }

  /// Forwards ``/ReactorJournal/JournalStore/release(_:epoch:)``.
  public func release(_ key: JournalKey, epoch: Int) async {
    await inner.release(key, epoch: epoch)
  }

  /// Forwards ``/ReactorJournal/JournalStore/append(_:to:epoch:)``.
  public func append(_ entries: [JournalEntry], to key: JournalKey, epoch: Int) async throws {
    try await inner.append(entries, to: key, epoch: epoch)
  }

  /// Forwards ``/ReactorJournal/JournalStore/entries(of:after:limit:)``.
  public func entries(
    of key: JournalKey, after sequence: Int, limit: Int
  ) async throws -> [JournalEntry] {
    try await inner.entries(of: key, after: sequence, limit: limit)
  }

  /// Forwards ``/ReactorJournal/JournalStore/extent(of:)``.
  public func extent(of key: JournalKey) async throws -> JournalExtent {
    try await inner.extent(of: key)
  }

  /// Forwards ``/ReactorJournal/JournalStore/ids(of:after:limit:)``.
  public func ids(of name: String, after id: String?, limit: Int) async throws -> [String] {
    try await inner.ids(of: name, after: id, limit: limit)
  }

  /// Forwards ``/ReactorJournal/JournalStore/snapshot(of:through:)``.
  public func snapshot(
    of key: JournalKey, through sequence: Int
  ) async throws -> JournalSnapshot? {
    try await inner.snapshot(of: key, through: sequence)
  }

  /// Forwards ``/ReactorJournal/JournalStore/save(_:of:epoch:)``.
  public func save(_ snapshot: JournalSnapshot, of key: JournalKey, epoch: Int) async throws {
    try await inner.save(snapshot, of: key, epoch: epoch)
  }

  /// Forwards ``/ReactorJournal/JournalStore/deleteEntries(of:through:epoch:)``.
  public func deleteEntries(of key: JournalKey, through sequence: Int, epoch: Int) async throws {
    try await inner.deleteEntries(of: key, through: sequence, epoch: epoch)
  }

  /// Forwards ``/ReactorJournal/JournalStore/deleteSnapshots(of:through:epoch:)``.
  public func deleteSnapshots(
    of key: JournalKey, through sequence: Int, epoch: Int
  ) async throws {
    try await inner.deleteSnapshots(of: key, through: sequence, epoch: epoch)
  }

  /// Forwards ``/ReactorJournal/JournalStore/move(_:to:)``.
  public func move(_ key: JournalKey, to id: String) async throws {
    try await inner.move(key, to: id)
  }
}
