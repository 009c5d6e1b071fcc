import Foundation
import Reactor
import ReactorJournal
import ReactorRuntime

/// A command that is under way here.
///
/// Holds: `state`, guarded by its own lock.
final class RunningCommand: Sendable {
  typealias Answer = Result<(any Encodable & Sendable)?, any Error>

  private struct State: Sendable {
    var number: UInt64?
    var cancel: (@Sendable () -> Void)?
    var isCancelled = false
    var answer: Answer?
    /// It is in the journal, and whether with its answer.
    var isRecorded = false
    var isAnswerKept = false
    /// The last copy of its reply has been released.
    var isReleased = false
    /// Its action has come to its end.
    var isOver = false
    var result: Performed?
  }

  let id: UUID
  /// Whether another host waits for it.
  let isRemote: Bool
  /// When its time is up, by this host's clock, if the asker's was told.
  let end: Duration?
  private let state = Guarded(State())
  /// It has been answered, or never will be.
  let answered = OneShot()
  /// What came of it is known, and kept.
  let done = OneShot()

  init(_ id: UUID, isRemote: Bool = false, end: Duration? = nil) {
    (self.id, self.isRemote, self.end) = (id, isRemote, end)
  }

  var number: UInt64? { state.withLock { $0.number } }
  var answer: Answer? { state.withLock { $0.answer } }
  var result: Performed? { state.withLock { $0.result } }
  var isCancelled: Bool { state.withLock { $0.isCancelled } }
  /// Whether something of it is in the journal, or on its way there.
  var isRecorded: Bool { state.withLock { $0.isRecorded } }
  /// Whether its answer has yet to be kept beside its first mutation.
  var needsKeeping: Bool { state.withLock { $0.isRecorded && !$0.isAnswerKept } }

  func begun(number: UInt64?, cancel: @escaping @Sendable () -> Void) {
    let isCancelled = state.withLock { state in
      (state.number, state.cancel) = (number, cancel)
      return state.isCancelled
    }
    if isCancelled { cancel() }
  }

  func cancel() {
    let cancel = state.withLock { state in
      state.isCancelled = true
      return state.cancel
    }
    cancel?()
  }

  /// It is answered; the first answer counts.
  func answer(_ answer: Answer) {
    state.withLock { state in if state.answer == nil { state.answer = answer } }
    answered.happen()
  }

  /// An answer by a reply.
  ///
  /// One that was released may have been so because its action was dropped: how that ended is the
  /// better reason.
  func reply(_ answer: Answer) {
    guard case .failure(let error) = answer else { return self.answer(answer) }
    if let error = error as? AskError, case .released = error.reason {
      let isOver = state.withLock { state in
        state.isReleased = true
        return state.isOver
      }
      if isOver { self.answer(.failure(ClusterFailure.released)) }
      return
    }
    self.answer(.failure(ClusterFailure(thrown: error)))
  }

  /// Its action has come to its end.
  ///
  /// - Parameters:
  ///   - failure: Why it did not end as it should.
  ///   - isAsked: Whether its reply has the answer.
  func over(_ failure: ClusterFailure?, isAsked: Bool) {
    if let failure, !isAsked || failure.kind != .forgotten { return answer(.failure(failure)) }
    if !isAsked { return answer(.success(nil)) }
    let isReleased = state.withLock { state in
      state.isOver = true
      return state.isReleased
    }
    if isReleased { answer(.failure(ClusterFailure.released)) }
  }

  /// What came of it is known.
  func finish(_ result: Performed) {
    state.withLock { state in if state.result == nil { state.result = result } }
    done.happen()
  }

  /// Its first mutation is about to be kept: how it is to stand in the journal.
  func record(at sequence: Int) -> CommandRecord? {
    state.withLock { state in
      guard !state.isRecorded else { return nil }
      state.isRecorded = true
      var record = CommandRecord(id: id, sequence: sequence)
      if let result = state.answer.map(CommandResult.init), result.isLasting,
        let encoded = try? result.encoded()
      {
        record.answer = encoded
        state.isAnswerKept = true
      }
      return record
    }
  }
}

/// What came of a command: what it was just answered, or what the journal has of it.
enum Performed: Sendable {
  case live(RunningCommand.Answer)
  case kept(CommandResult)

  /// As it travels.
  func result() -> CommandResult {
    switch self {
    case .live(let answer): CommandResult(answer)
    case .kept(let result): result
    }
  }
}

/// What came of a command, as it travels and is kept.
enum CommandResult: Sendable, Codable, Hashable {
  /// It was answered, or ended as it should; the encoded answer.
  case done(Data?)
  case failed(ClusterFailure)

  init(_ answer: RunningCommand.Answer) {
    switch answer {
    case .success(let value):
      do {
        self = .done(try value.map { try JSONEncoder().encode($0) })
      } catch {
        // It would be the same at every other attempt.
        let reason = ReportText.text(ofError: error)
        self = .failed(ClusterFailure(.failed, "its answer cannot be encoded: \(reason)"))
      }
    case .failure(let error): self = .failed(ClusterFailure(error))
    }
  }

  /// Whether no other host can say more: what is kept is the answer for good.
  var isLasting: Bool {
    if case .failed(let failure) = self { !failure.isWorthAnotherTry } else { true }
  }

  func encoded() throws -> Data { try JSONEncoder().encode(self) }

  init(encoded: Data) throws { self = try JSONDecoder().decode(Self.self, from: encoded) }
}
