import Foundation
import HTTPTypes
public import Hummingbird
public import Logging
import NIOCore
public import Reactor

/// What a client gets: a status, and JSON.
@usableFromInline
struct ActionAnswer: Sendable {
  var status: HTTPResponse.Status = .ok
  var headers = Self.json
  let body: ByteBuffer

  private static let json: HTTPFields = [.contentType: "application/json"]
  /// What most answers without a value are, encoded once.
  private static let finished = ByteBuffer(string: #"{"outcome":"finished"}"#)

  private init(body: ByteBuffer) { self.body = body }

  /// An answer with a value in it.
  ///
  /// - Throws: What the encoder throws.
  @usableFromInline
  init(_ value: some Encodable) throws {
    body = ByteBuffer(bytes: try JSONEncoder.ofReactors.encode(value))
  }

  /// The action has been taken, and its work goes on.
  ///
  /// - Throws: ``ReactorHTTPError`` where it has been refused.
  @usableFromInline
  init<R>(taken receipt: ActionReceipt<R>) throws {
    if receipt.isRefused, let refusal = receipt.refusal { throw ReactorHTTPError(refusal) }
    try self.init(OutcomeBody(outcome: "taken", action: receipt.actionNumber?.rawValue))
    status = .accepted
    headers[.preferenceApplied] = "respond-async"
  }

  /// How an action of a reactor ended.
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

/// How an action ended, as JSON.
private struct OutcomeBody: Encodable {
  let outcome: String
  var action: UInt64?
}

/// A request's way to a reactor: read, answered, and the answer kept if it is to be given again.
///
/// It knows no types: what is done with the reactor comes from code that is compiled where they are
/// known.
@usableFromInline
struct ActionRoute: Sendable {
  /// Does what a client asks for.
  ///
  /// It says with its second argument that the reactor is there: what fails before has had no
  /// effect.
  @usableFromInline
  typealias Work =
    @Sendable (_ read: ActionRequest, _ hasBegun: inout Bool) async throws -> ActionAnswer

  private let options: ActionOptions
  private let book: AnswerBook

  @usableFromInline
  init(_ options: ActionOptions) {
    self.options = options
    book = AnswerBook(options)
  }

  /// Handles a request; what the work throws becomes the response.
  @usableFromInline
  nonisolated(nonsending) func respond(
    to request: Request, _ logger: Logger, _ work: @escaping Work
  ) async throws -> Response {
    do {
      let read = try await ActionRequest(request, options)
      guard let key = read.answerKey else {
        var hasBegun = false
        return try await work(read, &hasBegun).response
      }
      let answer = try await book.answer(to: key, read.fingerprint, within: read.patience) {
        await Self.kept(work, read)
      }
      return answer.response
    } catch {
      return try ReactorHTTPError.response(to: error, logger)
    }
  }

  /// An answer that can be given again.
  private static func kept(_ work: Work, _ read: ActionRequest) async -> KeptAnswer {
    var hasBegun = false
    do {
      return KeptAnswer(result: .success(try await work(read, &hasBegun)), isFinal: true)
    } catch {
      let isFinal = hasBegun && ReactorHTTPError(error)?.isWithoutEffect != true
      return KeptAnswer(result: .failure(error), isFinal: isFinal)
    }
  }
}
