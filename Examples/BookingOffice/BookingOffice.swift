import Configuration
import Foundation
import Hummingbird
import Logging
import Metrics
import Reactor
import ReactorHummingbird
import ReactorInstrumentation
import ReactorJournal
import ReactorLifecycle
import ServiceLifecycle
import UnixSignals

/// A service: rooms and visitors that are kept, a live page, metrics, and an end in good order.
@main
struct BookingOffice {
  /// What holds where the environment says nothing else, by `HTTP_PORT=80` say.
  static let defaults = InMemoryProvider(values: [
    "http.host": "127.0.0.1", "http.port": 8080, "log.level": "info", "body.limit": 4096,
    "action.seconds": 30, "drain.seconds": 5, "database": "booking-office.sqlite",
  ])

  static func main() async {
    do {
      try await serve(ConfigReader(providers: [EnvironmentVariablesProvider(), defaults]))
    } catch {
      FileHandle.standardError.write(Data("error: \(error)\n".utf8))
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
    let rooms = Session.Rooms(idle: .seconds(300)) { name in
      guard ["opera", "cinema", "circus"].contains(name) else {
        throw HTTPError(.notFound, message: "there is no room '\(name)'")
      }
      return try await journal.open(name) { Room(name) }
    }
    let sessions = ReactorRegistry<String, Session>(idle: .seconds(1800)) {
      try await journal.open($0) { Session(rooms) }
    }
    // Visitors ask rooms, so they end first. The journal closes when the last of all has ended.
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

  static func routes(
    _ rooms: Session.Rooms, _ sessions: ReactorRegistry<String, Session>,
    _ reactors: ReactorService, _ metrics: TextMetrics, _ options: ActionOptions
  ) -> Router<BasicRequestContext> {
    let router = Router()
    router.add(middleware: TracingMiddleware())
    router.add(middleware: MetricsMiddleware())
    router.add(middleware: RequestLoggerMiddleware())
    router.get("") { _, _ in EditedResponse(headers: [.contentType: "text/html"], response: page) }
    router.get("metrics") { _, _ in metrics.text }
    router.health(of: reactors)
    router.get("rooms/{id}", of: rooms) { $0 }
    let views = [LiveView("room", of: rooms) { $0 }, LiveView("session", of: sessions) { $0 }]
    router.get("events", streaming: views)
    router.post("sessions/{id}/bookings", asking: sessions, options: options) {
      (order: Session.Order, reply: Reply<Room.Ticket>) in .book(order, reply)
    }
    router.post("announcements") {
      try await rooms.broadcast(.announce($0.decode(as: String.self, context: $1))).accepted
    }
    return router
  }
}
