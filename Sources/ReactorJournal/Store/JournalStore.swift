/// Where journals are kept: what a store has to do, and all that it has to.
///
/// Every function is called from any thread, and those of one reactor one after another, except
/// that reads may come at any time. A journal's entries are numbered from 1 without a gap.
///
/// **Safety** rests on two numbers that a store compares where it writes, in one step with the
/// writing: the epoch, which says who may write, and the sequence, which says in what order. No
/// clock has a part in it.
public protocol JournalStore: Sendable {
  /// Makes the caller the one who writes, and says where the journal ends.
  ///
  /// The epoch is higher than any before, so that the writer until now no longer can write. Where a
  /// store can know that the other one lives, it refuses instead.
  ///
  /// - Throws: ``JournalError/alreadyOpen(_:)``.
  func take(_ key: JournalKey) async throws -> JournalClaim

  /// Releases a journal, so that the next one can take it at once.
  func release(_ key: JournalKey, epoch: Int) async

  /// Adds entries: all or none, and they are durable when this returns.
  ///
  /// - Throws: ``JournalError/fenced(_:epoch:)`` or ``JournalError/outOfOrder(_:expected:last:)``,
  ///   with nothing written; any other error says that it is not known what has been.
  func append(_ entries: [JournalEntry], to key: JournalKey, epoch: Int) async throws

  /// Entries in order, from the one after `sequence` on, `limit` at most.
  func entries(
    of key: JournalKey, after sequence: Int, limit: Int
  ) async throws -> [JournalEntry]

  /// Where a journal begins and ends; nothing at all of one that was never taken.
  func extent(of key: JournalKey) async throws -> JournalExtent

  /// The identifiers under which something has been kept of reactors of a name: those after `id`,
  /// in an order of the store's own that stays, `limit` at most.
  func ids(of name: String, after id: String?, limit: Int) async throws -> [String]

  /// The newest snapshot that is not after `sequence`.
  func snapshot(of key: JournalKey, through sequence: Int) async throws -> JournalSnapshot?

  /// Keeps a snapshot; one of the same sequence is replaced.
  func save(_ snapshot: JournalSnapshot, of key: JournalKey, epoch: Int) async throws

  /// Deletes entries from the first one on; the numbers of the others stay what they are.
  func deleteEntries(of key: JournalKey, through sequence: Int, epoch: Int) async throws

  /// Deletes snapshots from the first one on.
  func deleteSnapshots(of key: JournalKey, through sequence: Int, epoch: Int) async throws

  /// Gives a journal that is not open another identifier, with all that is in it, and reads
  /// none of that. By default, a store does not do that.
  ///
  /// - Throws: ``JournalError/alreadyOpen(_:)``, ``JournalError/nothingKept(_:)``,
  ///   ``JournalError/occupied(_:)``, or ``JournalError/notMovable(_:)``.
  func move(_ key: JournalKey, to id: String) async throws
}

extension JournalStore {
  /// Is not done.
  ///
  /// - Parameters:
  ///   - key: Which journal.
  ///   - id: What it was to be called.
  /// - Throws: ``JournalError/notMovable(_:)``.
  public func move(_ key: JournalKey, to id: String) async throws {
    throw JournalError.notMovable(key)
  }
}
