public import Hummingbird
public import Logging
public import Reactor

/// The logger of the request that is being handled, for code that is not handed one.
///
/// ```swift
/// router.add(middleware: RequestLoggerMiddleware())
///
/// actor Room: Reactor {
///   let pipeline = Pipeline(carrying: .requestLogger)  // its effects have the sender's
///   // … in an effect:
///   RequestLogger.current.info("paid")  // with the request's id
/// }
/// ```
public enum RequestLogger {
  /// The request's; outside of one, a logger without a label.
  ///
  /// What a reactor's work has of it, the pipeline names; see ``/Reactor/TaskLocals``.
  @TaskLocal public static var current = Logger(label: "")
}

extension TaskLocals {
  /// The logger of the request in which an action was sent.
  public static let requestLogger = TaskLocals(RequestLogger.$current)
}

/// Makes each request's logger the task's: ``RequestLogger/current``, and swift-log's
/// `Logger.current`.
///
/// The logger is the context's, which knows the request's id. To have the ids of a trace in each
/// line as well, the logging system is bootstrapped with the tracer's metadata provider, and
/// `TracingMiddleware` stands before this.
public struct RequestLoggerMiddleware<Context: RequestContext>: RouterMiddleware {
  /// A middleware that needs no more than its place.
  public init() {}

  /// Handles a request with its logger bound.
  ///
  /// - Parameters:
  ///   - request: The request.
  ///   - context: Its context.
  ///   - next: What handles it.
  /// - Returns: The response.
  /// - Throws: What that throws.
  public func handle(
    _ request: Request, context: Context,
    next: (Request, Context) async throws -> Response
  ) async throws -> Response {
    try await RequestLogger.$current.withValue(context.logger) {
      try await withLogger(context.logger) { _ in try await next(request, context) }
    }
  }
}
