import GRDB
import ReactorRuntime

/// Connections that only read a file, so that reads wait neither for the writer nor for each other.
///
/// They are opened when needed. A read sees everything that was committed before it began.
///
/// Holds: `state`, guarded by its own lock; connections are opened and used outside it.
final class ReaderConnections: Sendable {
  fileprivate struct Reader: Sendable {
    let queue: DatabaseQueue
    var reads = 0
  }

  fileprivate struct State: Sendable {
    var readers: [Reader] = []
    /// How many connections are open or being opened.
    var count = 0
    var isClosed = false
  }

  fileprivate enum Choice: Sendable {
    case use(Int, DatabaseQueue)
    case open
    case useWriter
  }

  private let path: String
  private let database: OpenDatabase
  private let files: [OpenedFile]
  private let writer: DatabaseQueue
  private let limit: Int
  private let state = Guarded(State())

  /// - Parameters:
  ///   - path: The resolved path of the file.
  ///   - database: The object that lives as long as the connections.
  ///   - files: The main file and its log.
  ///   - writer: The connection that reads if no other one can be opened.
  ///   - limit: The maximum number of connections.
  init(
    _ path: String, as database: OpenDatabase, files: [OpenedFile], writer: DatabaseQueue,
    limit: Int
  ) {
    (self.path, self.database, self.files) = (path, database, files)
    (self.writer, self.limit) = (writer, limit)
  }

  /// Reads in one transaction.
  func read<Value: Sendable>(
    _ body: @escaping @Sendable (Database) throws -> Value
  ) async throws -> Value {
    guard let (index, reader) = reader() else { return try await writer.read(body) }
    defer { state.withLock { $0.end(index) } }
    return try await reader.read(body)
  }

  /// Closes all connections that are not in use.
  ///
  /// The connection that is closed last moves the log into the main file, and only one that can
  /// write is able to.
  func close() {
    let readers = state.withLock { state in
      state.isClosed = true
      defer { state.readers = [] }
      return state.readers
    }
    withExtendedLifetime(readers) {}
  }

  private func reader() -> (Int, DatabaseQueue)? {
    switch state.withLock({ $0.choose(limit) }) {
    case .use(let index, let queue): return (index, queue)
    case .useWriter: return nil
    case .open:
      // Another file may be at the path now, and SQLite would create a log that is missing.
      let opened = files.contains { $0.isGone } ? nil : try? SQLiteSchema.reader(path, as: database)
      return state.withLock { $0.opened(opened) }
    }
  }
}

extension ReaderConnections.State {
  fileprivate mutating func choose(_ limit: Int) -> ReaderConnections.Choice {
    let least = readers.indices.min { readers[$0].reads < readers[$1].reads }
    if let least, readers[least].reads == 0 || count >= limit {
      readers[least].reads += 1
      return .use(least, readers[least].queue)
    }
    if count < limit, !isClosed {
      count += 1
      return .open
    }
    return .useWriter
  }

  /// Adds a connection, and begins to read with it.
  fileprivate mutating func opened(_ queue: DatabaseQueue?) -> (Int, DatabaseQueue)? {
    guard let queue, !isClosed else {
      count -= 1
      return nil
    }
    readers.append(ReaderConnections.Reader(queue: queue, reads: 1))
    return (readers.count - 1, queue)
  }

  fileprivate mutating func end(_ index: Int) {
    if readers.indices.contains(index) { readers[index].reads -= 1 }
  }
}
