import Reactor
import RepositoryCore
import ServiceLifecycle

/// Tells everybody what happens: now and then something somewhere, and at last that it is over.
///
/// The last of all services, so the first that ends.
struct Newsroom: Service, CustomStringConvertible {
  let everybody: ReactorGroup<AppEvent>
  let pause: Duration?

  var description: String { "Newsroom" }

  func run() async throws {
    await cancelWhenGracefulShutdown {
      while let pause, (try? await Task.sleep(for: pause * Double.random(in: 0.5...1.5))) != nil {
        everybody.send(.notice(Self.news()))
      }
      // Without news it waits for the end alone.
      if pause == nil { try? await gracefulShutdown() }
    }
    await everybody.send(.closing).settled
  }

  private static func news() -> String {
    let who =
      ["fjord", "juniper", "quartz", "wren", "tidepool", "kestrel-dev"].randomElement() ?? ""
    let what =
      [
        "released a new version.", "has ten thousand stars now.", "looks for maintainers.",
        "moved to structured concurrency.",
      ].randomElement() ?? ""
    return "\(who) \(what)"
  }
}
