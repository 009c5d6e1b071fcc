import Foundation
import HTTPTypes
import Hummingbird
import NIOCore
import Reactor

/// What a client has sent: read to its end, and what its headers ask for.
@usableFromInline
struct ActionRequest: Sendable {
  let body: ByteBuffer
  /// How long the work may take from here on: then it is cancelled.
  @usableFromInline let deadline: Duration?
  /// How long the client waits from here on for what goes on all the same; `nil` where that is as
  /// long as it takes.
  let patience: Duration?
  /// What measures that.
  @usableFromInline let clock: any Clock<Duration>
  /// Whether it is enough that the action has been taken.
  @usableFromInline let isAsynchronous: Bool
  /// By which the request is known when it comes again.
  let answerKey: AnswerBook.Key?
  /// The same to a reactor's journal; `nil` without a key, and where nothing waits for the end.
  @usableFromInline let command: CommandKey?

  /// Reads a request.
  ///
  /// - Throws: ``ReactorHTTPError`` that says what is wrong with it.
  init(_ request: Request, _ options: ActionOptions) async throws {
    let words = Words(request, options)
    guard words.isJSON else { throw ReactorHTTPError.notJSON }
    let wanted = try Self.wanted(words.deadline, options)
    let limit = wanted.map { min($0, options.deadline ?? $0) } ?? options.deadline
    clock = options.clock
    isAsynchronous = words.isAsynchronous
    if let key = words.idempotencyKey, !(1...255).contains(key.utf8.count) {
      throw ReactorHTTPError(
        .badRequest, reason: "idempotencyKey", "an Idempotency-Key has 1 to 255 bytes")
    }
    let elapsed = options.clock.stopwatch()
    let rest: Duration?
    (body, rest) = try await RequestBodyReader(request, options).read(within: limit)
    guard let key = words.idempotencyKey else {
      (deadline, patience, answerKey, command) = (rest, nil, nil, nil)
      return
    }
    if limit == options.deadline {
      (deadline, patience) = (rest, nil)
    } else {
      let time = elapsed()
      (deadline, patience) = (options.deadline.map { $0 - time }, rest)
    }
    let (scope, path) = (options.scope(request), ReactorKey.plain(request.uri.path))
    answerKey = AnswerBook.Key(scope: "\(scope) \(path)", key: key)
    command = isAsynchronous ? nil : CommandKey(key, of: scope, at: path, request: body)
  }

  /// What the headers say, found in one pass: looking them up one by one makes an index of all.
  private struct Words {
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

  /// The body as what an action is made of.
  ///
  /// - Throws: ``ReactorHTTPError`` that says where it is wrong; an error that says itself what its
  ///   response is, and an `ExpectedError`, as the body's own `init(from:)` threw it.
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
    // Of a number that is of another kind than its place, Foundation says that all of it is not
    // JSON.
    let data = Data(body.readableBytesView)
    let isJSON = (try? JSONSerialization.jsonObject(with: data, options: .fragmentsAllowed)) != nil
    return isJSON ? Self.numberLine : "the body is not valid JSON"
  }

  private static let numberLine =
    "a number in it does not fit its place: a fraction for a whole one, or one that is too large"

  /// One for all; it is never changed.
  private static let decoder: JSONDecoder = {
    let decoder = JSONDecoder()
    decoder.dateDecodingStrategy = .iso8601
    return decoder
  }()

  /// Of what it asks for: another one is another request.
  var fingerprint: Int {
    var hasher = Hasher()
    body.withUnsafeReadableBytes { hasher.combine(bytes: $0) }
    hasher.combine(isAsynchronous)
    return hasher.finalize()
  }

  /// How long the client would have it take.
  private static func wanted(_ text: String?, _ options: ActionOptions) throws -> Duration? {
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
  /// Where it is wrong, and how; not what stands there, which its own text may quote.
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

  /// Whether the program has given it: the keys of a dictionary are the client's.
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
