import Foundation
import GRDB
import Synchronization

/// The open database: one connection, and a second one to read by while the first is writing.
///
/// Work happens on the connections' own queues; no thread of Swift's waits for the disk.
final class TaskDatabase: Sendable {
  private let location: DatabaseLocation
  private let options: DatabaseOptions
  private let main: DatabaseQueue
  private let access: DatabaseLocation.Access
  /// The file that was opened.
  private let file: FileIdentity?
  /// What was first found beside it: its log, and the index of that.
  private let log = Locked<[String: FileIdentity]>([:])
  private let reader = Locked<DatabaseQueue?>(nil)
  private let writesUnderWay = Atomic(0)
  private let isClosed = Atomic(false)
  private static let closed = TaskError.storage("the database is closed")

  /// Opens a database, and brings it up to date; creates it if it is not there.
  init(
    _ location: DatabaseLocation, options: DatabaseOptions = DatabaseOptions()
  ) throws(TaskError) {
    self.location = location
    self.options = options
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

  /// Does something on the connection that writes, in no transaction yet; one after the other.
  func work<Value: Sendable>(
    _ body: @Sendable (TaskStore) throws -> Value
  ) async throws(TaskError) -> Value {
    if case .readOnly(let reason) = access { throw reason }
    guard isInPlace else { throw .gone(location) }
    writesUnderWay.add(1, ordering: .relaxed)
    defer { writesUnderWay.subtract(1, ordering: .relaxed) }
    return try await use(main, body)
  }

  /// Looks at something on the connection that writes, in no transaction; takes no time.
  func look<Value: Sendable>(
    _ body: @Sendable (TaskStore) throws -> Value
  ) async throws(TaskError) -> Value {
    try await use(main, body)
  }

  /// See ``TaskStore/revision``; before anything else, when nothing else uses the connection.
  var revision: Int64? { try? main.unsafeRead { try TaskStore(db: $0).revision } }

  /// See ``TaskStore/foreignVersion``; before anything else, when nobody else uses the connection.
  var foreignVersion: Int64? { try? main.unsafeRead { try TaskStore(db: $0).foreignVersion } }

  /// Waits for what is under way; whoever comes later is told.
  func close() {
    isClosed.store(true, ordering: .relaxed)
    let reader = reader.withLock { reader in
      defer { reader = nil }
      return reader
    }
    try? reader?.close()
    try? main.close()
  }

  /// Whether the file that was opened is still the one at its path, and its log: else all that is
  /// written to it goes with this program.
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
        // Asked here, behind those who came before: a connection that is closed must not be
        // touched.
        guard !isClosed.load(ordering: .relaxed) else { throw Self.closed }
        return try body(TaskStore(db: db))
      }
    } catch {
      throw TaskError(error, at: location)
    }
  }

  /// A connection that does not wait for the one that writes; in memory there is only that one.
  private func idleQueue() throws -> DatabaseQueue {
    guard let path = location.path else { return main }
    return try reader.withLock { reader in
      if let reader { return reader }
      // Under the lock under which it is looked for to be closed: none is opened after that.
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
  /// Changes whenever another connection has changed something.
  var foreignVersion: Int64 {
    get throws { try number("PRAGMA data_version") }
  }

  /// Does something as a whole or, when it throws or what it gives is not to be kept, not at all.
  ///
  /// What is read in it is of one moment; if it is to be written, nobody else writes meanwhile.
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

/// Which file there is at a path.
private struct FileIdentity: Equatable {
  let device: dev_t
  let number: ino_t

  init?(_ path: String) {
    var status = stat()
    guard stat(path, &status) == 0 else { return nil }
    (device, number) = (status.st_dev, status.st_ino)
  }
}

extension TaskError {
  /// A database whose file has been taken away.
  fileprivate static func gone(_ location: DatabaseLocation) -> TaskError {
    .storage(
      "\"\(location.path ?? "")\" has been deleted or replaced, and nothing can be kept; "
        + "'export' saves the tasks")
  }

  /// An error of the database in one line: what is wrong, and what would do.
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
        .storage("the disk is full, nothing was changed in \(file); make room and try again")
      case .SQLITE_NOTADB: .storage("\(file) is not a database; name another file")
      // What we write keeps the rules: what does not was there before.
      case .SQLITE_CORRUPT, .SQLITE_CONSTRAINT:
        .storage("\(file) is damaged; restore it from a backup, or name another file")
      case .SQLITE_CANTOPEN: .storage("cannot open \(file); name another file")
      case .SQLITE_IOERR:
        .storage("cannot read or write \(file): \(Self.line(error.message)); look at the disk")
      default: .storage("\(file): \(Self.line(error.message))")
      }
  }

  /// Text that others wrote, in one line.
  private static func line(_ text: String?) -> String {
    (text ?? "unknown error").split(whereSeparator: \.isNewline).joined(separator: " ")
  }
}
