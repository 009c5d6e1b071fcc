import Foundation
import HTTPTypes
import Hummingbird
import Logging
import NIOCore
import Reactor

/// What is done with the reactor that a request is for.
struct ActionWork<R: Reactor>: Sendable {
  /// Sends the action; the answer is that it has been taken.
  let taken: @Sendable (R) throws -> ActionAnswer
  /// Sends it, and waits for what comes of it.
  let done: @Sendable (R, Duration?, any Clock<Duration>) async throws -> ActionAnswer
}

/// What a client gets: a status, and JSON.
struct ActionAnswer: Sendable {
  var status: HTTPResponse.Status = .ok
  var headers: HTTPFields = [.contentType: "application/json"]
  let body: ByteBuffer

  /// An answer with a value in it.
  ///
  /// - Throws: What the encoder throws.
  init(_ value: some Encodable) throws {
    body = ByteBuffer(bytes: try JSONEncoder.ofReactors.encode(value))
  }

  /// The action has been taken, and its work goes on.
  ///
  /// - Throws: ``ReactorHTTPError`` where it has been refused.
  init<R>(taken receipt: ActionReceipt<R>) throws {
    if receipt.isRefused, let refusal = receipt.refusal { throw ReactorHTTPError(refusal) }
    try self.init(OutcomeBody(outcome: "taken", action: receipt.actionNumber?.rawValue))
    status = .accepted
    headers[.preferenceApplied] = "respond-async"
  }

  /// How an action ended.
  ///
  /// - Throws: ``ReactorHTTPError`` unless it has finished.
  init(_ outcome: ActionOutcome) throws {
    if let error = try ReactorHTTPError(outcome) { throw error }
    try self.init(OutcomeBody(outcome: outcome.isFinished ? "finished" : "open"))
    if !outcome.isFinished { status = .accepted }
  }

  var response: Response {
    Response(status: status, headers: headers, body: ResponseBody(byteBuffer: body))
  }
}

/// How an action ended, as JSON.
private struct OutcomeBody: Encodable {
  let outcome: String
  var action: UInt64?
}

/// A request's way through a reactor: read, sent or asked, answered.
struct ActionRoute<Source: ReactorSource>: Sendable {
  let source: Source
  let options: ActionOptions
  let book: AnswerBook

  init(_ source: Source, _ options: ActionOptions) {
    self.source = source
    self.options = options
    book = AnswerBook(options)
  }

  /// Handles a request; what the work throws becomes the response.
  func respond(
    to request: Request, _ context: some RequestContext,
    _ work: @escaping @Sendable (ActionRequest) throws -> ActionWork<Source.R>
  ) async throws -> Response {
    do {
      let key = try source.key(in: context.parameters)
      let read = try await ActionRequest(request, options)
      let work = try work(read)
      guard let idempotencyKey = read.idempotencyKey else {
        return try await perform(work, read, on: key).response
      }
      let scope = "\(request.headers[.authorization] ?? "") \(request.uri.path)"
      let answer = try await book.answer(
        to: AnswerBook.Key(scope: scope, key: idempotencyKey), read.fingerprint
      ) { await kept(work, read, on: key) }
      return answer.response
    } catch {
      return try ReactorHTTPError.response(to: error, context.logger)
    }
  }

  private func perform(
    _ work: ActionWork<Source.R>, _ read: ActionRequest, on key: Source.Key
  ) async throws -> ActionAnswer {
    try await source.with(key) { reactor in
      read.isAsynchronous
        ? try work.taken(reactor) : try await work.done(reactor, read.deadline, options.clock)
    }
  }

  /// An answer that can be given again.
  private func kept(
    _ work: ActionWork<Source.R>, _ read: ActionRequest, on key: Source.Key
  ) async -> KeptAnswer {
    // What fails while the reactor is made has had no effect.
    var hasBegun = false
    do {
      let answer = try await source.with(key) { reactor in
        hasBegun = true
        return read.isAsynchronous
          ? try work.taken(reactor) : try await work.done(reactor, read.deadline, options.clock)
      }
      return KeptAnswer(result: .success(answer), isFinal: true)
    } catch {
      let isFinal = hasBegun && ReactorHTTPError(error)?.isWithoutEffect != true
      return KeptAnswer(result: .failure(error), isFinal: isFinal)
    }
  }
}
