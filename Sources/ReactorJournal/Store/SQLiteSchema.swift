import Foundation
import GRDB

/// The tables of a ``SQLiteStore``, and the conversion of entries to rows.
enum SQLiteSchema {
  /// The application identifier in the file's header: "RxJl".
  private static let application = 0x5278_4A6C
  private static let version = 1

  /// Opens a connection, and creates the tables in a new file.
  ///
  /// - Parameters:
  ///   - path: The path of the file.
  ///   - database: The object that lives as long as the connection.
  /// - Returns: The connection.
  /// - Throws: ``Problem``, or an error of SQLite.
  static func open(_ path: String, as database: OpenDatabase) async throws -> DatabaseQueue {
    var configuration = configuration
    configuration.prepareDatabase { _ in withExtendedLifetime(database) {} }
    let queue = try DatabaseQueue(path: path, configuration: configuration)
    // This is checked before anything is written, so that the file of another program is not
    // changed.
    let isNew = try await queue.read(isNew)
    try await queue.writeWithoutTransaction { db in
      let mode = try String.fetchOne(db, sql: "PRAGMA journal_mode = WAL")
      let level = try Int.fetchOne(db, sql: "PRAGMA synchronous")
      guard mode == "wal", level == 2 else {
        throw Problem.notDurable(mode: mode ?? "none", synchronous: level ?? -1)
      }
    }
    if isNew { try await queue.write(create) }
    return queue
  }

  /// Opens a connection that only reads a file, which is open already.
  static func reader(_ path: String, as database: OpenDatabase) throws -> DatabaseQueue {
    var configuration = configuration
    configuration.label = "journal reader"
    configuration.readonly = true
    configuration.prepareDatabase { _ in withExtendedLifetime(database) {} }
    return try DatabaseQueue(path: path, configuration: configuration)
  }

  /// How long a connection waits while another one is writing, in seconds.
  static let busySeconds: CInt = 10

  private static var configuration: Configuration {
    var configuration = Configuration()
    configuration.label = "journal"
    configuration.busyMode = .timeout(TimeInterval(busySeconds))
    configuration.prepareDatabase { db in
      try db.execute(sql: "PRAGMA synchronous = FULL")
      // Needed where a plain flush does not reach the disk; without effect elsewhere.
      try db.execute(sql: "PRAGMA fullfsync = ON")
    }
    return configuration
  }

  /// Whether the file has no tables yet.
  ///
  /// - Throws: ``Problem`` if the file is not a journal, or of a later version.
  private static func isNew(_ db: Database) throws -> Bool {
    let tables = try Int.fetchOne(db, sql: "SELECT count(*) FROM sqlite_master") ?? 0
    if tables == 0 { return true }
    guard try Int.fetchOne(db, sql: "PRAGMA application_id") == application else {
      throw Problem.foreign
    }
    let found = try Int.fetchOne(db, sql: "PRAGMA user_version") ?? 0
    if found > version { throw Problem.later(found) }
    return false
  }

  private static func create(_ db: Database) throws {
    // Two processes may create the tables at once; the second one finds them.
    guard try isNew(db) else { return }
    try db.execute(
      sql: """
        CREATE TABLE journal_owner (
          number INTEGER PRIMARY KEY, name TEXT NOT NULL, id TEXT NOT NULL,
          epoch INTEGER NOT NULL DEFAULT 0, deleted INTEGER NOT NULL DEFAULT 0,
          last INTEGER NOT NULL DEFAULT 0, UNIQUE (name, id));
        CREATE TABLE journal_entry (
          owner INTEGER NOT NULL, sequence INTEGER NOT NULL, epoch INTEGER NOT NULL,
          version INTEGER NOT NULL, payload BLOB NOT NULL, cause TEXT, at REAL NOT NULL,
          kind INTEGER NOT NULL, target INTEGER, state_hash INTEGER, checksum INTEGER NOT NULL,
          PRIMARY KEY (owner, sequence)) WITHOUT ROWID;
        CREATE TABLE journal_snapshot (
          owner INTEGER NOT NULL, sequence INTEGER NOT NULL, version INTEGER NOT NULL,
          payload BLOB NOT NULL, checksum INTEGER NOT NULL, PRIMARY KEY (owner, sequence));
        PRAGMA application_id = \(application);
        PRAGMA user_version = \(version);
        """)
  }

  enum Problem: Error, CustomStringConvertible {
    case foreign
    case later(Int)
    case notDurable(mode: String, synchronous: Int)

    var description: String {
      switch self {
      case .foreign: "it is a database of something else"
      case .later(let version): "it was written by a later version (\(version)) of this library"
      case .notDurable(let mode, let level):
        "SQLite would not write durably (journal_mode \(mode), synchronous \(level))"
      }
    }
  }

  // MARK: Entries

  static let insert = """
    INSERT INTO journal_entry
      (owner, sequence, epoch, version, payload, cause, at, kind, target, state_hash, checksum)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
    """

  static let advance = """
    UPDATE journal_owner SET last = ? WHERE number = ? AND epoch = ? AND last = ?
    """

  static let select = """
    SELECT sequence, version, payload, cause, at, kind, target, state_hash, checksum
    FROM journal_entry WHERE owner = ? AND sequence > ? ORDER BY sequence LIMIT ?
    """

  static func entry(_ row: Row, of key: JournalKey) throws -> JournalEntry {
    let sequence: Int? = row.value(0)
    guard let sequence, let version: Int = row.value(1), let payload: Data = row.value(2),
      let time: Double = row.value(4), let code: Int = row.value(5),
      let kind = JournalEntry.Kind(code, target: row.value(6)), let checksum: Int64 = row.value(8)
    else { throw JournalError.corrupt(key, sequence: sequence ?? 0) }
    let entry = JournalEntry(
      sequence: sequence, version: version, kind: kind, payload: payload, cause: row.value(3),
      time: Date(timeIntervalSinceReferenceDate: time),
      stateHash: row.value(7).map { UInt64(bitPattern: $0 as Int64) })
    guard entry.checksum == UInt64(bitPattern: checksum) else {
      throw JournalError.corrupt(key, sequence: sequence)
    }
    return entry
  }
}

extension Row {
  /// Returns the value of a column; `nil` if it has another type.
  ///
  /// In a damaged file it may have another type, and GRDB's subscript would end the process.
  func value<Value: DatabaseValueConvertible>(_ index: Int) -> Value? {
    Value.fromDatabaseValue(self[index] as DatabaseValue)
  }
}

extension JournalEntry {
  /// A hash of all properties.
  var checksum: UInt64 {
    let (code, target) = kind.columns
    var hash = Checksum.of(payload)
    func add(_ number: UInt64) { hash = (hash ^ number) &* 0x100_0000_01b3 }
    add(UInt64(bitPattern: Int64(sequence)))
    add(UInt64(bitPattern: Int64(version)))
    add(UInt64(code))
    add(UInt64(bitPattern: Int64(target ?? 0)))
    add(time.timeIntervalSinceReferenceDate.bitPattern)
    add(stateHash ?? 0)
    add(cause.map { Checksum.of($0) } ?? 0)
    return hash
  }
}

extension JournalSnapshot {
  /// A hash of all properties.
  var checksum: UInt64 {
    [UInt64(bitPattern: Int64(sequence)), UInt64(bitPattern: Int64(version))]
      .reduce(Checksum.of(payload)) { ($0 ^ $1) &* 0x100_0000_01b3 }
  }
}

extension JournalEntry.Kind {
  fileprivate init?(_ code: Int, target: Int?) {
    switch (code, target) {
    case (0, _): self = .change
    case (1, let target?): self = .undo(target)
    case (2, let target?): self = .redo(target)
    case (3, _): self = .command
    default: return nil
    }
  }

  /// The columns that store it.
  var columns: (code: Int, target: Int?) {
    switch self {
    case .change: (0, nil)
    case .undo(let target): (1, target)
    case .redo(let target): (2, target)
    case .command: (3, nil)
    }
  }
}
