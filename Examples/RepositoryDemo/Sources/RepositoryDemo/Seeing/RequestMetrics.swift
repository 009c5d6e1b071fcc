import CoreMetrics
import Hummingbird

/// Counts requests by method and status, and measures the time until their responses begin.
///
/// There is no label for the path: then clients would decide how many series there are.
struct RequestMetrics: RouterMiddleware {
  private let factory: PrometheusMetrics

  init(_ factory: PrometheusMetrics) { self.factory = factory }

  func handle(
    _ request: Request, context: DemoContext,
    next: (Request, DemoContext) async throws -> Response
  ) async throws -> Response {
    let start = ContinuousClock.now
    let response = try await next(request, context)
    let method =
      ["GET", "POST", "HEAD"].contains(request.method.rawValue) ? request.method.rawValue : "other"
    let labels = [("method", method), ("status", "\(response.status.code)")]
    Counter(label: "http_requests", dimensions: labels, factory: factory).increment()
    let took = start.duration(to: .now)
    Timer(label: "http_request", dimensions: [("method", method)], factory: factory)
      .recordNanoseconds(Int64(took / .nanoseconds(1)))
    return response
  }
}
