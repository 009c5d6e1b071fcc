import Hummingbird
import Logging
import Reactor
import ReactorComposition
import ReactorHummingbird

/// Converts errors to pages; unexpected errors are shown without details.
struct ErrorPages: RouterMiddleware {
  func handle(
    _ request: Request, context: DemoContext,
    next: (Request, DemoContext) async throws -> Response
  ) async throws -> Response {
    do {
      return try await next(request, context)
    } catch let error as HTTPError {
      let nothing = error.status == .notFound ? ErrorPage.nothing : error.status.reasonPhrase
      var response = page(error.status, error.body ?? nothing)
      for field in error.headers { response.headers[field.name] = field.value }
      return response
    } catch let full as SessionsFull {
      var response =
        switch full {
        case .house: page(.serviceUnavailable, ErrorPage.house)
        case .address: page(.tooManyRequests, ErrorPage.address)
        }
      response.headers[.retryAfter] = "60"
      return response
    } catch let error as RegistryError {
      context.logger.info("refused", metadata: ["error": "\(error)"])
      var response = page(.serviceUnavailable, ErrorPage.anew)
      response.headers[.retryAfter] = "2"
      return response
    } catch let error as any HTTPResponseError {
      return page(error.status, error.status.reasonPhrase)
    } catch is CancellationError {
      return page(.init(code: 499, reasonPhrase: "Client Closed Request"), "Nobody waits any more.")
    } catch {
      context.logger.error("a request failed", metadata: ["error": "\(error)"])
      return page(.internalServerError, ErrorPage.ours)
    }
  }

  private func page(_ status: HTTPResponse.Status, _ message: String) -> Response {
    Response(html: ErrorPage.page(status.code, message), status: status)
  }
}

/// The security headers of every response: no foreign content, no frames, no inline scripts.
struct SecurityHeaders: RouterMiddleware {
  let isSecure: Bool

  func handle(
    _ request: Request, context: DemoContext,
    next: (Request, DemoContext) async throws -> Response
  ) async throws -> Response {
    var response = try await next(request, context)
    // Also for error pages: a body after the response to HEAD would be taken for the next response.
    if request.method == .head { response = response.createHeadResponse() }
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

/// Limits the rate of requests.
struct RateLimiter: RouterMiddleware {
  let limit: RateLimit

  static var refusal: HTTPError {
    HTTPError(.tooManyRequests, headers: [.retryAfter: "2"], message: ErrorPage.tooOften)
  }

  func handle(
    _ request: Request, context: DemoContext,
    next: (Request, DemoContext) async throws -> Response
  ) async throws -> Response {
    guard limit.allows(context.address) else { throw Self.refusal }
    return try await next(request, context)
  }
}
