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
  private let reader = Mutex<DatabaseQueue?>(nil)
  private let writesUnderWay = Atomic(0)

  /// Opens a database, and brings it up to date; creates it if it is not there.
  init(
    _ location: DatabaseLocation, options: DatabaseOptions = DatabaseOptions()
  ) throws(TaskError) {
    self.location = location
    self.options = options
    do {
      main = try location.open(options)
    } catch {
      throw TaskError(error, at: location)
    }
  }

  /// Reads, in one transaction.
  func read<Value: Sendable>(
    _ body: @Sendable (TaskStore) throws -> Value
  ) async throws(TaskError) -> Value {
    do {
      let queue = try writesUnderWay.load(ordering: .relaxed) > 0 ? idleQueue() : main
      return try await queue.read { try body(TaskStore(db: $0)) }
    } catch {
      throw TaskError(error, at: location)
    }
  }

  /// Does something on the queue of the connection that writes, one after the other, in no transaction
  /// yet.
  func work<Value: Sendable>(
    _ body: @Sendable (TaskStore) throws -> Value
  ) async throws(TaskError) -> Value {
    writesUnderWay.add(1, ordering: .relaxed)
    defer { writesUnderWay.subtract(1, ordering: .relaxed) }
    do {
      return try await main.writeWithoutTransaction { try body(TaskStore(db: $0)) }
    } catch {
      throw TaskError(error, at: location)
    }
  }

  /// Looks at the connection that writes, in no transaction.
  func look(_ body: @Sendable (TaskStore) throws -> Void) async throws {
    try await main.unsafeRead { try body(TaskStore(db: $0)) }
  }

  /// See ``TaskStore/foreignVersion``.
  var foreignVersion: Int64? { try? main.unsafeRead { try TaskStore(db: $0).foreignVersion } }

  func close() {
    let reader = reader.withLock { reader in
      defer { reader = nil }
      return reader
    }
    try? reader?.close()
    try? main.close()
  }

  /// A connection that does not wait for the one that writes; in memory there is only that one.
  private func idleQueue() throws -> DatabaseQueue {
    guard let path = location.path else { return main }
    return try reader.withLock { reader in
      if let reader { return reader }
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
  /// Nobody else writes meanwhile: what is read here is still so when it is written.
  func transaction<Value>(
    _ body: () throws -> Value, keepingIf isKept: (Value) -> Bool
  ) throws -> Value {
    var value: Value?
    try db.inTransaction(.immediate) {
      let made = try body()
      value = made
      return isKept(made) ? .commit : .rollback
    }
    guard let value else { preconditionFailure("the body ran, or it would have thrown") }
    return value
  }
}
