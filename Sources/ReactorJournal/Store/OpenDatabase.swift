import ReactorRuntime

/// A connection of this process to a database, or the attempt to open one.
///
/// SQLite's locks belong to the process: if it closes any descriptor of a file, the system releases
/// all of its locks on that file. So the files of a database may be read only while this process
/// has no connection to them. The object lives as long as the connection.
///
/// The files are compared by their identities, since others may be at the path now than those that
/// an earlier connection has open.
///
/// Holds: `databases`, guarded by its own lock; waiting tasks are resumed outside it.
final class OpenDatabase: Sendable {
  /// What this process has opened at a path.
  private struct Entry: Sendable {
    /// The tasks that wait for the first connection to the files; `nil` unless it is being opened.
    var waiting: [Latch]?
    /// The files of each connection.
    var connections: [ObjectIdentifier: Set<FileIdentity>] = [:]

    var isEmpty: Bool { waiting == nil && connections.isEmpty }
  }

  private static let databases = Guarded<[String: Entry]>([:])

  private let path: String
  /// Whether the process has no other connection to the files.
  let isFirst: Bool

  /// Begins to open a connection, once no other task is opening the first one.
  ///
  /// - Parameter path: The resolved path.
  init(_ path: String) async {
    self.path = path
    while true {
      let latch = Latch()
      let isFirst = Self.change(path) { entry -> Bool? in
        guard entry.waiting == nil else {
          entry.waiting?.append(latch)
          return nil
        }
        let files = Self.files(of: path)
        let isFirst = entry.connections.values.allSatisfy { $0.isDisjoint(with: files) }
        if isFirst { entry.waiting = [] }
        return isFirst
      }
      if let isFirst {
        self.isFirst = isFirst
        break
      }
      // In a task of its own, because waiting ends early in a cancelled task.
      await PipelineTasks.inheriting { await latch.wait() }.value
    }
    // Another connection is not the first one either while this one is being opened.
    if !isFirst { note() }
  }

  /// The connection is open; it keeps this object.
  func opened() {
    note()
    if isFirst { endOpening() }
  }

  deinit {
    let this = ObjectIdentifier(self)
    let wasOpened = Self.change(path) { $0.connections.removeValue(forKey: this) != nil }
    if isFirst, !wasOpened { endOpening() }
  }

  /// Notes which files are at the path.
  private func note() {
    let files = Self.files(of: path)
    Self.change(path) { $0.connections[ObjectIdentifier(self)] = files }
  }

  /// Resumes what has waited for the first connection.
  private func endOpening() {
    let waiting = Self.change(path) { $0.waiting.take() }
    for latch in waiting ?? [] { latch.open() }
  }

  private static func files(of path: String) -> Set<FileIdentity> {
    Set(["", "-wal", "-shm"].compactMap { FileIdentity(path + $0) })
  }

  private static func change<Result>(_ path: String, _ body: (inout Entry) -> Result) -> Result {
    databases.withLock { databases in
      var entry = databases[path] ?? Entry()
      defer { databases[path] = entry.isEmpty ? nil : entry }
      return body(&entry)
    }
  }
}
