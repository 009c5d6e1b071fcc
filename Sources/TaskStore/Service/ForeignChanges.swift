import Reactor
import Synchronization

/// Notices what other programs change in the database, and tells of it as
/// ``TaskEvent/Kind/changed``.
///
/// SQLite counts, for each connection, the commits of all others. Asked on the connection that
/// writes, by its own queue, it never tells of this service's own steps, and what others have done
/// comes in its place among them.
final class ForeignChanges: Sendable {
  private let database: TaskDatabase
  private let broadcaster: EventBroadcaster<TaskEvent>
  private let clock: any Clock<Duration>
  /// What the connection said last.
  private let version: Atomic<Int64>
  private let watching = Locked<Task<Void, Never>?>(nil)

  init(
    database: TaskDatabase, broadcaster: EventBroadcaster<TaskEvent>, clock: any Clock<Duration>
  ) {
    self.database = database
    self.broadcaster = broadcaster
    self.clock = clock
    version = Atomic(database.foreignVersion ?? 0)
  }

  deinit { stop() }

  /// Looks again and again, from now on.
  func start() {
    watching.withLock { watching in
      guard watching == nil else { return }
      watching = Task { [weak self, clock] in
        while (try? await clock.sleep(for: .milliseconds(200))) != nil, let self {
          await self.look()
        }
      }
    }
  }

  func stop() { watching.withLock { $0?.cancel() } }

  /// Looks once, and tells if there is something new.
  func look(_ store: TaskStore) throws {
    let version = try store.foreignVersion
    guard self.version.exchange(version, ordering: .relaxed) != version else { return }
    broadcaster.send(TaskEvent(kind: .changed, revision: try store.revision))
  }

  private func look() async {
    // What cannot be read now may be next time; whoever reads or writes meanwhile is told why.
    try? await database.look { try self.look($0) }
  }
}
