import Foundation
import HTTPTypes
import Hummingbird
import NIOCore
public import Reactor
import ReactorRuntime

/// Identifies a request with an `Idempotency-Key` in the journal of a reactor, also for another
/// process.
///
/// The journal stores that the request was begun with the next mutation that follows. It stores the
/// answer in one batch with the last mutation, if the answer is given at once. After a crash in
/// between, the journal says that the request was begun, and not that it ended.
@usableFromInline
struct CommandKey: Sendable {
  /// Identifies the sender and the path as well: the same key at two paths means two commands.
  fileprivate let id: String
  /// The identifier that version 0.2.0 used, without the path.
  fileprivate let oldID: String
  private let request: UInt64

  /// Creates a key.
  ///
  /// - Parameters:
  ///   - key: The client's key.
  ///   - scope: Identifies the sender.
  ///   - path: The path in its canonical form; see ``ReactorKey/canonicalPath(_:)``.
  ///   - body: The body of the request.
  init(_ key: String, of scope: String, at path: String, request body: ByteBuffer) {
    // Only a hash is stored, since an identity of a user does not belong in a journal.
    let (sender, place) = (Self.word(scope), Self.word(path))
    id = "\(sender)/\(place) \(key)"
    oldID = "\(sender) \(key)"
    request = Self.hash(body.readableBytesView)
  }

  private static func word(_ text: String) -> String { String(hash(text.utf8), radix: 36) }

  /// FNV-1a, which is the same in every process.
  private static func hash(_ bytes: some Sequence<UInt8>) -> UInt64 {
    bytes.reduce(0xcbf2_9ce4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
  }

  /// Returns the stored answer.
  ///
  /// - Throws: ``ReactorHTTPError`` if the request was begun and its outcome is unknown, or if the
  ///   key belongs to another request.
  fileprivate func response(in known: StoredCommand) throws -> ActionResponse {
    guard known.request == request else { throw ReactorHTTPError.otherRequest }
    guard case .ended(let answer) = known.standing else { throw ReactorHTTPError.unfinished }
    return try ActionResponse(stored: answer)
  }

  fileprivate func standing(_ standing: StoredCommand.Standing) -> StoredCommand {
    StoredCommand(id: id, request: request, standing: standing)
  }
}

/// Records the answer to a command in the journal of its reactor.
///
/// Holds: `hasRecorded`, guarded by its own lock.
@usableFromInline
final class CommandRecorder: Sendable {
  private let hasRecorded = Guarded(false)
  private let record: @Sendable (StoredCommand.Standing) -> Void

  fileprivate init(_ record: @escaping @Sendable (StoredCommand.Standing) -> Void) {
    self.record = record
  }

  /// Returns a reply that records its answer before it passes it on.
  @usableFromInline
  func recording<Value: Encodable & Sendable>(_ reply: Reply<Value>) -> Reply<Value> {
    Reply { result in
      switch result {
      case .success(let value):
        if let response = try? ActionResponse(value) { self.finish(response) }
        reply(value)
      case .failure(let error):
        // If its last copy has been released, so has the inner reply; the action reports the
        // reason.
        if case .released? = (error as? AskError)?.reason { return }
        reply(throwing: error)
      }
    }
  }

  /// Records an answer; only the first one counts.
  ///
  /// - Returns: Whether this was the first.
  @discardableResult
  fileprivate func finish(_ response: ActionResponse) -> Bool {
    let isFirst = hasRecorded.withLock { hasRecorded in
      defer { hasRecorded = true }
      return !hasRecorded
    }
    if isFirst, let stored = try? response.stored { record(.ended(answer: stored)) }
    return isFirst
  }

  fileprivate func withdraw() { record(.withdrawn) }
}

extension Reactor {
  /// Handles a request with a key once; if it was handled before, this returns the same answer.
  ///
  /// - Parameters:
  ///   - read: The request; without a key it is handled in any case.
  ///   - hasBegun: Set when something may have been done. After that, the journal decides the
  ///     answer to the same request.
  ///   - work: Handles the request; its argument is not `nil` if the journal records the answer.
  /// - Returns: The answer, given now or before.
  /// - Throws: What the work throws; ``ReactorHTTPError`` if the outcome is unknown.
  @inlinable
  nonisolated(nonsending) func once(
    _ read: ActionRequest, _ hasBegun: inout Bool,
    _ work: nonisolated(nonsending) (_ recorder: CommandRecorder?) async throws -> ActionResponse
  ) async throws -> ActionResponse {
    guard Self.isJournaled, let command = read.command else {
      hasBegun = true
      return try await work(nil)
    }
    return try await onceJournaled(command, of: read, &hasBegun, work)
  }

  @usableFromInline
  nonisolated(nonsending) func onceJournaled(
    _ command: CommandKey, of read: ActionRequest, _ hasBegun: inout Bool,
    _ work: nonisolated(nonsending) (_ recorder: CommandRecorder?) async throws -> ActionResponse
  ) async throws -> ActionResponse {
    let stage = pipeline.outputStage
    let commands = stage?.commands
    // A record that has just been made can be read once it is stored.
    if commands?.hasUnstored(command.id) == true {
      let written: Void? = try await read.clock.result(within: read.deadline) {
        await commands?.write()
        try await self.pipeline.durable()
      }
      if written == nil { throw ReactorHTTPError.stillRunning }
    }
    var known = try await commands?.command(command.id)
    if known == nil { known = try await commands?.command(command.oldID) }
    hasBegun = true
    if let known { return try command.response(in: known) }
    commands?.note(command.standing(.begun))
    defer { commands?.endRequest(command.id) }
    let recorder = CommandRecorder { commands?.note(command.standing($0)) }
    do {
      let response = try await work(recorder)
      recorder.finish(response)
      try await storeRecords(commands)
      return response
    } catch {
      let failure = ReactorHTTPError.final(error)
      if failure?.isWithoutEffect == true {
        recorder.withdraw()
      } else if let response = failure?.actionResponse {
        // If an answer was given but stored too late, the journal has that answer instead.
        hasBegun = recorder.finish(response)
        // If this cannot be stored, the first error is thrown. A deadline must not wait for the
        // store.
        if failure?.isSame(as: .late) == true {
          await commands?.write()
        } else {
          try? await storeRecords(commands)
        }
      }
      // Nothing that could not be stored has been done.
      if stage?.failure != nil { hasBegun = false }
      throw error
    }
  }

  /// Returns once the records are durable, or at once if outputs do not wait for that.
  private nonisolated(nonsending) func storeRecords(
    _ commands: (any StoredCommands)?
  ) async throws {
    guard let commands else { return }
    await commands.write()
    if commands.holdsBack { try await pipeline.durable() }
  }
}

extension ReactorHTTPError {
  /// Returns the answer to the same request later; `nil` if it is unknown because the reactor has
  /// ended.
  fileprivate static func final(_ error: any Error) -> ReactorHTTPError? {
    if let failure = ReactorHTTPError(error) { return failure.isSame(as: ended) ? nil : failure }
    return (error as? any HTTPResponseError).map { error in
      ReactorHTTPError(error.status, reason: "error", error.status.reasonPhrase)
    }
  }

  /// The reason alone is not sufficient, since the case of an `ExpectedError` may have the same
  /// name.
  fileprivate func isSame(as other: ReactorHTTPError) -> Bool {
    (status, reason) == (other.status, other.reason)
  }

  static let otherRequest = Self(
    .unprocessableContent, reason: "idempotencyKey",
    "this Idempotency-Key was used for another request")
  static let unfinished = Self(
    .conflict, reason: "unfinished",
    "this was begun before, and its outcome is not known: read the state before you send it again")
}

extension ActionResponse {
  /// The answer as it is stored in a journal.
  private struct Stored: Codable {
    let status: Int
    let body: String
    var retryAfter: String?
  }

  fileprivate var stored: String {
    get throws {
      let stored = Stored(
        status: status.code, body: String(buffer: body), retryAfter: headers[.retryAfter])
      return String(decoding: try JSONEncoder.ofReactors.encode(stored), as: UTF8.self)
    }
  }

  fileprivate init(stored text: String) throws {
    let stored = try JSONDecoder().decode(Stored.self, from: Data(text.utf8))
    status = HTTPResponse.Status(code: stored.status)
    body = ByteBuffer(string: stored.body)
    headers[.retryAfter] = stored.retryAfter
  }
}
