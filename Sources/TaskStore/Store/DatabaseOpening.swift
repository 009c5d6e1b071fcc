import Foundation
import GRDB

/// Options that tests may change.
public struct DatabaseOptions: Sendable {
  /// How long to wait for another program that is writing, before the database counts as locked.
  var busyTimeout: Duration

  /// Creates options with the defaults of a program.
  public init(busyTimeout: Duration = .seconds(15)) { self.busyTimeout = busyTimeout }
}

extension DatabaseOptions {
  /// The options of the environment: `TASKS_PATIENCE` is the waiting time in milliseconds.
  public static var fromEnvironment: DatabaseOptions {
    var options = DatabaseOptions()
    let patience = Environment["TASKS_PATIENCE"].flatMap { Int($0) }
    if let patience { options.busyTimeout = .milliseconds(max(0, patience)) }
    return options
  }
}

extension DatabaseLocation {
  /// Opens a connection to a database, and migrates it to the current schema.
  ///
  /// Nothing is written to the file until it is known to be a database of this program.
  func open(_ options: DatabaseOptions) throws -> (DatabaseQueue, Access) {
    guard let path else {
      let queue = try DatabaseQueue(configuration: options.configuration)
      try TaskSchema.migrator.migrate(queue)
      return (queue, .readAndWrite)
    }
    let access = try prepare()
    if case .readOnly(let reason) = access {
      return (try openToRead(path, options, otherwise: reason), access)
    }
    // Switching a new file to WAL while another program reads it fails at once, unlike other
    // conflicts, for which SQLite waits. If a lock persists, that waiting has used up the time
    // before this point.
    let end = ContinuousClock.now + options.busyTimeout
    while true {
      do {
        return (try open(path, options), access)
      } catch let error as DatabaseError
        where error.resultCode == .SQLITE_BUSY && ContinuousClock.now < end
      {
        Thread.sleep(forTimeInterval: DatabaseOptions.pause)
      }
    }
  }

  /// Opens a database that cannot be written.
  ///
  /// To read it, SQLite would create files beside it, and leave them there. If no other program
  /// uses it, a copy is read instead.
  private func openToRead(
    _ path: String, _ options: DatabaseOptions, otherwise reason: TaskError
  ) throws -> DatabaseQueue {
    var configuration = options.configuration
    configuration.readonly = true
    let isInUse = FileManager.default.fileExists(atPath: "\(path)-shm")
    let queue =
      isInUse
      ? try DatabaseQueue(path: path, configuration: configuration)
      : try copied(path, configuration)
    guard try queue.read(TaskSchema.isUpToDate) else { throw reason }
    return queue
  }

  private func copied(_ path: String, _ configuration: Configuration) throws -> DatabaseQueue {
    let files = FileManager.default
    let folder = files.temporaryDirectory.appending(path: "reactor-tasks-\(UUID().uuidString)")
    try files.createDirectory(
      at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    defer { try? files.removeItem(at: folder) }
    let copy = folder.appending(path: "tasks.sqlite").path
    for journal in ["", "-wal"] where files.fileExists(atPath: path + journal) {
      try files.copyItem(atPath: path + journal, toPath: copy + journal)
      try files.setAttributes([.posixPermissions: 0o600], ofItemAtPath: copy + journal)
    }
    return try DatabaseQueue.inMemoryCopy(fromPath: copy, configuration: configuration)
  }

  private func open(_ path: String, _ options: DatabaseOptions) throws -> DatabaseQueue {
    let queue = try DatabaseQueue(path: path, configuration: options.configuration)
    let isUpToDate = try queue.read(TaskSchema.isUpToDate)
    try queue.writeWithoutTransaction { try $0.execute(sql: "PRAGMA journal_mode = WAL") }
    if !isUpToDate { try TaskSchema.migrate(queue) }
    return queue
  }
}

extension DatabaseOptions {
  /// The number of seconds between two attempts while another program is writing.
  static let pause = 0.002

  var configuration: Configuration {
    var configuration = Configuration()
    configuration.label = "tasks"
    // Polls often, so that a program that writes continuously does not starve others: SQLite's own
    // waiting becomes slower and slower. It blocks the connection's queue, and no thread of Swift's
    // pool.
    let patience = Int(busyTimeout / .seconds(Self.pause))
    configuration.busyMode = .callback { tries in
      Thread.sleep(forTimeInterval: Self.pause)
      return tries < patience
    }
    // What was acknowledged must be on the disk after a power failure.
    configuration.prepareDatabase { db in try db.execute(sql: "PRAGMA synchronous = FULL") }
    return configuration
  }
}

extension TaskSchema {
  /// Whether a database needs no migration; it only reads.
  ///
  /// - Throws: An error if it is no database of this program, or one of a later version.
  static func isUpToDate(_ db: Database) throws -> Bool {
    // Read first: from then on the transaction sees one moment, even if another program creates the
    // tables.
    let isEmpty = try isEmpty(db)
    let applied = try migrator.appliedIdentifiers(db)
    let known = migrator.migrations
    guard applied.isSubset(of: known) else { throw ForeignDatabase.later }
    guard !applied.isEmpty || isEmpty else { throw ForeignDatabase.foreign }
    return applied.count == known.count
  }

  /// Runs the missing migrations.
  static func migrate(_ queue: DatabaseQueue) throws {
    var applied = try queue.read(migrator.appliedIdentifiers)
    while true {
      do {
        return try migrator.migrate(queue)
      } catch {
        // Two programs may migrate at the same time: one of them finds a migration applied that it
        // has begun.
        if try queue.read(isUpToDate) { return }
        let appliedNow = try queue.read(migrator.appliedIdentifiers)
        guard appliedNow != applied else { throw error }
        applied = appliedNow
      }
    }
  }

  /// Whether there are no tables, except the migrator's own: another program's migration may have
  /// come only so far.
  private static func isEmpty(_ db: Database) throws -> Bool {
    try Int.fetchOne(
      db, sql: "SELECT count(*) FROM sqlite_master WHERE tbl_name <> 'grdb_migrations'") == 0
  }
}

/// A database that must not be modified.
enum ForeignDatabase: Error {
  case later, foreign
}
