import Foundation
import GRDB
import Synchronization

/// The open database: one connection, and a second one for reading while the first is writing.
///
/// Work runs on the connections' own queues; no thread of Swift's pool waits for the disk.
final class TaskDatabase: Sendable {
  private let location: DatabaseLocation
  private let options: DatabaseOptions
  private let main: DatabaseQueue
  private let access: DatabaseLocation.Access
  /// Keeps other code of this process from opening the files.
  private let open: Locked<OpenDatabase?>
  /// The file that was opened.
  private let file: FileIdentity?
  /// The files that were first found beside it: its log, and the log's index.
  private let log = Locked<[String: FileIdentity]>([:])
  private let reader = Locked<DatabaseQueue?>(nil)
  private let writesUnderWay = Atomic(0)
  private let isClosed = Atomic(false)
  private static let closed = TaskError.storage("the database is closed")

  /// Opens a database and migrates it to the current schema; creates it if it does not exist.
  init(
    _ location: DatabaseLocation, options: DatabaseOptions = DatabaseOptions()
  ) throws(TaskError) {
    self.location = location
    self.options = options
    open = Locked(location.path.map { OpenDatabase($0) })
    do {
      (main, access) = try location.open(options)
      file = location.path.flatMap(FileIdentity.init)
    } catch {
      throw TaskError(error, at: location)
    }
  }

  /// Reads, in one transaction.
  func read<Value: Sendable>(
    _ body: @Sendable (TaskStore) throws -> Value
  ) async throws(TaskError) -> Value {
    let isBusy = writesUnderWay.load(ordering: .relaxed) > 0
    return try await use(isBusy ? idleQueue() : main) { store in
      try store.transaction(.deferred, body)
    }
  }

  /// Runs a closure on the writing connection, outside a transaction; calls run one after the
  /// other.
  func work<Value: Sendable>(
    _ body: @Sendable (TaskStore) throws -> Value
  ) async throws(TaskError) -> Value {
    if case .readOnly(let reason) = access { throw reason }
    guard isInPlace else { throw .gone(location) }
    writesUnderWay.add(1, ordering: .relaxed)
    defer { writesUnderWay.subtract(1, ordering: .relaxed) }
    return try await use(main, body)
  }

  /// Runs a short closure on the writing connection, outside a transaction.
  func readSerially<Value: Sendable>(
    _ body: @Sendable (TaskStore) throws -> Value
  ) async throws(TaskError) -> Value {
    try await use(main, body)
  }

  /// See ``TaskStore/revision``.
  ///
  /// Read it before anything else uses the connection.
  var revision: Int64? { try? main.unsafeRead { try TaskStore(db: $0).revision } }

  /// See ``TaskStore/externalVersion``.
  ///
  /// Read it before anything else uses the connection.
  var externalVersion: Int64? { try? main.unsafeRead { try TaskStore(db: $0).externalVersion } }

  /// Waits for the work in progress; later calls fail.
  func close() {
    isClosed.store(true, ordering: .relaxed)
    let reader = reader.withLock { reader in
      defer { reader = nil }
      return reader
    }
    try? reader?.close()
    try? main.close()
    open.withLock { $0 = nil }
  }

  /// Whether the file that was opened, and its log, are still at their paths: otherwise everything
  /// written is lost with this program.
  private var isInPlace: Bool {
    guard let path = location.path else { return true }
    guard FileIdentity(path) == file else { return false }
    return log.withLock { log in
      for suffix in ["-wal", "-shm"] {
        let found = FileIdentity(path + suffix)
        if let first = log[suffix], found != first { return false }
        log[suffix] = found
      }
      return true
    }
  }

  // MARK: Connections

  private func use<Value: Sendable>(
    _ queue: @autoclosure () throws -> DatabaseQueue, _ body: @Sendable (TaskStore) throws -> Value
  ) async throws(TaskError) -> Value {
    do {
      return try await queue().unsafeRead { db in
        // Checked here, after earlier work on the queue: a closed connection must not be used.
        guard !isClosed.load(ordering: .relaxed) else { throw Self.closed }
        return try body(TaskStore(db: db))
      }
    } catch {
      throw TaskError(error, at: location)
    }
  }

  /// A connection that does not wait for the writing one; in memory there is only one.
  private func idleQueue() throws -> DatabaseQueue {
    guard let path = location.path else { return main }
    return try reader.withLock { reader in
      if let reader { return reader }
      // Checked under the lock under which `close()` takes the reader: none is opened after that.
      guard !isClosed.load(ordering: .relaxed) else { throw Self.closed }
      var configuration = options.configuration
      configuration.readonly = true
      let opened = try DatabaseQueue(path: path, configuration: configuration)
      reader = opened
      return opened
    }
  }
}

extension TaskStore {
  /// Changes whenever another connection has changed the database.
  var externalVersion: Int64 {
    get throws { try number("PRAGMA data_version") }
  }

  /// Runs a closure in a transaction.
  ///
  /// It is rolled back if the closure throws or `isKept` returns false.
  ///
  /// What is read in it is of one moment; in a writing transaction, no other connection writes
  /// meanwhile.
  func transaction<Value>(
    _ kind: Database.TransactionKind, _ body: (TaskStore) throws -> Value,
    keepingIf isKept: (Value) -> Bool = { _ in true }
  ) throws -> Value {
    var value: Value?
    try db.inTransaction(kind) {
      let made = try body(self)
      value = made
      return isKept(made) ? .commit : .rollback
    }
    guard let value else { preconditionFailure("the body ran, or it would have thrown") }
    return value
  }
}

extension TaskError {
  /// A database whose file has been removed.
  fileprivate static func gone(_ location: DatabaseLocation) -> TaskError {
    .storage(
      "\"\(location.path ?? "")\" has been deleted or replaced, and nothing can be kept; "
        + "'export' saves the tasks")
  }

  /// Converts an error of the database to one line: what is wrong and how to correct it.
  init(_ error: any Error, at location: DatabaseLocation) {
    let file = location.path.map { "\"\($0)\"" } ?? "the database in memory"
    switch error {
    case let error as TaskError: self = error
    case is CancellationError: self = .cancelled
    case ForeignDatabase.later:
      self = .storage("\(file) was written by a newer version of this program; use that one")
    case ForeignDatabase.foreign:
      self = .storage("\(file) is a database of another program; name another file")
    case let error as DatabaseError: self.init(error, in: file)
    case is RowDecodingError: self.init(Stored.damage, in: file)
    default: self = .storage("\(file): \(Self.line("\(error)"))")
    }
  }

  private init(_ error: DatabaseError, in file: String) {
    self =
      switch error.resultCode {
      case .SQLITE_INTERRUPT: .cancelled
      case .SQLITE_BUSY, .SQLITE_LOCKED:
        .storage("\(file) is locked by another program; try again when that is done")
      case .SQLITE_READONLY, .SQLITE_PERM:
        .storage("\(file) is read-only; make it writable, or name another file")
      case .SQLITE_FULL:
        .storage("the disk is full, nothing was changed in \(file); free some space and try again")
      case .SQLITE_NOTADB: .storage("\(file) is not a database; name another file")
      // This program's own data satisfies the constraints, so the file was damaged before.
      case .SQLITE_CORRUPT, .SQLITE_CONSTRAINT:
        .storage("\(file) is damaged; restore it from a backup, or name another file")
      case .SQLITE_CANTOPEN: .storage("cannot open \(file); name another file")
      case .SQLITE_IOERR:
        .storage("cannot read or write \(file): \(Self.line(error.message)); look at the disk")
      default: .storage("\(file): \(Self.line(error.message))")
      }
  }

  /// Text from other sources, in one line.
  private static func line(_ text: String?) -> String {
    (text ?? "unknown error").split(whereSeparator: \.isNewline).joined(separator: " ")
  }
}
