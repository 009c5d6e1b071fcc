import Reactor
import Synchronization

/// Detects changes of the database by other programs, and sends ``TaskEvent/Kind/changed`` for
/// them.
///
/// SQLite counts, for each connection, the commits of all others. The count is read on the writing
/// connection, on its own queue. So it never includes this service's own steps, and its events are
/// in the right order among them.
final class ExternalChanges: Sendable {
  private let database: TaskDatabase
  private let broadcaster: EventBroadcaster<TaskEvent>
  private let clock: any Clock<Duration>
  /// The last count of the connection.
  private let version: Atomic<Int64>
  private let watching = Locked<Task<Void, Never>?>(nil)

  init(
    database: TaskDatabase, broadcaster: EventBroadcaster<TaskEvent>, clock: any Clock<Duration>
  ) {
    self.database = database
    self.broadcaster = broadcaster
    self.clock = clock
    version = Atomic(database.externalVersion ?? 0)
  }

  deinit { stop() }

  /// Starts to check periodically.
  func start() {
    watching.withLock { watching in
      guard watching == nil else { return }
      watching = Task { [weak self, clock] in
        while (try? await clock.sleep(for: .milliseconds(200))) != nil, let self {
          await self.check()
        }
      }
    }
  }

  func stop() { watching.withLock { $0?.cancel() } }

  /// Checks once, and sends an event if there are changes.
  func check(_ store: TaskStore) throws {
    let version = try store.externalVersion
    guard self.version.exchange(version, ordering: .relaxed) != version else { return }
    broadcaster.send(TaskEvent(kind: .changed, revision: try store.revision))
  }

  private func check() async {
    // What cannot be read now may be readable later; a read or a write meanwhile reports the error.
    try? await database.readSerially { try self.check($0) }
  }
}
