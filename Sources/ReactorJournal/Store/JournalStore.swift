/// A store for journals; implement it to use a database of your own.
///
/// Pass the store as ``Journal/Place/store(_:)``. A store has four groups of requirements:
///
/// - **Ownership**: ``take(_:)`` makes the caller the only writer of a journal, and
///   ``release(_:epoch:)`` ends that.
/// - **Entries**: ``append(_:to:epoch:)`` writes, ``entries(of:after:limit:)`` and ``extent(of:)``
///   read, and ``deleteEntries(of:through:epoch:)`` deletes the oldest. The entries of a journal
///   are numbered from 1 without gaps.
/// - **Snapshots**: ``save(_:of:epoch:)``, ``snapshot(of:through:)`` and
///   ``deleteSnapshots(of:through:epoch:)``.
/// - **Identifiers**: ``ids(of:after:limit:)`` lists them, and ``move(_:to:)`` changes one.
///
/// **Runs on** any thread, and each call has to be atomic. For one reactor, appends are called one
/// after another. So are the calls that make a snapshot: ``save(_:of:epoch:)`` and the two
/// deletions. But a snapshot is made while entries are appended, and reads may happen at any time.
/// ``release(_:epoch:)`` comes after the last append, and may come before the last call of a
/// snapshot.
///
/// **Safety**: a store has to compare two numbers in the same atomic step as each write. The epoch
/// has to be the one that the last ``take(_:)`` returned; it decides which writer may write. The
/// sequence number of the first entry has to follow the last stored entry; it decides the order. No
/// clock is involved.
///
/// ``MemoryStore`` and ``SQLiteStore`` are the stores of this library.
public protocol JournalStore: Sendable {
  /// Makes the caller the only writer of a journal, and returns where the journal ends.
  ///
  /// The new epoch is higher than all before, so the previous writer can no longer write. If the
  /// store can detect that the previous writer is alive, it throws instead.
  ///
  /// - Throws: ``JournalError/alreadyOpen(_:)``.
  func take(_ key: JournalKey) async throws -> JournalClaim

  /// Releases a journal, so that the next caller can take it at once.
  func release(_ key: JournalKey, epoch: Int) async

  /// Adds all entries or none; they are durable when this returns.
  ///
  /// - Throws: ``JournalError/fenced(_:epoch:)`` or ``JournalError/outOfOrder(_:expected:last:)``
  ///   if nothing was written. Any other error means that it is unknown what was written; the
  ///   journal then reads the entries to find out.
  func append(_ entries: [JournalEntry], to key: JournalKey, epoch: Int) async throws

  /// Returns at most `limit` entries after `sequence`, in order.
  func entries(
    of key: JournalKey, after sequence: Int, limit: Int
  ) async throws -> [JournalEntry]

  /// Returns where a journal begins and ends; an empty extent if it was never taken.
  func extent(of key: JournalKey) async throws -> JournalExtent

  /// Returns at most `limit` identifiers of stored reactors with this name, from the one after `id`
  /// on.
  ///
  /// The store chooses the order, which must not change.
  func ids(of name: String, after id: String?, limit: Int) async throws -> [String]

  /// Returns the newest snapshot at or before `sequence`.
  func snapshot(of key: JournalKey, through sequence: Int) async throws -> JournalSnapshot?

  /// Stores a snapshot, and replaces one with the same sequence number.
  func save(_ snapshot: JournalSnapshot, of key: JournalKey, epoch: Int) async throws

  /// Deletes the entries up to `sequence`; the other entries keep their numbers.
  func deleteEntries(of key: JournalKey, through sequence: Int, epoch: Int) async throws

  /// Deletes the snapshots up to `sequence`.
  func deleteSnapshots(of key: JournalKey, through sequence: Int, epoch: Int) async throws

  /// Gives a journal that is not open another identifier, without decoding its contents.
  ///
  /// By default, a store does not support this.
  ///
  /// - Throws: ``JournalError/alreadyOpen(_:)``, ``JournalError/noJournal(_:)``,
  ///   ``JournalError/occupied(_:)``, or ``JournalError/notMovable(_:)``.
  func move(_ key: JournalKey, to id: String) async throws
}

extension JournalStore {
  /// Throws, since the store does not support this.
  ///
  /// - Parameters:
  ///   - key: The journal.
  ///   - id: The new identifier.
  /// - Throws: ``JournalError/notMovable(_:)``.
  public func move(_ key: JournalKey, to id: String) async throws {
    throw JournalError.notMovable(key)
  }
}
