public import Hummingbird
public import Logging
public import Reactor

/// The logger of the current request, for code that does not receive it as a parameter.
///
/// ```swift
/// router.add(middleware: RequestLoggerMiddleware())
///
/// actor Cart: Reactor {
///   let pipeline = Pipeline(carrying: .requestLogger)  // its effects have the sender's
///   // … in an effect:
///   RequestLogger.current.info("paid")  // with the request's id
/// }
/// ```
public enum RequestLogger {
  /// The logger of the current request; outside a request, a logger without a label.
  ///
  /// A reactor's work has it if the pipeline names it; see ``/Reactor/TaskLocals``.
  @TaskLocal public static var current = Logger(label: "")
}

extension TaskLocals {
  /// The logger of the request in which an action was sent.
  public static let requestLogger = TaskLocals(RequestLogger.$current)
}

/// A middleware that sets ``RequestLogger/current`` and swift-log's `Logger.current` to the logger
/// of each request.
///
/// The logger is that of the request's context, and contains the request's id. To add the ids of a
/// trace to each line, bootstrap the logging system with the tracer's metadata provider, and add
/// `TracingMiddleware` before this one.
public struct RequestLoggerMiddleware<Context: RequestContext>: RouterMiddleware {
  /// Creates the middleware.
  public init() {}

  /// Handles a request with its logger set.
  ///
  /// - Parameters:
  ///   - request: The request.
  ///   - context: Its context.
  ///   - next: Handles the request.
  /// - Returns: The response.
  /// - Throws: What `next` throws.
  public func handle(
    _ request: Request, context: Context,
    next: (Request, Context) async throws -> Response
  ) async throws -> Response {
    try await RequestLogger.$current.withValue(context.logger) {
      try await withLogger(context.logger) { _ in try await next(request, context) }
    }
  }
}
