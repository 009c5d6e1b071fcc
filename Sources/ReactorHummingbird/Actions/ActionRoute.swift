import Foundation
import HTTPTypes
public import Hummingbird
public import Logging
import NIOCore
public import Reactor

/// A response with a status and JSON.
@usableFromInline
struct ActionResponse: Sendable {
  var status: HTTPResponse.Status = .ok
  var headers = Self.json
  let body: ByteBuffer

  private static let json: HTTPFields = [.contentType: "application/json"]
  /// The most frequent response without a value, encoded once.
  private static let finished = ByteBuffer(string: #"{"outcome":"finished"}"#)

  private init(body: ByteBuffer) { self.body = body }

  /// Creates a response with a value.
  ///
  /// - Throws: What the encoder throws.
  @usableFromInline
  init(_ value: some Encodable) throws {
    body = ByteBuffer(bytes: try JSONEncoder.ofReactors.encode(value))
  }

  /// Creates the response for an action that has been accepted and is still running.
  ///
  /// - Throws: ``ReactorHTTPError`` if it was refused.
  @usableFromInline
  init<R>(accepted receipt: ActionReceipt<R>) throws {
    if receipt.isRefused, let refusal = receipt.refusal { throw ReactorHTTPError(refusal) }
    try self.init(OutcomeBody(outcome: "taken", action: receipt.actionNumber?.rawValue))
    status = .accepted
    headers[.preferenceApplied] = "respond-async"
  }

  /// Creates the response for the outcome of an action.
  ///
  /// - Throws: ``ReactorHTTPError`` unless it has finished.
  @usableFromInline
  init(_ outcome: ActionOutcome, of reactor: ReactorIdentity) throws {
    if var error = try ReactorHTTPError(outcome) {
      error.details = "\(reactor): the action ended as \(outcome)"
      throw error
    }
    if outcome.isFinished {
      self.init(body: Self.finished)
    } else {
      try self.init(OutcomeBody(outcome: "open"))
      status = .accepted
    }
  }

  @usableFromInline
  var response: Response {
    Response(status: status, headers: headers, body: ResponseBody(byteBuffer: body))
  }
}

/// The outcome of an action, as JSON.
private struct OutcomeBody: Encodable {
  let outcome: String
  var action: UInt64?
}

/// Handles requests: reads them, responds, and keeps responses that may be requested again.
///
/// It is not generic. The work with the reactor is a closure that is compiled where the types are
/// known.
@usableFromInline
struct ActionRoute: Sendable {
  /// Handles a request with the reactor.
  ///
  /// The closure sets its second argument when the reactor has been found. A failure before that
  /// has had no effect.
  @usableFromInline
  typealias Work =
    @Sendable (_ read: ActionRequest, _ hasBegun: inout Bool) async throws -> ActionResponse

  private let options: ActionOptions
  private let cache: ResponseCache

  @usableFromInline
  init(_ options: ActionOptions) {
    self.options = options
    cache = ResponseCache(options)
  }

  /// Handles a request; an error of the work becomes the response.
  @usableFromInline
  nonisolated(nonsending) func respond(
    to request: Request, _ logger: Logger, _ work: @escaping Work
  ) async throws -> Response {
    do {
      let read = try await ActionRequest(request, options)
      guard let key = read.responseKey else {
        var hasBegun = false
        return try await work(read, &hasBegun).response
      }
      let response = try await cache.response(to: key, read.fingerprint, within: read.patience) {
        await Self.storedResponse(to: read, work)
      }
      return response.response
    } catch {
      return try ReactorHTTPError.response(to: error, logger)
    }
  }

  /// Returns a response that can be sent again.
  private static func storedResponse(
    to read: ActionRequest, _ work: Work
  ) async -> StoredResponse {
    var hasBegun = false
    do {
      return StoredResponse(result: .success(try await work(read, &hasBegun)), isFinal: true)
    } catch {
      let isFinal = hasBegun && ReactorHTTPError(error)?.isWithoutEffect != true
      return StoredResponse(result: .failure(error), isFinal: isFinal)
    }
  }
}
