import Foundation
import GRDB

/// What a test may want otherwise.
public struct DatabaseOptions: Sendable {
  /// How long to wait for another program that is writing, before it counts as stuck.
  var busyTimeout: Duration

  /// What a program takes unless something is given.
  public init(busyTimeout: Duration = .seconds(15)) { self.busyTimeout = busyTimeout }
}

extension DatabaseOptions {
  /// As the environment has them: `TASKS_PATIENCE` is how many milliseconds to wait.
  public static var fromEnvironment: DatabaseOptions {
    var options = DatabaseOptions()
    let patience = Environment["TASKS_PATIENCE"].flatMap { Int($0) }
    if let patience { options.busyTimeout = .milliseconds(max(0, patience)) }
    return options
  }
}

extension DatabaseLocation {
  /// Opens a connection to a database that is up to date.
  ///
  /// Until the file is known to be one of ours, nothing is written into it.
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
    // Who switches a new file to WAL while another program looks at it is refused at once, where
    // SQLite otherwise waits. A lock that lasts has used up all the time before it comes here.
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
  /// To read it, SQLite would write beside it, and leave that there. Where nobody else is at work,
  /// a copy is as good.
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
    if !isUpToDate { try TaskSchema.bringUpToDate(queue) }
    return queue
  }
}

extension DatabaseOptions {
  /// Seconds from one question to the next, whether another program is done.
  static let pause = 0.002

  var configuration: Configuration {
    var configuration = Configuration()
    configuration.label = "tasks"
    // Asks often, so that nobody is passed over for long by somebody who writes without a pause:
    // SQLite's own waiting gets slower and slower. Blocks the connection's queue, no thread of
    // Swift's.
    let patience = Int(busyTimeout / .seconds(Self.pause))
    configuration.busyMode = .callback { tries in
      Thread.sleep(forTimeInterval: Self.pause)
      return tries < patience
    }
    // What was acknowledged is on the disk when the power fails.
    configuration.prepareDatabase { db in try db.execute(sql: "PRAGMA synchronous = FULL") }
    return configuration
  }
}

extension TaskSchema {
  /// Whether a database needs no migration; only reads.
  ///
  /// - Throws: When it is no database of ours, or one of a later version.
  static func isUpToDate(_ db: Database) throws -> Bool {
    // Asked first: from then on, the transaction sees one moment, whoever creates the tables
    // meanwhile.
    let isEmpty = try isEmpty(db)
    let applied = try migrator.appliedIdentifiers(db)
    let known = migrator.migrations
    guard applied.isSubset(of: known) else { throw ForeignDatabase.later }
    guard !applied.isEmpty || isEmpty else { throw ForeignDatabase.foreign }
    return applied.count == known.count
  }

  /// Runs the migrations that are missing.
  static func bringUpToDate(_ queue: DatabaseQueue) throws {
    var applied = try queue.read(migrator.appliedIdentifiers)
    while true {
      do {
        return try migrator.migrate(queue)
      } catch {
        // Two programs may do so at once: one of them finds a migration done that it has begun.
        if try queue.read(isUpToDate) { return }
        let appliedNow = try queue.read(migrator.appliedIdentifiers)
        guard appliedNow != applied else { throw error }
        applied = appliedNow
      }
    }
  }

  /// Whether there are no tables, apart from the one in which the migrator takes its notes: that
  /// may be as far as it has come.
  private static func isEmpty(_ db: Database) throws -> Bool {
    try Int.fetchOne(
      db, sql: "SELECT count(*) FROM sqlite_master WHERE tbl_name <> 'grdb_migrations'") == 0
  }
}

/// A database that is not to be touched.
enum ForeignDatabase: Error {
  case later, foreign
}
