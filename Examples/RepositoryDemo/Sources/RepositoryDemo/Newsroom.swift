import Reactor
import ReactorComposition
import RepositoryCore
import ServiceLifecycle

/// Tells everybody what happens: now and then something somewhere, and at last that it is over.
///
/// The last of all services, so the first that ends.
struct Newsroom: Service, CustomStringConvertible {
  let everybody: ReactorGroup<AppEvent>
  /// About how long there is nothing to tell; `nil` for ever.
  let pause: Duration?
  var clock: any Clock<Duration> = ContinuousClock()
  /// How many pauses go by, and what has happened then.
  var next: @Sendable () -> (pauses: Double, text: String) = Newsroom.chance

  var description: String { "Newsroom" }

  func run() async throws {
    await cancelWhenGracefulShutdown {
      while let pause {
        let (pauses, text) = next()
        guard (try? await clock.sleep(for: pause * pauses)) != nil else { return }
        everybody.send(.notice(text))
      }
      // Without news it waits for the end alone.
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
