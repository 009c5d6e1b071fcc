import ReactorRuntime

/// A connection of this process to a database, or the attempt to open one.
///
/// SQLite's locks belong to the process: if it closes any descriptor of a file, the system releases
/// all of its locks on that file. So the files of a database may be read only while this process
/// has no connection to it. The object lives as long as the connection.
///
/// Holds: `databases`, guarded by its own lock; waiting tasks are resumed outside it.
final class OpenDatabase: Sendable {
  private enum State: Sendable {
    /// The first connection is being opened; others wait until it is open, or has failed.
    case opening(waiting: [Latch])
    case open(connections: Int)
  }

  private static let databases = Guarded<[String: State]>([:])

  private let path: String
  /// Whether the process had no other connection.
  let isFirst: Bool

  /// Begins to open a connection, once no other task is opening the first one.
  ///
  /// - Parameter path: The resolved path.
  init(_ path: String) async {
    self.path = path
    while true {
      let latch = Latch()
      let isFirst = Self.databases.withLock { databases -> Bool? in
        switch databases[path] {
        case nil:
          databases[path] = .opening(waiting: [])
          return true
        case .open(let connections):
          databases[path] = .open(connections: connections + 1)
          return false
        case .opening(let waiting):
          databases[path] = .opening(waiting: waiting + [latch])
          return nil
        }
      }
      if let isFirst {
        self.isFirst = isFirst
        return
      }
      // In a task of its own, because waiting ends early in a cancelled task.
      await PipelineTasks.inheriting { await latch.wait() }.value
    }
  }

  /// The connection is open; it keeps this object.
  func opened() {
    if isFirst { resume(Self.change(path) { _ in .open(connections: 1) }) }
  }

  deinit {
    resume(
      Self.change(path) { state in
        guard case .open(let connections) = state, connections > 1 else { return nil }
        return .open(connections: connections - 1)
      })
  }

  /// - Returns: What has waited for the end of the opening.
  private static func change(_ path: String, _ body: (State?) -> State?) -> [Latch] {
    databases.withLock { databases in
      let before = databases[path]
      databases[path] = body(before)
      if case .opening(let waiting) = before { return waiting }
      return []
    }
  }

  private func resume(_ waiting: [Latch]) {
    for latch in waiting { latch.open() }
  }
}
