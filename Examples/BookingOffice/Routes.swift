import Hummingbird
import Reactor
import ReactorComposition
import ReactorHummingbird
import ReactorInstrumentation
import ReactorLifecycle

extension BookingOffice {
  /// The routes, and the part of each state that clients see: never the whole state.
  static func routes(
    _ rooms: Session.Rooms, _ sessions: ReactorRegistry<String, Session>,
    _ reactors: ReactorService, _ metrics: TextMetrics, _ options: ActionOptions
  ) -> Router<BasicRequestContext> {
    let router = Router(options: .autoGenerateHeadEndpoints)
    router.add(middleware: TracingMiddleware())
    router.add(middleware: MetricsMiddleware())
    router.add(middleware: RequestLoggerMiddleware())
    router.add(middleware: Refusals())
    router.get("") { _, _ in EditedResponse(headers: [.contentType: "text/html"], response: page) }
    router.get("metrics") { _, _ in metrics.text }
    router.health(of: reactors)
    router.get("rooms/{id}", of: rooms) { $0.board }
    let views = [
      LiveView("room", of: rooms) { $0.board },
      LiveView("session", of: sessions) { ["tickets": $0.tickets] },
    ]
    router.get("events", streaming: views)
    // A session is created for any requested name, here and above. A real service would decide that
    // at its login; this one has none.
    router.post("sessions/{id}/bookings", asking: sessions, options: options) {
      (order: Session.Order, reply: Reply<Room.Ticket>) in .book(order, reply)
    }
    router.post("announcements") { request, context in
      try request.requireJSON()
      let text = try await request.decode(as: String.self, context: context)
      return rooms.broadcast(.announce(text)).accepted
    }
    refuse(
      router, but: "GET, HEAD",
      at: ["", "metrics", "health/live", "health/ready", "rooms/{id}", "events"])
    refuse(router, but: "POST", at: ["sessions/{id}/bookings", "announcements"])
    return router
  }

  /// Refuses other methods, and names the allowed ones.
  private static func refuse(
    _ router: Router<BasicRequestContext>, but methods: String, at paths: [RouterPath]
  ) {
    let all: [HTTPRequest.Method] = [.get, .head, .post, .put, .patch, .delete, .options]
    for path in paths {
      for method in all where !methods.contains(method.rawValue) {
        router.on(path, method: method) { _, _ in
          let told = ReactorHTTPError(.methodNotAllowed, reason: "method", "send \(methods)")
          var response = told.response
          response.headers[.allow] = methods
          return response
        }
      }
    }
  }
}

/// Answers an unknown path in JSON, like all other errors; a HEAD request gets no body.
struct Refusals: RouterMiddleware {
  func handle(
    _ request: Request, context: BasicRequestContext,
    next: (Request, BasicRequestContext) async throws -> Response
  ) async throws -> Response {
    var response: Response
    do {
      response = try await next(request, context)
    } catch let error as HTTPError where error.status == .notFound {
      response = ReactorHTTPError(.notFound, reason: "path", "there is no such path").response
    } catch let error as any HTTPResponseError {
      response = try error.response(from: request, context: context)
    }
    return request.method == .head ? response.createHeadResponse() : response
  }
}
