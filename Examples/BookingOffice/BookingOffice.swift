import Configuration
import Foundation
import Hummingbird
import Logging
import Metrics
import Reactor
import ReactorComposition
import ReactorHummingbird
import ReactorInstrumentation
import ReactorJournal
import ReactorLifecycle
import ServiceLifecycle
import UnixSignals

/// A service with journaled rooms and visitors, a live page, metrics, and an orderly shutdown.
@main
struct BookingOffice {
  /// The defaults for settings that the environment does not set, as `HTTP_PORT=80` would.
  static let defaults = InMemoryProvider(values: [
    "http.host": "127.0.0.1", "http.port": 8080, "log.level": "info", "body.limit": 4096,
    "action.seconds": 30, "drain.seconds": 5, "database": "booking-office.sqlite",
  ])

  static let usage = """
    usage: BookingOffice

    Settings are read from the environment; these are used where it has none:
      HTTP_HOST=127.0.0.1 HTTP_PORT=8080 BODY_LIMIT=4096 ACTION_SECONDS=30 DRAIN_SECONDS=5
      DATABASE=booking-office.sqlite LOG_LEVEL=info

    """

  static func main() async {
    if let word = CommandLine.arguments.dropFirst().first {
      let isHelp = ["--help", "-h"].contains(word)
      let output = isHelp ? FileHandle.standardOutput : .standardError
      guard (try? output.write(contentsOf: Data(usage.utf8))) != nil else { exit(1) }
      exit(isHelp ? 0 : 64)
    }
    do {
      try await serve(ConfigReader(providers: [EnvironmentVariablesProvider(), defaults]))
    } catch {
      try? FileHandle.standardError.write(contentsOf: Data("error: \(error)\n".utf8))
      exit(1)
    }
  }

  static func serve(_ config: ConfigReader) async throws {
    var logger = Logger(label: "BookingOffice")
    logger.logLevel = try config.requiredString(forKey: "log.level", as: Logger.Level.self)
    let metrics = TextMetrics()
    MetricsSystem.bootstrap(metrics)
    ReactorObservers.add(MetricsObserver(metrics))
    let journal = try await Journal(.sqlite(at: config.requiredString(forKey: "database")))
    let rooms = Self.rooms(journal, idle: .seconds(300), pay: Room.bank)
    let sessions = Self.sessions(journal, rooms, idle: .seconds(1800))
    // Sessions send to rooms, so they end first. The journal closes after all of them.
    let drain = Duration.seconds(try config.requiredInt(forKey: "drain.seconds"))
    let reactors = ReactorService(rooms, sessions, drain: drain, logger: logger)
    let options = ActionOptions(
      bodyLimit: try config.requiredInt(forKey: "body.limit"),
      deadline: .seconds(try config.requiredInt(forKey: "action.seconds")))
    let host = try config.requiredString(forKey: "http.host")
    let address = BindAddress.hostname(host, port: try config.requiredInt(forKey: "http.port"))
    let app = Application(
      router: routes(rooms, sessions, reactors, metrics, options),
      server: .http1(serving: reactors), configuration: .init(address: address), logger: logger)
    var services = ServiceGroupConfiguration(
      services: [reactors, app], gracefulShutdownSignals: [.sigterm, .sigint], logger: logger)
    services.maximumGracefulShutdownDuration = .seconds(30)
    try await ServiceGroup(configuration: services).run()
  }

  static func rooms(
    _ journal: Journal, idle: Duration?,
    pay: @escaping @Sendable (_ key: String) async throws -> Void
  ) -> Session.Rooms {
    Session.Rooms(idle: idle) { name in
      guard ["opera", "cinema", "circus"].contains(name) else {
        throw ReactorHTTPError(.notFound, reason: "room", "there is no room '\(name)'")
      }
      return try await journal.open(name) { Room(name, pay: pay) }
    }
  }

  static func sessions(
    _ journal: Journal, _ rooms: Session.Rooms, idle: Duration?
  ) -> ReactorRegistry<String, Session> {
    ReactorRegistry(idle: idle) { name in
      // Each session is a journal, and any client can create one.
      guard name.wholeMatch(of: /[a-zA-Z0-9-]{1,64}/) != nil else {
        throw ReactorHTTPError(
          .badRequest, reason: "session", "a session has 1 to 64 letters, digits and hyphens")
      }
      return try await journal.open(name) { Session(rooms) }
    }
  }
}
