import Foundation
import GRDB
import GRDBSQLite
import Reactor
import ReactorRuntime

/// A store in one SQLite file, for any number of reactors in any number of processes.
///
/// A commit is on the disk before it is acknowledged, and survives a power failure (write-ahead
/// log, `synchronous = FULL`).
///
/// **One commit for many**: what waits of all reactors of the store is written in one transaction,
/// in the order in which it came. While one commit is under way, the next one collects. A write
/// that is refused fails alone. If the disk is full, only the writes that did not fit fail. Reads
/// use other connections, and wait for no write.
///
/// **A slow disk** delays all reactors of the store alike. If a commit takes longer than five
/// seconds, one of them reports ``JournalError/stalled(_:since:)``.
///
/// One reactor has a journal open at a time. A second opening, in this process or another one, is
/// refused until the first reactor has ended or its process is gone.
///
/// Beside the file are two files of SQLite, and `….owners`, whose locks say which journals are
/// open. When the last journal is released, the write-ahead log is emptied into the main file.
///
/// A file is refused and not changed if it is damaged, if it is not a journal, or if its log is
/// damaged before its last commit.
public final class SQLiteStore: JournalStore {
  /// The connection of the writer.
  let queue: DatabaseQueue
  let path: String
  let committer: GroupCommitter
  private let readers: ReaderConnections
  private let locks: OwnerLocks
  /// The journals that this store has taken.
  ///
  /// With it, a journal is released without the database, which may be broken, and which refuses
  /// reads in a cancelled task.
  private let taken = Guarded<[JournalKey: (owner: Int64, epoch: Int)]>([:])

  /// Opens a file, and creates it if it does not exist.
  ///
  /// - Parameter path: The path of the file. Links, and a path relative to the current folder, are
  ///   resolved once, now.
  /// - Throws: ``JournalError/unusable(_:cause:)``.
  public convenience init(path: String) async throws {
    try await self.init(path: path, limits: .init())
  }

  /// Opens a file with other limits than the default.
  ///
  /// - Parameters:
  ///   - path: The path of the file.
  ///   - limits: How much a shared commit may store.
  ///   - stallLimit: How long a commit may take, about, before it is reported.
  ///   - clock: The clock that measures that.
  /// - Throws: ``JournalError/unusable(_:cause:)``.
  init(
    path: String, limits: GroupCommitMachine.Limits, stallLimit: Duration = .seconds(5),
    clock: any Clock<Duration> = ContinuousClock()
  ) async throws {
    let resolved = FilePath.resolved(path)
    self.path = resolved
    do {
      try FileError.check(resolved)
      let database = await OpenDatabase(resolved)
      // SQLite has read the log for the other connections of this process.
      if database.isFirst { try WriteAheadLogCheck.check(resolved) }
      queue = try await SQLiteSchema.open(resolved, as: database)
      database.opened()
      locks = try OwnerLocks(path: resolved + ".owners")
      // The log exists once the file has been read. SQLite creates no other log while this store is
      // open.
      let files = [resolved, resolved + "-wal"].map { OpenedFile($0) }
      committer = GroupCommitter(
        queue, files: files, limits: limits, stallLimit: stallLimit, clock: clock)
      readers = ReaderConnections(
        resolved, as: database, files: files, writer: queue,
        limit: max(2, min(4, ProcessInfo.processInfo.activeProcessorCount)))
    } catch {
      throw JournalError.unusable(path, cause: FileError.of(error, in: resolved))
    }
  }

  deinit { readers.close() }

  /// Makes the caller the writer of a journal; see ``JournalStore/take(_:)``.
  public func take(_ key: JournalKey) async throws -> JournalClaim {
    try key.check()
    let owner = try await number(of: key)
    // The lock comes first: with it, the previous owner is gone, and the new epoch fences its
    // writes that may still be under way.
    guard try lock(owner) else { throw JournalError.alreadyOpen(key) }
    do {
      let claim = try await change { db in
        try db.cachedStatement(
          sql: "UPDATE journal_owner SET epoch = epoch + 1 WHERE number = ?"
        ).execute(arguments: [owner])
        guard let row = try Self.owner(of: key, db) else {
          throw JournalError.missing(key, sequence: 0)
        }
        try Self.checkEnd(of: row, key, db)
        return JournalClaim(epoch: row.epoch, extent: row.extent)
      }
      taken.withLock { $0[key] = (owner, claim.epoch) }
      return claim
    } catch {
      locks.unlock(owner)
      throw error
    }
  }

  /// Releases a journal; see ``JournalStore/release(_:epoch:)``.
  public func release(_ key: JournalKey, epoch: Int) async {
    let (owner, isLast) = taken.withLock { taken -> (Int64?, Bool) in
      guard taken[key]?.epoch == epoch else { return (nil, false) }
      return (taken.removeValue(forKey: key)?.owner, taken.isEmpty)
    }
    if let owner { locks.unlock(owner) }
    if isLast { await truncateLog() }
  }

  /// Moves the log into the main file, if nothing else uses it.
  ///
  /// The process may be about to end after the last release. Afterwards the main file is complete
  /// by itself.
  private func truncateLog() async {
    try? await queue.writeWithoutTransaction { db in
      // Do not wait ten seconds for another process; it empties the log when it releases its
      // journal. A PRAGMA would fail in a cancelled task, and the time would stay 0.
      sqlite3_busy_timeout(db.sqliteConnection, 0)
      defer { sqlite3_busy_timeout(db.sqliteConnection, SQLiteSchema.busySeconds * 1_000) }
      try db.checkpoint(.truncate)
    }
  }

  /// Adds entries; see ``JournalStore/append(_:to:epoch:)``.
  public func append(_ entries: [JournalEntry], to key: JournalKey, epoch: Int) async throws {
    try await append(entries, to: key, epoch: epoch, whenStalled: nil)
  }

  func append(
    _ entries: [JournalEntry], to key: JournalKey, epoch: Int,
    whenStalled stalled: (@Sendable (any Error) -> Void)?
  ) async throws {
    if entries.isEmpty { return }
    let owner = taken.withLock { $0[key].flatMap { $0.epoch == epoch ? $0.owner : nil } }
    let rows = EntryRows(entries, of: key, epoch: epoch, owner: owner)
    try await mappingFailures { try await committer.write(rows, whenStalled: stalled) }
  }

  /// Returns entries in order; see ``JournalStore/entries(of:after:limit:)``.
  public func entries(
    of key: JournalKey, after sequence: Int, limit: Int
  ) async throws -> [JournalEntry] {
    try await read { db in
      guard let owner = try Self.owner(of: key, db) else { return [] }
      let select = try db.cachedStatement(sql: SQLiteSchema.select)
      let rows = try Row.fetchCursor(select, arguments: [owner.number, sequence, limit])
      var entries: [JournalEntry] = []
      entries.reserveCapacity(min(limit, max(0, owner.extent.last - sequence)))
      while let row = try rows.next() { entries.append(try SQLiteSchema.entry(row, of: key)) }
      return entries
    }
  }

  /// Returns where a journal begins and ends; see ``JournalStore/extent(of:)``.
  public func extent(of key: JournalKey) async throws -> JournalExtent {
    try await read { try Self.owner(of: key, $0)?.extent }
      ?? JournalExtent(deleted: 0, last: 0)
  }

  /// Returns identifiers; see ``JournalStore/ids(of:after:limit:)``.
  public func ids(of name: String, after id: String?, limit: Int) async throws -> [String] {
    try await read { db in
      let rest = "AND last > 0 ORDER BY id LIMIT ?"
      let start = "SELECT id FROM journal_owner WHERE name = ?"
      guard let id else {
        return try String.fetchAll(db, sql: "\(start) \(rest)", arguments: [name, limit])
      }
      return try String.fetchAll(
        db, sql: "\(start) AND id > ? \(rest)", arguments: [name, id, limit])
    }
  }

  /// Gives a journal another identifier; see ``JournalStore/move(_:to:)``.
  public func move(_ key: JournalKey, to id: String) async throws {
    let other = JournalKey(name: key.name, id: id)
    for key in [key, other] { try key.check() }
    let number: Int64? = try await read { try Self.row(of: key, $0)?.value(0) }
    guard let number else { throw JournalError.noJournal(key) }
    guard try lock(number) else { throw JournalError.alreadyOpen(key) }
    defer { locks.unlock(number) }
    try await change { db in
      if try Self.row(of: other, db) != nil { throw JournalError.occupied(other) }
      try db.execute(
        sql: "UPDATE journal_owner SET id = ?, epoch = epoch + 1 WHERE number = ?",
        arguments: [other.id, number])
    }
  }

  // MARK: Transactions

  func read<Value: Sendable>(
    _ body: @escaping @Sendable (Database) throws -> Value
  ) async throws -> Value {
    try await mappingErrors { try await readers.read(body) }
  }

  /// Changes the database in a shared transaction; an error changes nothing.
  func change<Value: Sendable>(
    _ body: @escaping @Sendable (Database) throws -> Value
  ) async throws -> Value {
    try await mappingErrors { try await committer.change(body) }
  }

  /// Adds the file's name to an error of SQLite.
  ///
  /// - Throws: ``JournalError/unusable(_:cause:)`` with that error.
  private func mappingErrors<Value: Sendable>(_ work: () async throws -> Value) async throws
    -> Value
  {
    do { return try await work() } catch let error as DatabaseError {
      throw JournalError.unusable(path, cause: FileError.of(error, in: path))
    }
  }

  private func lock(_ number: Int64) throws -> Bool {
    do { return try locks.lock(number) } catch {
      throw JournalError.unusable(path, cause: error)
    }
  }

  func write<Value: Sendable>(
    _ key: JournalKey, _ epoch: Int, bytes: Int = 0,
    _ body: @escaping @Sendable (Database, Int64) throws -> Value
  ) async throws -> Value {
    try await mappingFailures {
      try await committer.change(bytes: bytes) { db in
        try body(db, Self.owned(key, epoch, db).number)
      }
    }
  }

  /// Adds the file's name to an error of SQLite.
  ///
  /// - Throws: For an error of SQLite, an error that is not a ``JournalError``, since that would
  ///   say for certain that nothing was written.
  private func mappingFailures<Value: Sendable>(_ work: () async throws -> Value) async throws
    -> Value
  {
    do { return try await work() } catch let error as DatabaseError {
      throw FileError.of(error, in: path)
    }
  }
}

/// The disk is full.
struct DiskFullError: Error, CustomStringConvertible {
  let path: String

  var description: String {
    "the disk of '\(path)' is full; what was acknowledged is stored: free space, and open it again"
  }
}
