import Hummingbird
import Logging
import Reactor
import ReactorHummingbird

/// Makes a page of what goes wrong, and of what nobody expected one without details.
struct ErrorPages: RouterMiddleware {
  func handle(
    _ request: Request, context: DemoContext,
    next: (Request, DemoContext) async throws -> Response
  ) async throws -> Response {
    do {
      return try await next(request, context)
    } catch let error as HTTPError {
      var response = page(error.status, error.body ?? error.status.reasonPhrase)
      if let wait = error.headers[.retryAfter] { response.headers[.retryAfter] = wait }
      return response
    } catch is SessionsFull {
      var response = page(
        .serviceUnavailable, "All seats are taken. Come again in a minute; somebody will have left."
      )
      response.headers[.retryAfter] = "60"
      return response
    } catch let error as RegistryError {
      context.logger.info("refused", metadata: ["error": "\(error)"])
      var response = page(.serviceUnavailable, "The service starts anew. Try again in a moment.")
      response.headers[.retryAfter] = "2"
      return response
    } catch let error as any HTTPResponseError {
      return page(error.status, error.status.reasonPhrase)
    } catch is CancellationError {
      return page(.init(code: 499, reasonPhrase: "Client Closed Request"), "Nobody waits any more.")
    } catch {
      context.logger.error("a request failed", metadata: ["error": "\(error)"])
      return page(.internalServerError, "Something went wrong here. It has been written down.")
    }
  }

  private func page(_ status: HTTPResponse.Status, _ message: String) -> Response {
    let style: HTML = "<link rel=\"stylesheet\" href=\"\(Assets.style.path)\">"
    return Response(
      html: """
        <!doctype html><html lang="en"><head><meta charset="utf-8"><title>\(status.code)</title>
        <meta name="viewport" content="width=device-width, initial-scale=1">
        <meta name="color-scheme" content="light dark"><link rel="icon" href="data:,">\(style)</head>
        <body><main id="main"><div class="empty"><p class="big" aria-hidden="true">\(status.code)</p>
        <h1>\(message)</h1><p><a class="button" href="/">To the start</a></p></div></main></body></html>
        """, status: status)
  }
}

/// What every answer says to a browser: nothing from elsewhere, nothing in a frame, no scripts in
/// between.
struct SecurityHeaders: RouterMiddleware {
  let isSecure: Bool

  func handle(
    _ request: Request, context: DemoContext,
    next: (Request, DemoContext) async throws -> Response
  ) async throws -> Response {
    var response = try await next(request, context)
    response.headers[.contentSecurityPolicy] =
      "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
      + "connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
    response.headers[.xContentTypeOptions] = "nosniff"
    response.headers[.known("Referrer-Policy")] = "same-origin"
    response.headers[.known("X-Frame-Options")] = "DENY"
    response.headers[.known("Cross-Origin-Opener-Policy")] = "same-origin"
    response.headers[.known("Cross-Origin-Resource-Policy")] = "same-origin"
    response.headers[.known("Permissions-Policy")] = "camera=(), geolocation=(), microphone=()"
    if isSecure { response.headers[.strictTransportSecurity] = "max-age=31536000" }
    return response
  }
}

/// Lets nobody ask without an end.
struct RateLimiter: RouterMiddleware {
  let limit: RateLimit

  func handle(
    _ request: Request, context: DemoContext,
    next: (Request, DemoContext) async throws -> Response
  ) async throws -> Response {
    guard limit.allows(context.address) else {
      throw HTTPError(
        .tooManyRequests, headers: [.retryAfter: "2"],
        message: "That was a lot at once. Wait a moment.")
    }
    return try await next(request, context)
  }
}
