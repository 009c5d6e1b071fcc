import Reactor
import ReactorComposition
import RepositoryCore
import ServiceLifecycle

/// Sends notices to all sessions from time to time, and at the end a notification of the shutdown.
///
/// It is the last of all services, and therefore ends first.
struct Newsroom: Service, CustomStringConvertible {
  let everybody: ReactorGroup<AppEvent>
  /// The average time between two notices; `nil` for no notices.
  let pause: Duration?
  var clock: any Clock<Duration> = ContinuousClock()
  /// The number of pauses until the next notice, and its text.
  var next: @Sendable () -> (pauses: Double, text: String) = Newsroom.chance

  var description: String { "Newsroom" }

  func run() async throws {
    await cancelWhenGracefulShutdown {
      while let pause {
        let (pauses, text) = next()
        guard (try? await clock.sleep(for: pause * pauses)) != nil else { return }
        everybody.send(.notice(text))
      }
      // Without notices it waits only for the shutdown.
      try? await gracefulShutdown()
    }
    await everybody.send(.closing).settled
  }

  static func chance() -> (pauses: Double, text: String) {
    let who =
      ["fjord", "juniper", "quartz", "wren", "tidepool", "kestrel-dev"].randomElement() ?? ""
    let what =
      [
        "released a new version.", "has ten thousand stars now.", "looks for maintainers.",
        "moved to structured concurrency.",
      ].randomElement() ?? ""
    return (Double.random(in: 0.5...1.5), "\(who) \(what)")
  }
}
