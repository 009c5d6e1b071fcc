public import HTTPTypes
public import Hummingbird
public import Logging
public import Reactor
import ReactorComposition

/// An error response of a route, for an action or a request that failed.
///
/// ```json
/// {"error": {"reason": "superseded", "message": "a newer action took its place"}}
/// ```
///
/// | What happened | Status |
/// |---|---|
/// | the body is not JSON, or does not fit the action | 400 |
/// | the key is invalid | 400 |
/// | the `Idempotency-Key` does not have 1 to 255 bytes | 400 |
/// | the `Request-Timeout` is not a number of seconds, more than 0 and less than 86,400 | 400 |
/// | a live stream is requested with no views, or with too many | 400 |
/// | the middleware dropped the action, and the error is not an ``/Reactor/ExpectedError`` | 403 |
/// | a live stream is requested with an unknown view | 404 |
/// | the reactor declined the action with an `ExpectedError` | 409 |
/// | the lane is full, or another action runs in it | 409, `Retry-After` |
/// | a newer action replaced this one in the lane, or the action was cancelled | 409 |
/// | the same `Idempotency-Key` was begun before a crash, and its outcome is unknown | 409 |
/// | the body is longer than ``ActionOptions/bodyLimit`` | 413 |
/// | the body is not declared as JSON | 415 |
/// | the same `Idempotency-Key` was used for another request | 422 |
/// | the inbox is full, or a reactor of a cluster refuses the action | 429, `Retry-After` |
/// | the effect failed, or did not answer; the reactor cannot be created | 500, without details |
/// | the path of the route has no parameter for the key | 500 |
/// | the reactor ended during the action, which may be done | 502 |
/// | the reactor or the registry had been stopped; nothing has been done | 503, `Retry-After` |
/// | no host of a cluster could execute the call; nothing has been done | 503, `Retry-After` |
/// | the body did not arrive, or the action did not end, in time | 504 |
/// | reactors ask one another in a cycle | 508 |
///
/// An error that defines its own response, such as Hummingbird's `HTTPError`, is sent unchanged.
public struct ReactorHTTPError: Error, HTTPResponseError, CustomStringConvertible {
  /// The status.
  public var status: HTTPResponse.Status
  /// A word for programs.
  public var reason: String
  /// A line for people.
  public var message: String
  /// The number of seconds after which another attempt may succeed; `nil` if none would.
  public var retryAfter: Int?
  /// Whether nothing has been done, so that the action can be sent again.
  public var isWithoutEffect: Bool
  /// The text for the log: the reactor, and what happened there.
  var details: String?
  /// An error that defines its own response, which is sent unchanged.
  private var custom: (any HTTPResponseError)?

  /// Creates an error response.
  ///
  /// - Parameters:
  ///   - status: The status.
  ///   - reason: A word for programs.
  ///   - message: A line for people.
  ///   - retryAfter: The number of seconds after which another attempt may succeed.
  ///   - isWithoutEffect: Whether nothing has been done.
  public init(
    _ status: HTTPResponse.Status, reason: String, _ message: String, retryAfter: Int? = nil,
    isWithoutEffect: Bool = false
  ) {
    self.status = status
    self.reason = reason
    self.message = message
    self.retryAfter = retryAfter
    self.isWithoutEffect = isWithoutEffect
  }

  private init(custom error: any HTTPResponseError, isWithoutEffect: Bool = false) {
    self.init(
      error.status, reason: "error", error.status.reasonPhrase, isWithoutEffect: isWithoutEffect)
    custom = error
  }

  /// A text such as `409: soldOut, no seats are left`.
  public var description: String { "\(status.code): \(reason), \(message)" }

  /// Returns the response as JSON, or the response that the error itself defines.
  ///
  /// An effect or the middleware can throw an error that defines its own response.
  ///
  /// - Parameters:
  ///   - request: The request.
  ///   - context: Its context.
  /// - Returns: The response.
  /// - Throws: What the error's own response throws.
  public func response(from request: Request, context: some RequestContext) throws -> Response {
    try custom?.response(from: request, context: context) ?? response
  }

  /// The response as JSON.
  public var response: Response { actionResponse?.response ?? Response(status: status) }

  var actionResponse: ActionResponse? {
    struct Body: Encodable {
      struct Content: Encodable { let reason, message: String }
      let error: Content
    }
    let body = Body(error: Body.Content(reason: reason, message: message))
    guard var response = try? ActionResponse(body) else { return nil }
    response.status = status
    if let retryAfter { response.headers[.retryAfter] = "\(retryAfter)" }
    return response
  }
}

extension ReactorHTTPError {
  /// Creates the response for an error that an `ask`, a handle or a registry threw.
  ///
  /// - Parameter error: The error. The result is `nil` if the error defines its own response.
  public init?(_ error: any Error) {
    switch error {
    case let error as ReactorHTTPError: self = error
    case is any HTTPResponseError: return nil
    case let error as AskError: self.init(unanswered: error.reason)
    case RegistryError.stopped: self = .stopped
    case RegistryError.refused(let refusal): self.init(refusal)
    case RegistryError.cycle: self = .cycle
    case let error as any ExpectedError:
      self.init(.conflict, reason: ReportText.name(of: error), ReportText.text(of: error))
    case is CancellationError: self = .cancelled
    case let error as any ErrorWithKind:
      self = error.kindOfError.map { ReactorHTTPError($0, "\(error)") } ?? .failed
    default: self = .failed
    }
  }

  private init(_ kind: ErrorKind, _ text: String) {
    switch kind {
    case .declined(let name): self.init(.conflict, reason: name, text)
    case .invalid: self.init(.badRequest, reason: "invalid", text, isWithoutEffect: true)
    case .cancelled: self = .cancelled
    case .refused:
      self.init(
        .tooManyRequests, reason: "refused", text, retryAfter: 1, isWithoutEffect: true)
    case .dropped: self = .dropped
    case .late: self = .late
    case .neverBegun: self = .stopped
    case .unreachable:
      self.init(
        .serviceUnavailable, reason: "unreachable", "it is out of reach; nothing has been done",
        retryAfter: 2, isWithoutEffect: true)
    case .ended: self = .ended
    }
  }

  /// Creates the response for the outcome of an action; `nil` if it has finished or is still
  /// running.
  ///
  /// - Parameter outcome: The outcome.
  /// - Throws: The error of an effect, if it defines its own response.
  public init?(_ outcome: ActionOutcome) throws {
    switch outcome {
    case .finished, .open, .forgotten: return nil
    case .failed(let error as ReactorHTTPError): self = error
    case .failed(let error):
      guard let failure = ReactorHTTPError(error) else { throw error }
      // That nothing has been done is said of another action, for which the effect has asked.
      self = failure.isWithoutEffect ? .failed : failure
    case .cancelled: self = .cancelled
    case .dropped: self = .dropped
    case .superseded, .evicted: self = .superseded
    case .droppedByMiddleware(let error): self.init(droppedBecause: error)
    case .refused(let refusal): self.init(refusal)
    case .neverBegun: self = .stopped
    case .reactorEnded: self = .ended
    case .released: self = .failed
    case .timedOut: self = .late
    case .cycle: self = .cycle
    }
  }

  private init(droppedBecause error: any Error) {
    switch error {
    case let error as ReactorHTTPError: self = error
    case let error as any HTTPResponseError: self.init(custom: error, isWithoutEffect: true)
    case is any ExpectedError: self = ReactorHTTPError(error) ?? .forbidden
    default: self = .forbidden
    }
  }

  init(_ refusal: ActionRefusal) {
    switch refusal {
    case .stopped: self = .stopped
    case .inboxFull:
      self.init(
        .tooManyRequests, reason: "inboxFull", "too many actions are waiting",
        retryAfter: 1, isWithoutEffect: true)
    case .senderCancelled: self = .cancelled
    case .laneFull:
      self.init(
        .conflict, reason: "laneFull", "too many actions of this kind are waiting",
        retryAfter: 1, isWithoutEffect: true)
    case .notOpened: self = .notOpened
    }
  }

  private init(unanswered reason: ActionOutcome) {
    switch reason {
    case .failed(let error as ReactorHTTPError): self = error
    case .failed(let error as any HTTPResponseError): self.init(custom: error)
    default: self = (try? Self(reason)) ?? .failed
    }
  }

  static let stopped = Self(
    .serviceUnavailable, reason: "stopped", "the service ends; nothing has been done",
    retryAfter: 2, isWithoutEffect: true)
  static let ended = Self(
    .badGateway, reason: "ended", "the service ended in the middle; what was begun may be done")
  static let dropped = Self(
    .conflict, reason: "dropped", "another action of this kind is being done",
    retryAfter: 1, isWithoutEffect: true)
  static let forbidden = Self(
    .forbidden, reason: "forbidden", "the action was not allowed", isWithoutEffect: true)
  static let superseded = Self(.conflict, reason: "superseded", "a newer action took its place")
  static let cancelled = Self(.conflict, reason: "cancelled", "the action was cancelled")
  static let failed = Self(.internalServerError, reason: "failed", "the action failed")
  /// An error of the program, which the client does not see; it is logged.
  static let notOpened = Self(
    .internalServerError, reason: "failed", "the action failed", isWithoutEffect: true)
  static let late = Self(
    .gatewayTimeout, reason: "late",
    "not within the time; what had not been done by then was cancelled")
  static let stillRunning = Self(
    .gatewayTimeout, reason: "late",
    "not within the time; it continues, and the same request gets its answer")
  /// The reason is `circle`, as in earlier versions, since clients compare it.
  static let cycle = Self(
    HTTPResponse.Status(code: 508, reasonPhrase: "Loop Detected"), reason: "circle",
    "asks wait for one another")
}

extension ReactorHTTPError {
  /// Returns the response for an error, and logs the details that the client does not see.
  ///
  /// - Throws: An error that defines its own response.
  @usableFromInline
  static func response(to error: any Error, _ logger: Logger) throws -> Response {
    guard let failure = ReactorHTTPError(error) else { throw error }
    if let custom = failure.custom { throw custom }
    if failure.status.code >= 500, failure.retryAfter == nil {
      let text = failure.details ?? ReportText.text(ofError: error)
      logger.error("a request failed", metadata: ["error": "\(text)"])
    }
    return failure.response
  }
}
