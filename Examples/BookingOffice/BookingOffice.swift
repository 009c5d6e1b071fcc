import Configuration
import Hummingbird
import Logging
import NIOCore
import Reactor
import ReactorHummingbird
import ReactorLifecycle
import ServiceLifecycle
import UnixSignals

/// A service: rooms and visitors, a live page, and an end in good order.
///
/// Its environment: `HTTP_HOST`, `HTTP_PORT`, `DRAIN_SECONDS`, `BODY_LIMIT`, `LOG_LEVEL`.
@main
struct BookingOffice {
  static func main() async throws {
    let config = ConfigReader(provider: EnvironmentVariablesProvider())
    var logger = Logger(label: "BookingOffice")
    logger.logLevel =
      Logger.Level(rawValue: config.string(forKey: "log.level", default: "info")) ?? .info

    let rooms = Session.Rooms(idle: nil) { name in
      guard ["opera", "cinema", "circus"].contains(name) else {
        throw HTTPError(.notFound, message: "there is no room '\(name)'")
      }
      return Room(name) { try await Task.sleep(for: .milliseconds(50)) }
    }
    let sessions = ReactorRegistry<String, Session>(idle: .seconds(1800)) { _ in Session(rooms) }
    // Visitors ask rooms, so they end first.
    let reactors = ReactorService(
      rooms, sessions, drain: .seconds(config.int(forKey: "drain.seconds", default: 5)),
      logger: logger)

    let options = ActionOptions(bodyLimit: config.int(forKey: "body.limit", default: 4096))
    let app = Application(
      router: routes(rooms, sessions, reactors, options), server: .http1(serving: reactors),
      configuration: ApplicationConfiguration(
        address: .hostname(
          config.string(forKey: "http.host", default: "127.0.0.1"),
          port: config.int(forKey: "http.port", default: 8080))),
      logger: logger)

    var services = ServiceGroupConfiguration(
      services: [reactors, app], gracefulShutdownSignals: [.sigterm, .sigint], logger: logger)
    services.maximumGracefulShutdownDuration = .seconds(30)
    try await ServiceGroup(configuration: services).run()
  }

  static func routes(
    _ rooms: Session.Rooms, _ sessions: ReactorRegistry<String, Session>,
    _ reactors: ReactorService, _ options: ActionOptions
  ) -> Router<BasicRequestContext> {
    let router = Router()
    router.get("") { _, _ in
      Response(
        status: .ok, headers: [.contentType: "text/html; charset=utf-8"],
        body: ResponseBody(byteBuffer: ByteBuffer(string: page)))
    }
    router.get("rooms/{id}", of: rooms) { $0 }
    router.get(
      "events",
      streaming: [LiveView("room", of: rooms) { $0 }, LiveView("session", of: sessions) { $0 }])
    router.post("sessions/{id}/bookings", asking: sessions, options: options) {
      (order: Session.Order, reply: Reply<Room.Ticket>) in .book(order, reply)
    }
    // By hand: to all rooms that there are.
    router.post("announcements") { request, context in
      struct Announcement: Decodable { let text: String }
      let text = try await request.decode(as: Announcement.self, context: context).text
      return rooms.broadcast(.announce(text)).accepted
    }
    router.health(of: reactors)
    return router
  }
}
