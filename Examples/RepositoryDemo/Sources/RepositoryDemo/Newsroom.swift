import Reactor
import ReactorComposition
import RepositoryCore
import ServiceLifecycle

/// Sends announcements to all sessions from time to time, and at the end a notification of the
/// shutdown.
///
/// It is the last of all services, and therefore ends first.
struct Newsroom: Service, CustomStringConvertible {
  let everybody: ReactorGroup<AppAction>
  /// The average time between two announcements; `nil` for no announcements.
  let pause: Duration?
  /// The same seed makes the same announcements, with the same pauses.
  let seed: UInt64
  var clock: any Clock<Duration> = ContinuousClock()

  var description: String { "Newsroom" }

  func run() async throws {
    await cancelWhenGracefulShutdown {
      var generator = AnnouncementGenerator(seed: seed)
      while let pause {
        let (pauses, announcement) = generator.next()
        guard (try? await clock.sleep(for: pause * pauses)) != nil else { return }
        everybody.send(.announcement(announcement))
      }
      // Without announcements it waits only for the shutdown.
      try? await gracefulShutdown()
    }
    await everybody.send(.closing).settled
  }
}
