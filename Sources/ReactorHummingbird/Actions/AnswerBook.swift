import HTTPTypes
import Reactor
import ReactorRuntime

/// What came of a request, as it is kept: it can be told again.
struct KeptAnswer: Sendable {
  let result: Result<ActionAnswer, any Error>
  /// Whether something may have been done, so that it must not be done again.
  let isFinal: Bool
}

/// The answers to requests with an `Idempotency-Key`: done once, whoever asks how often.
///
/// In memory, for a time, and so many at most. What a journaled reactor has done outlasts the
/// process; see ``CommandKey``.
///
/// Holds: `state`, guarded by its own lock.
final class AnswerBook: Sendable {
  struct Key: Hashable, Sendable {
    /// Who asks, as far as that is known, and where.
    let scope: String
    let key: String
  }

  fileprivate struct Entry: Sendable {
    let fingerprint: Int
    let work: Task<KeptAnswer, Never>
    /// When it was done; `nil` until it is.
    var since: Duration?
  }

  fileprivate struct State: Sendable {
    var entries: [Key: Entry] = [:]
    /// What is done, in that order; what was released may still be in it.
    var done: [Key] = []
    var firstDone = 0
  }

  private let state = Guarded(State())
  private let limit: Int
  private let time: Duration
  private let clock: any Clock<Duration>
  private let now: @Sendable () -> Duration

  init(_ options: ActionOptions) {
    limit = options.answerLimit
    time = options.keepsAnswers
    clock = options.clock
    now = options.clock.stopwatch()
  }

  /// Does the work, unless it has been done or is being done: then its answer is the answer.
  ///
  /// It goes on when the caller is cancelled, or waits no longer: that is what the key is for.
  ///
  /// - Parameters:
  ///   - key: By which the request is known.
  ///   - fingerprint: Of what it asks for.
  ///   - patience: How long the caller waits; `nil` for as long as it takes.
  ///   - work: What to do.
  /// - Returns: The answer.
  /// - Throws: What the work threw; ``ReactorHTTPError`` where the key was used for something else,
  ///   and where the caller waits no longer.
  func answer(
    to key: Key, _ fingerprint: Int, within patience: Duration?,
    _ work: @escaping @Sendable () async -> KeptAnswer
  ) async throws -> ActionAnswer {
    let task = try state.withLock { state throws(ReactorHTTPError) -> Task<KeptAnswer, Never> in
      state.letGo(before: now() - time, keeping: limit)
      if let entry = state.entries[key] {
        guard entry.fingerprint == fingerprint else {
          throw ReactorHTTPError.otherRequest
        }
        return entry.work
      }
      let task = Task {
        let answer = await work()
        self.isDone(key, answer)
        return answer
      }
      state.entries[key] = Entry(fingerprint: fingerprint, work: task)
      return task
    }
    guard let patience else { return try await task.value.result.get() }
    return try await answer(of: task, within: patience)
  }

  private func answer(
    of work: Task<KeptAnswer, Never>, within patience: Duration
  ) async throws -> ActionAnswer {
    let (answers, told) = AsyncStream<KeptAnswer>.makeStream()
    // Who waits for a task does not heed being cancelled; who waits for a stream does.
    Task { told.yield(await work.value) }
    let answer = try await clock.result(within: patience) { await answers.first { _ in true } }
    guard let answer = answer ?? nil else { throw ReactorHTTPError.goesOn }
    return try answer.result.get()
  }

  private func isDone(_ key: Key, _ answer: KeptAnswer) {
    let now = now()
    state.withLock { state in
      guard answer.isFinal else {
        state.entries[key] = nil
        return
      }
      state.entries[key]?.since = now
      state.done.append(key)
    }
  }

  /// How many there are, also of those that are under way.
  var count: Int { state.withLock { $0.entries.count } }
}

extension AnswerBook.State {
  /// Lets those go that are too old, or too many.
  fileprivate mutating func letGo(before time: Duration, keeping limit: Int) {
    while firstDone < done.count {
      let key = done[firstDone]
      guard let since = entries[key]?.since else {
        firstDone += 1
        continue
      }
      guard since < time || done.count - firstDone >= limit else { break }
      entries[key] = nil
      firstDone += 1
    }
    if firstDone > 64, firstDone * 2 > done.count {
      done.removeFirst(firstDone)
      firstDone = 0
    }
  }
}
