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
/// One reactor has a journal open at a time. A second opening, in this process or another one, is
/// refused until the first reactor has ended or its process is gone.
///
/// Beside the file are two files of SQLite, and `….owners`, whose locks say which journals are
/// open. When the last journal is released, the write-ahead log is emptied into the main file.
///
/// A file is refused and not changed if it is damaged, if it is not a journal, or if its log is
/// damaged before its last commit.
public final class SQLiteStore: JournalStore {
  let queue: DatabaseQueue
  let path: String
  private let locks: OwnerLocks
  /// The main file and its log.
  ///
  /// The log exists once the file has been read. SQLite creates no other log while this store is
  /// open.
  private let files: [OpenedFile]
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
  public init(path: String) async throws {
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
      files = [resolved, resolved + "-wal"].map { OpenedFile($0) }
    } catch {
      throw JournalError.unusable(path, cause: FileError.of(error, in: resolved))
    }
  }

  /// Makes the caller the writer of a journal; see ``JournalStore/take(_:)``.
  public func take(_ key: JournalKey) async throws -> JournalClaim {
    try key.check()
    let owner = try await change { db in
      if let owner = try Self.owner(of: key, db) { return owner.number }
      try db.cachedStatement(sql: "INSERT INTO journal_owner (name, id) VALUES (?, ?)")
        .execute(arguments: [key.name, key.id])
      return db.lastInsertedRowID
    }
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
    guard let first = entries.first else { return }
    try await commit { db in
      let owner = try Self.owned(key, epoch, db)
      guard first.sequence == owner.extent.last + 1 else {
        throw JournalError.outOfOrder(
          key, expected: first.sequence - 1, last: owner.extent.last)
      }
      for entry in entries { try TooLarge.check(entry.payload, db) }
      let insert = try EntryInsert(db, of: owner.number, epoch)
      for entry in entries { try insert.execute(entry) }
      try db.cachedStatement(sql: "UPDATE journal_owner SET last = ? WHERE number = ?")
        .execute(arguments: [first.sequence + entries.count - 1, owner.number])
    }
    // If the file was deleted or replaced, the commit is lost.
    if let file = files.first(where: \.isGone) {
      throw JournalError.storeFailed(key, cause: FileMissingError(path: file.path))
    }
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
    try await mappingErrors { try await queue.read(body) }
  }

  /// Changes the database in one transaction; an error changes nothing.
  private func change<Value: Sendable>(
    _ body: @escaping @Sendable (Database) throws -> Value
  ) async throws -> Value {
    try await mappingErrors { try await queue.write(body) }
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

  func write(
    _ key: JournalKey, _ epoch: Int, _ body: @escaping @Sendable (Database, Int64) throws -> Void
  ) async throws {
    try await commit { db in try body(db, Self.owned(key, epoch, db).number) }
  }

  /// Writes in one transaction; if the disk is full, nothing is stored.
  ///
  /// - Throws: For an error of SQLite, an error that is not a ``JournalError``, since that would
  ///   say for certain that nothing was written.
  private func commit(_ body: @escaping @Sendable (Database) throws -> Void) async throws {
    do {
      try await queue.write(body)
    } catch let error as DatabaseError {
      throw FileError.of(error, in: path)
    }
  }

  // MARK: Owners

  struct Owner {
    let number: Int64
    let epoch: Int
    let extent: JournalExtent
  }

  private static func owned(_ key: JournalKey, _ epoch: Int, _ db: Database) throws -> Owner {
    guard let owner = try owner(of: key, db), owner.epoch == epoch else {
      throw JournalError.fenced(key, epoch: epoch)
    }
    return owner
  }

  /// Checks that the journal ends where its owner's row says.
  private static func checkEnd(of owner: Owner, _ key: JournalKey, _ db: Database) throws {
    let last = try Int.fetchOne(
      db, sql: "SELECT max(sequence) FROM journal_entry WHERE owner = ?",
      arguments: [owner.number])
    guard last ?? owner.extent.deleted == owner.extent.last else {
      throw JournalError.corrupt(key, sequence: owner.extent.last)
    }
  }

  static func owner(of key: JournalKey, _ db: Database) throws -> Owner? {
    try row(of: key, db).map { row in
      guard let number: Int64 = row.value(0), let epoch: Int = row.value(1), epoch < .max,
        let deleted: Int = row.value(2), let last: Int = row.value(3), deleted >= 0, deleted <= last
      else { throw JournalError.corrupt(key, sequence: 0) }
      return Owner(
        number: number, epoch: epoch, extent: JournalExtent(deleted: deleted, last: last))
    }
  }

  /// Returns the row of a key, or one with the decomposed identifier that an earlier version wrote.
  private static func row(of key: JournalKey, _ db: Database) throws -> Row? {
    // SQLite would compare only the text before the NUL.
    try key.check()
    let select = try db.cachedStatement(
      sql: "SELECT number, epoch, deleted, last FROM journal_owner WHERE name = ? AND id = ?")
    let row = try Row.fetchOne(select, arguments: [key.name, key.id])
    if row != nil || CanonicalText.isPlain(key.id) { return row }
    return try Row.fetchOne(select, arguments: [key.name, CanonicalText.decomposed(key.id)])
  }
}

/// The disk is full.
struct DiskFullError: Error, CustomStringConvertible {
  let path: String

  var description: String {
    "the disk of '\(path)' is full; what was acknowledged is stored: free space, and open it again"
  }
}
