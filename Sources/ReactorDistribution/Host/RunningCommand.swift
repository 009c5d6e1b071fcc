import Foundation
import Reactor
import ReactorJournal

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
    /// The last copy of its reply has been let go.
    var isReleased = false
    /// Its action has come to its end.
    var isOver = false
    var result: Performed?
  }

  let id: UUID
  /// Whether another host waits for it.
  let isRemote: Bool
  private let state = Guarded(State())
  /// It has been answered, or never will be.
  let answered = OneShot()
  /// What came of it is known, and kept.
  let done = OneShot()

  init(_ id: UUID, isRemote: Bool = false) { (self.id, self.isRemote) = (id, isRemote) }

  var number: UInt64? { state.withLock { $0.number } }
  var answer: Answer? { state.withLock { $0.answer } }
  var result: Performed? { state.withLock { $0.result } }
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
  /// One that was let go may have been so because its action was dropped: how that ended is the
  /// better reason.
  func reply(_ answer: Answer) {
    if case .failure(let error as AskError) = answer, case .released = error.reason {
      let isOver = state.withLock { state in
        state.isReleased = true
        return state.isOver
      }
      if !isOver { return }
    }
    self.answer(answer)
  }

  /// Its action has come to its end.
  ///
  /// - Parameters:
  ///   - failure: Why it did not end as it should.
  ///   - isAsked: Whether its reply has the answer.
  func over(_ failure: ClusterFailure?, isAsked: Bool) {
    if let failure { return answer(.failure(failure)) }
    if !isAsked { return answer(.success(nil)) }
    let isReleased = state.withLock { state in
      state.isOver = true
      return state.isReleased
    }
    if isReleased {
      answer(.failure(ClusterFailure(.released, "the last copy of its reply was let go")))
    }
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
      if let answer = state.answer, let result = try? CommandResult(answer), result.isLasting,
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
  func result() throws -> CommandResult {
    switch self {
    case .live(let answer): try CommandResult(answer)
    case .kept(let result): result
    }
  }
}

/// What came of a command, as it travels and is kept.
enum CommandResult: Sendable, Codable, Hashable {
  /// It was answered, or ended as it should; the encoded answer.
  case done(Data?)
  case failed(ClusterFailure)

  init(_ answer: RunningCommand.Answer) throws {
    switch answer {
    case .success(let value): self = .done(try value.map { try JSONEncoder().encode($0) })
    case .failure(let error): self = .failed(ClusterFailure(error))
    }
  }

  /// Whether nobody else can say more: what is kept is the answer for good.
  var isLasting: Bool {
    if case .failed(let failure) = self { !failure.isWorthAnotherTry } else { true }
  }

  func encoded() throws -> Data { try JSONEncoder().encode(self) }

  init(encoded: Data) throws { self = try JSONDecoder().decode(Self.self, from: encoded) }
}

extension ClusterFailure {
  /// Why an action was not answered, or failed.
  init(_ error: any Error) {
    switch error {
    case let failure as ClusterFailure: self = failure
    case let error as AskError:
      self =
        switch error.reason {
        case .refused(let refusal): ClusterFailure(Kind(of: refusal), "refused: \(refusal)")
        case .dropped, .superseded, .evicted: ClusterFailure(.dropped, error.description)
        case .droppedByMiddleware(let reason): ClusterFailure(.dropped, "\(reason)")
        case .cancelled: ClusterFailure(.cancelled, "it was cancelled")
        case .neverBegun: ClusterFailure(.neverBegun, error.description)
        case .reactorEnded: ClusterFailure(.ended, error.description)
        case .released: ClusterFailure(.released, "the last copy of its reply was let go")
        case .timedOut: ClusterFailure(.late, error.description)
        case .failed(let cause): ClusterFailure(.failed, "\(cause)")
        case .circle: ClusterFailure(.refused, error.description)
        }
    // What could not be kept: the reactor has ended.
    case let error as JournalError: self = ClusterFailure(.ended, error.description)
    case is CancellationError: self = ClusterFailure(.cancelled, "it was cancelled")
    default: self = ClusterFailure(.failed, "\(error)")
    }
  }

  /// Why an action did not end as it should; `nil` if it did.
  init?(_ outcome: ActionOutcome) {
    switch outcome {
    case .finished, .open, .forgotten: return nil
    case .failed(let error): self = ClusterFailure(error)
    case .cancelled: self = ClusterFailure(.cancelled, "it was cancelled")
    case .dropped, .superseded, .evicted:
      self = ClusterFailure(.dropped, "another action took its place in its lane")
    case .droppedByMiddleware(let reason): self = ClusterFailure(.dropped, "\(reason)")
    case .refused(let refusal): self = ClusterFailure(Kind(of: refusal), "refused: \(refusal)")
    case .neverBegun:
      self = ClusterFailure(.neverBegun, "the reactor was stopped before it was begun")
    case .reactorEnded: self = ClusterFailure(.ended, "the reactor ended in the middle")
    }
  }
}

extension ClusterFailure.Kind {
  /// A reactor that had been stopped has another one after it; a full one is full.
  init(of refusal: ActionRefusal) { self = refusal == .stopped ? .neverBegun : .refused }
}
