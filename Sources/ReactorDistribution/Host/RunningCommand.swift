import Foundation
import Reactor
import ReactorJournal
import ReactorRuntime

/// A command that is running on this host.
///
/// Holds: `state`, guarded by its own lock.
final class RunningCommand: Sendable {
  typealias Answer = Result<(any Encodable & Sendable)?, any Error>

  private struct State: Sendable {
    var number: UInt64?
    var cancel: (@Sendable () -> Void)?
    var isCancelled = false
    var answer: Answer?
    /// Whether the command is in the journal, and whether its answer is.
    var isRecorded = false
    var isAnswerStored = false
    /// Whether the last copy of the reply has been released.
    var isReleased = false
    /// Whether the action has ended.
    var isOver = false
    var result: CommandOutcome?
  }

  let id: UUID
  /// Whether another host waits for the command.
  let isRemote: Bool
  /// The deadline by this host's clock, if the caller has given one.
  let end: Duration?
  private let state = Guarded(State())
  /// Fires when the command has been answered, or can no longer be answered.
  let answered = OneShotEvent()
  /// Fires when the outcome is known and stored.
  let done = OneShotEvent()

  init(_ id: UUID, isRemote: Bool = false, end: Duration? = nil) {
    (self.id, self.isRemote, self.end) = (id, isRemote, end)
  }

  var number: UInt64? { state.withLock { $0.number } }
  var answer: Answer? { state.withLock { $0.answer } }
  var result: CommandOutcome? { state.withLock { $0.result } }
  var isCancelled: Bool { state.withLock { $0.isCancelled } }
  /// Whether the command is in the journal, or is being written.
  var isRecorded: Bool { state.withLock { $0.isRecorded } }
  /// Whether the answer has yet to be stored with the first mutation.
  var needsStoring: Bool { state.withLock { $0.isRecorded && !$0.isAnswerStored } }

  func didBegin(number: UInt64?, cancel: @escaping @Sendable () -> Void) {
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

  /// Records an answer; only the first one counts.
  func answer(_ answer: Answer) {
    state.withLock { state in if state.answer == nil { state.answer = answer } }
    answered.fire()
  }

  /// Records an answer that a reply has given.
  ///
  /// A reply may have been released because its action was dropped. The outcome of the action is
  /// then the better reason.
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

  /// Records that the action has ended.
  ///
  /// - Parameters:
  ///   - failure: The reason why it did not finish; `nil` if it did.
  ///   - isAsked: Whether the answer comes from the reply.
  func actionEnded(_ failure: ClusterFailure?, isAsked: Bool) {
    if let failure, !isAsked || failure.kind != .forgotten { return answer(.failure(failure)) }
    if !isAsked { return answer(.success(nil)) }
    let isReleased = state.withLock { state in
      state.isOver = true
      return state.isReleased
    }
    if isReleased { answer(.failure(ClusterFailure.released)) }
  }

  /// Records the outcome.
  func finish(_ result: CommandOutcome) {
    state.withLock { state in if state.result == nil { state.result = result } }
    done.fire()
  }

  /// Returns the record to store with the first mutation of the command.
  func record(at sequence: Int) -> CommandRecord? {
    state.withLock { state in
      guard !state.isRecorded else { return nil }
      state.isRecorded = true
      var record = CommandRecord(id: id, sequence: sequence)
      if let result = state.answer.map(CommandResult.init), result.isFinal,
        let encoded = try? result.encoded()
      {
        record.answer = encoded
        state.isAnswerStored = true
      }
      return record
    }
  }
}

/// The outcome of a command: an answer that was just given, or the record in the journal.
enum CommandOutcome: Sendable {
  case live(RunningCommand.Answer)
  case stored(CommandResult)

  /// The outcome as it is sent to another host.
  func result() -> CommandResult {
    switch self {
    case .live(let answer): CommandResult(answer)
    case .stored(let result): result
    }
  }
}

/// The outcome of a command as it is sent and stored.
enum CommandResult: Sendable, Codable, Hashable {
  /// The command was answered or has finished; the encoded answer.
  case done(Data?)
  case failed(ClusterFailure)

  init(_ answer: RunningCommand.Answer) {
    switch answer {
    case .success(let value):
      do {
        self = .done(try value.map { try JSONEncoder().encode($0) })
      } catch {
        // Every other attempt would have the same result.
        let reason = ReportText.text(ofError: error)
        self = .failed(ClusterFailure(.failed, "its answer cannot be encoded: \(reason)"))
      }
    case .failure(let error): self = .failed(ClusterFailure(error))
    }
  }

  /// Whether the result is final, because no other host may know more.
  var isFinal: Bool {
    if case .failed(let failure) = self { !failure.isWorthAnotherTry } else { true }
  }

  func encoded() throws -> Data { try JSONEncoder().encode(self) }

  init(encoded: Data) throws { self = try JSONDecoder().decode(Self.self, from: encoded) }
}
