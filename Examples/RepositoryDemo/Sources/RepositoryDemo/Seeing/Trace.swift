import HTTPTypes
import Hummingbird
import Logging
import Reactor

/// The request that work belongs to: a W3C trace id, across any number of reactors.
enum Trace {
  @TaskLocal static var id: String?

  /// Adds the trace id to everything that is logged for a request.
  static let metadata = Logger.MetadataProvider {
    id.map { ["trace_id": "\($0)"] } ?? [:]
  }
}

/// Propagates the trace id with every action and into every effect.
struct TraceCarrier: ReactorObserver {
  var carried: TaskLocals { TaskLocals(Trace.$id) }
  var needs: ObserverNeeds { [] }
  func observe(_ step: ReactorStep) {}
}

/// Reads the trace id of a request, or creates one, and logs the request.
struct Tracing: RouterMiddleware {
  func handle(
    _ request: Request, context: DemoContext,
    next: (Request, DemoContext) async throws -> Response
  ) async throws -> Response {
    let id = Self.id(in: request.headers[.traceparent]) ?? Self.newID()
    var context = context
    context.logger[metadataKey: "trace_id"] = "\(id)"
    return try await Trace.$id.withValue(id) {
      let start = ContinuousClock.now
      let response = try await next(request, context)
      context.logger.debug(
        "answered",
        metadata: [
          "method": "\(request.method)", "path": "\(request.uri.path.prefix(200))",
          "status": "\(response.status.code)", "took": "\(start.duration(to: .now))",
        ])
      return response
    }
  }

  /// `00-<32 hexadecimal digits>-…`.
  static func id(in header: String?) -> String? {
    let parts = header?.split(separator: "-") ?? []
    guard parts.count == 4, parts[1].utf8.count == 32,
      parts[1].allSatisfy({ $0.isHexDigit && !$0.isUppercase }),
      parts[1].contains(where: { $0 != "0" })
    else { return nil }
    return String(parts[1])
  }

  private static func newID() -> String {
    (0..<2).map { _ in
      let text = String(UInt64.random(in: 1 ... .max), radix: 16)
      return String(repeating: "0", count: 16 - text.count) + text
    }.joined()
  }
}

extension HTTPField.Name {
  static let traceparent = known("traceparent")
}
