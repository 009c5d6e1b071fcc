import Foundation
import HTTPTypes
import Hummingbird
import NIOCore
public import Reactor
import ReactorRuntime

/// By which a journaled reactor knows a request with an `Idempotency-Key` when it comes again, to
/// another process as well.
///
/// That it was begun is kept with the first mutation that follows, and its answer in one batch with
/// the last, where the answer is given at once. So of a crash in between it is known that it was
/// begun, and not that it was finished.
@usableFromInline
struct CommandKey: Sendable {
  /// Of who asks, and where: one key at two paths is two commands.
  fileprivate let id: String
  /// What version 0.2.0 called it, which did not say where.
  fileprivate let oldID: String
  private let request: UInt64

  /// - Parameters:
  ///   - key: What the client calls it.
  ///   - scope: Who asks.
  ///   - path: Where, in the one way in which a path is written: see ``ReactorKey/plain(_:)``.
  ///   - body: What for.
  init(_ key: String, of scope: String, at path: String, request body: ByteBuffer) {
    // What says who somebody is does not belong into a journal.
    let (sender, place) = (Self.word(scope), Self.word(path))
    id = "\(sender)/\(place) \(key)"
    oldID = "\(sender) \(key)"
    request = Self.hash(body.readableBytesView)
  }

  private static func word(_ text: String) -> String { String(hash(text.utf8), radix: 36) }

  /// The same in every process: FNV-1a.
  private static func hash(_ bytes: some Sequence<UInt8>) -> UInt64 {
    bytes.reduce(0xcbf2_9ce4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
  }

  /// What was answered before.
  ///
  /// - Throws: ``ReactorHTTPError`` where that is not known, though it was begun; and where the key
  ///   was another request's.
  fileprivate func answer(in known: KeptCommand) throws -> ActionAnswer {
    guard known.request == request else { throw ReactorHTTPError.otherRequest }
    guard case .ended(let answer) = known.standing else { throw ReactorHTTPError.unfinished }
    return try ActionAnswer(kept: answer)
  }

  fileprivate func standing(_ standing: KeptCommand.Standing) -> KeptCommand {
    KeptCommand(id: id, request: request, standing: standing)
  }
}

/// Notes a command's answer in the journal of the reactor that it was sent to.
///
/// Holds: `hasNoted`, guarded by its own lock.
@usableFromInline
final class CommandNote: Sendable {
  private let hasNoted = Guarded(false)
  private let note: @Sendable (KeptCommand.Standing) -> Void

  fileprivate init(_ note: @escaping @Sendable (KeptCommand.Standing) -> Void) { self.note = note }

  /// A reply that notes what it is answered with, before the asker knows of it.
  @usableFromInline
  func noting<Value: Encodable & Sendable>(_ reply: Reply<Value>) -> Reply<Value> {
    Reply { result in
      switch result {
      case .success(let value):
        if let answer = try? ActionAnswer(value) { self.end(answer) }
        reply(value)
      case .failure(let error):
        // When its last copy has gone, so has the other's: why, the asker is told by the action.
        if case .released? = (error as? AskError)?.reason { return }
        reply(throwing: error)
      }
    }
  }

  /// The first answer counts.
  ///
  /// - Returns: Whether it was this one.
  @discardableResult
  fileprivate func end(_ answer: ActionAnswer) -> Bool {
    let isFirst = hasNoted.withLock { hasNoted in
      defer { hasNoted = true }
      return !hasNoted
    }
    if isFirst, let kept = try? answer.kept { note(.ended(answer: kept)) }
    return isFirst
  }

  fileprivate func withdraw() { note(.withdrawn) }
}

extension Reactor {
  /// Does a request with a key once: what has been done before is answered as it was.
  ///
  /// - Parameters:
  ///   - read: The request; without a key it is done in any case.
  ///   - hasBegun: Told when something may be done; and when it is for the journal to say, as the
  ///     same request comes again, what came of it.
  ///   - work: Does it; its argument is there where a journal is to know the answer.
  /// - Returns: What it was answered, now or before.
  /// - Throws: What the work throws; ``ReactorHTTPError`` where its result is not known.
  @inlinable
  nonisolated(nonsending) func once(
    _ read: ActionRequest, _ hasBegun: inout Bool,
    _ work: nonisolated(nonsending) (_ note: CommandNote?) async throws -> ActionAnswer
  ) async throws -> ActionAnswer {
    guard Self.isJournaled, let command = read.command else {
      hasBegun = true
      return try await work(nil)
    }
    return try await onceKept(command, of: read, &hasBegun, work)
  }

  @usableFromInline
  nonisolated(nonsending) func onceKept(
    _ command: CommandKey, of read: ActionRequest, _ hasBegun: inout Bool,
    _ work: nonisolated(nonsending) (_ note: CommandNote?) async throws -> ActionAnswer
  ) async throws -> ActionAnswer {
    let stage = pipeline.outputStage
    let commands = stage?.commands
    // What became of it a moment ago, the journal knows only once that has been kept.
    if commands?.hasUnkept(command.id) == true {
      let kept: Void? = try await read.clock.result(within: read.deadline) {
        await commands?.write()
        try await self.pipeline.durable()
      }
      if kept == nil { throw ReactorHTTPError.goesOn }
    }
    var known = try await commands?.command(command.id)
    if known == nil { known = try await commands?.command(command.oldID) }
    hasBegun = true
    if let known { return try command.answer(in: known) }
    commands?.note(command.standing(.begun))
    let note = CommandNote { commands?.note(command.standing($0)) }
    do {
      let answer = try await work(note)
      note.end(answer)
      try await keepNotes(commands)
      return answer
    } catch {
      let told = ReactorHTTPError.final(error)
      if told?.isWithoutEffect == true {
        note.withdraw()
      } else if let answer = told?.answer {
        // One that was late to be kept has been answered otherwise, which the journal knows.
        hasBegun = note.end(answer)
        // Where it cannot be kept, the first error is the one to tell. No deadline waits for it.
        if told?.isSame(as: .late) == true {
          await commands?.write()
        } else {
          try? await keepNotes(commands)
        }
      }
      // Of what was not kept, nothing has been done.
      if stage?.failure != nil { hasBegun = false }
      throw error
    }
  }

  /// Returns once what was noted is durable, or at once where nothing waits for that.
  private nonisolated(nonsending) func keepNotes(_ commands: (any KeptCommands)?) async throws {
    guard let commands else { return }
    await commands.write()
    if commands.holdsBack { try await pipeline.durable() }
  }
}

extension ReactorHTTPError {
  /// What is to be answered when the request comes again; `nil` where that is not known: the
  /// reactor ended in the middle.
  fileprivate static func final(_ error: any Error) -> ReactorHTTPError? {
    if let told = ReactorHTTPError(error) { return told.isSame(as: ended) ? nil : told }
    return (error as? any HTTPResponseError).map { error in
      ReactorHTTPError(error.status, reason: "error", error.status.reasonPhrase)
    }
  }

  /// A word alone does not say it: the case of an `ExpectedError` may be called the same.
  fileprivate func isSame(as other: ReactorHTTPError) -> Bool {
    (status, reason) == (other.status, other.reason)
  }

  static let otherRequest = Self(
    .unprocessableContent, reason: "idempotencyKey",
    "this Idempotency-Key was used for another request")
  static let unfinished = Self(
    .conflict, reason: "unfinished",
    "this was begun before, and what came of it is not known: look before you send it anew")
}

extension ActionAnswer {
  /// As it stands in a journal.
  private struct Kept: Codable {
    let status: Int
    let body: String
    var retryAfter: String?
  }

  fileprivate var kept: String {
    get throws {
      let kept = Kept(
        status: status.code, body: String(buffer: body), retryAfter: headers[.retryAfter])
      return String(decoding: try JSONEncoder.ofReactors.encode(kept), as: UTF8.self)
    }
  }

  fileprivate init(kept text: String) throws {
    let kept = try JSONDecoder().decode(Kept.self, from: Data(text.utf8))
    status = HTTPResponse.Status(code: kept.status)
    body = ByteBuffer(string: kept.body)
    headers[.retryAfter] = kept.retryAfter
  }
}
