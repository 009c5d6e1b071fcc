import Foundation
import HTTPTypes
import Hummingbird
import NIOCore
import Reactor

/// A request that has been read to its end, with what its headers specify.
@usableFromInline
struct ActionRequest: Sendable {
  let body: ByteBuffer
  /// How long the action may take from here on; then it is cancelled.
  @usableFromInline let deadline: Duration?
  /// How long the client waits from here on for an action that continues; `nil` for no limit.
  let patience: Duration?
  /// The clock that measures both times.
  @usableFromInline let clock: any Clock<Duration>
  /// Whether the response is due when the action has been accepted.
  @usableFromInline let isAsynchronous: Bool
  /// Identifies the request when it is sent again.
  let responseKey: ResponseCache.Key?
  /// The same for a reactor's journal; `nil` without a key, or if nothing waits for the end.
  @usableFromInline let command: CommandKey?

  /// Reads a request.
  ///
  /// - Throws: ``ReactorHTTPError`` with the problem.
  init(_ request: Request, _ options: ActionOptions) async throws {
    let headers = HeaderValues(request, options)
    guard headers.isJSON else { throw ReactorHTTPError.notJSON }
    let requested = try Self.requestedDeadline(headers.deadline, options)
    let limit = requested.map { min($0, options.deadline ?? $0) } ?? options.deadline
    clock = options.clock
    isAsynchronous = headers.isAsynchronous
    if let key = headers.idempotencyKey, !(1...255).contains(key.utf8.count) {
      throw ReactorHTTPError(
        .badRequest, reason: "idempotencyKey", "an Idempotency-Key has 1 to 255 bytes")
    }
    let elapsed = options.clock.stopwatch()
    let rest: Duration?
    (body, rest) = try await RequestBodyReader(request, options).read(within: limit)
    guard let key = headers.idempotencyKey else {
      (deadline, patience, responseKey, command) = (rest, nil, nil, nil)
      return
    }
    if limit == options.deadline {
      (deadline, patience) = (rest, nil)
    } else {
      let time = elapsed()
      (deadline, patience) = (options.deadline.map { $0 - time }, rest)
    }
    let (scope, path) = (options.scope(request), ReactorKey.canonicalPath(request.uri.path))
    responseKey = ResponseCache.Key(scope: "\(scope) \(path)", key: key)
    command = isAsynchronous ? nil : CommandKey(key, of: scope, at: path, request: body)
  }

  /// The values of the headers, found in one pass; a lookup of a single one would build an index.
  private struct HeaderValues {
    var isJSON = false
    var isAsynchronous = false
    var deadline: String?
    var idempotencyKey: String?

    init(_ request: Request, _ options: ActionOptions) {
      for field in request.headers {
        switch field.name {
        case .contentType:
          isJSON =
            field.value == "application/json"
            || MediaType(from: field.value)?.isType(.applicationJson) == true
        case .prefer:
          let words = field.value.lowercased().split { ",; ".contains($0) }
          if words.contains("respond-async") { isAsynchronous = true }
        case .idempotencyKey: idempotencyKey = field.value
        case options.deadlineHeader: deadline = field.value
        default: break
        }
      }
    }
  }

  /// Decodes the body.
  ///
  /// - Throws: ``ReactorHTTPError`` with the place of the problem. If the body's own `init(from:)`
  ///   throws an `ExpectedError`, or an error that defines its own response, this throws the same
  ///   error.
  @usableFromInline
  func decode<Body: Decodable>(_ type: Body.Type) throws -> Body {
    do {
      return try Self.decoder.decode(type, from: Data(body.readableBytesView))
    } catch let error as DecodingError {
      throw ReactorHTTPError(.badRequest, reason: "body", line(of: error))
    } catch  where !(error is any HTTPResponseError || error is any ExpectedError) {
      throw ReactorHTTPError(
        .badRequest, reason: "body",
        "the body is not what this action needs: \(ReportText.text(ofError: error))")
    }
  }

  private func line(of error: DecodingError) -> String {
    guard case .dataCorrupted(let context) = error,
      context.debugDescription.contains("not valid JSON")
    else { return error.line }
    // If a number has a wrong type, Foundation reports that the whole text is not JSON.
    let data = Data(body.readableBytesView)
    let isJSON = (try? JSONSerialization.jsonObject(with: data, options: .fragmentsAllowed)) != nil
    return isJSON ? Self.numberLine : "the body is not valid JSON"
  }

  private static let numberLine =
    "a number in it does not fit its place: a fraction for a whole one, or one that is too large"

  /// The decoder for all requests; it is never changed.
  private static let decoder: JSONDecoder = {
    let decoder = JSONDecoder()
    decoder.dateDecodingStrategy = .iso8601
    return decoder
  }()

  /// A hash of the request; another hash means another request.
  var fingerprint: Int {
    var hasher = Hasher()
    body.withUnsafeReadableBytes { hasher.combine(bytes: $0) }
    hasher.combine(isAsynchronous)
    return hasher.finalize()
  }

  /// Returns the time that the client specified.
  private static func requestedDeadline(_ text: String?, _ options: ActionOptions) throws
    -> Duration?
  {
    guard let text else { return nil }
    guard let seconds = Double(text), seconds > 0, seconds < 86_400 else {
      throw ReactorHTTPError(
        .badRequest, reason: "deadline",
        "\(options.deadlineHeader) is in seconds, more than 0 and less than 86400")
    }
    return .nanoseconds(Int64(seconds * 1e9))
  }
}

extension DecodingError {
  /// The place and the kind of the error, but not the client's data, which Foundation's text may
  /// quote.
  fileprivate var line: String {
    switch self {
    case .keyNotFound(let key, let context):
      Self.line(context.codingPath + [key], "is missing")
    case .valueNotFound(_, let context): Self.line(context.codingPath, "is null")
    case .typeMismatch(let type, let context): Self.line(context.codingPath, "is no \(type)")
    case .dataCorrupted(let context): Self.line(context.codingPath, "is not a value for its place")
    @unknown default: "the body is not what this action needs"
    }
  }

  /// Whether the key is defined by the program; the keys of a dictionary are the client's.
  private static func isName(_ key: any CodingKey) -> Bool {
    Mirror(reflecting: key).displayStyle == .enum && !ReportText.isForeign(key)
  }

  private static func line(_ path: [any CodingKey], _ text: String) -> String {
    let path = path.map { key in
      key.intValue.map(String.init) ?? (isName(key) ? key.stringValue : "…")
    }
    return path.isEmpty ? "the body \(text)" : "at '\(path.joined(separator: "."))': \(text)"
  }
}
