import ReactorMachines
import ReactorRuntime

/// One ask, shared by the asking task and the copies of its reply: the shell of an ``AskMachine``.
///
/// Holds: `contents`, guarded by its own lock; the asking task is resumed, and callbacks are
/// called, outside it.
@usableFromInline
final class Ask: Sendable {
  /// How the wait ends.
  @usableFromInline
  enum Ending: Sendable {
    case answered(Result<any Sendable, any Error>)
    /// The last copy of the reply has been released.
    case released
    /// The action's work has ended without finishing.
    case actionEnded
    /// The reactor has been stopped or released.
    case reactorEnded
    /// The asking task has been cancelled.
    case askerCancelled
    case timedOut(Duration)
    case cycle([WaitingAction])

    /// Whether it is a result of what the reactor has done.
    var isReactorOutcome: Bool { if case .reactorEnded = self { false } else { !cancelsAction } }

    /// Whether it also cancels the action.
    var cancelsAction: Bool {
      switch self {
      case .answered, .released, .actionEnded, .reactorEnded: false
      case .askerCancelled, .timedOut, .cycle: true
      }
    }

    /// The error to throw in place of an answer.
    func error(
      _ reactor: ReactorIdentity, _ number: UInt64, _ outcome: ActionOutcome
    ) -> any Error {
      let reason: ActionOutcome
      switch self {
      case .askerCancelled: return CancellationError()
      case .timedOut(let limit): return AskError(reactor, number, .timedOut(limit))
      case .cycle(let steps): return AskError(reactor, number, .cycle(steps))
      case .answered, .released, .actionEnded: reason = .released
      case .reactorEnded: reason = .reactorEnded
      }
      // An expected error of the effect is an answer, whatever else has happened to the reply.
      switch outcome {
      case .failed(let error as any ExpectedError): return error
      case .droppedByMiddleware(let error as any ExpectedError): return error
      case .finished, .open, .forgotten: return AskError(reactor, number, reason)
      default: return AskError(reactor, number, outcome)
      }
    }
  }

  /// The action that was asked, for a report of a second answer.
  private struct Asked: Sendable {
    /// Weak, since the reply may be in that reactor's state.
    weak var reactor: (any Reactor)?
    let number: UInt64
  }

  private struct Contents: Sendable {
    var machine = AskMachine()
    /// How it ended, until the asking task takes it.
    var ending: Ending?
    /// Receives the ending: the task that waits, or the callback of a reply without an asking task.
    var waiter: Waiter?
    /// Whether no copy of the reply is left.
    var isReleased = false
    var asked: Asked?
    /// The number of further answers that were given before it was known which action was asked.
    var again = 0
    /// Identifies the reply in encoded form; made when it is first needed.
    var id: ReplyID?

    /// - Returns: What is to receive the ending, outside the lock; without it, the ending is kept.
    mutating func end(_ ending: Ending) -> Waiter? {
      if waiter == nil { self.ending = ending }
      return waiter.take()
    }
  }

  private typealias Waiter = @Sendable (Ending) -> Void

  private let contents: Guarded<Contents>

  /// - Parameter hasEnded: Called once, when it ends; for a reply without a task that waits.
  @usableFromInline
  init(hasEnded: (@Sendable (Ending) -> Void)? = nil) {
    var contents = Contents(waiter: hasEnded)
    if hasEnded != nil { _ = contents.machine.wait() }
    self.contents = Guarded(contents)
  }

  // MARK: Answering

  /// Answers; only the first answer has an effect.
  func answer(_ answer: Result<any Sendable, any Error>) {
    let (answered, waiter, asked) = contents.withLock {
      contents -> (AskMachine.Answered, Waiter?, Asked?) in
      let answered = contents.machine.answer()
      switch answered {
      case .store, .resume: return (answered, contents.end(.answered(answer)), nil)
      case .ignore: break
      case .again: if contents.asked == nil { contents.again += 1 }
      }
      return (answered, nil, contents.asked)
    }
    waiter?(.answered(answer))
    if answered == .again { asked?.reactor?.answeredTwice(asked?.number) }
  }

  /// Ends the wait without an answer, unless there is one, or the wait has ended.
  @usableFromInline
  func end(_ ending: Ending) {
    let waiter = contents.withLock { contents -> Waiter? in
      if case .released = ending { contents.isReleased = true }
      if contents.machine.isOver { return nil }
      _ = contents.machine.end()
      return contents.end(ending)
    }
    waiter?(ending)
  }

  // MARK: The asking task

  /// Whether the wait is over.
  var isOver: Bool { contents.withLock { $0.machine.isOver } }

  /// The answer if it is there, or the ending if the wait is over; `nil` if the asking task has to
  /// wait.
  @usableFromInline
  func take() -> Ending? {
    contents.withLock { contents in
      switch contents.machine.wait() {
      // Copies of the reply may be kept for long, and must not keep the answer.
      case .take, .over: contents.ending.take() ?? .released
      case .wait: nil
      }
    }
  }

  /// Waits until it has ended; also ends it if the waiting task is cancelled, or the time has
  /// passed.
  nonisolated(nonsending) func wait(within limit: AskLimit? = nil) async -> Ending {
    let timer = limit.map { limit in
      PipelineTasks.inheriting {
        guard (try? await limit.sleep()) != nil else { return }
        self.end(.timedOut(limit.limit))
      }
    }
    defer { timer?.cancel() }
    return await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let ending = contents.withLock { contents in
          if contents.ending == nil { contents.waiter = { continuation.resume(returning: $0) } }
          return contents.ending.take()
        }
        if let ending { continuation.resume(returning: ending) }
      }
    } onCancel: {
      end(.askerCancelled)
    }
  }

  /// Sets which action was asked, for remaining copies of the reply.
  @usableFromInline
  func setAskedAction(_ reactor: any Reactor, _ number: UInt64) {
    let again = contents.withLock { contents in
      guard !contents.isReleased || contents.again > 0 else { return 0 }
      contents.asked = Asked(reactor: reactor, number: number)
      defer { contents.again = 0 }
      return contents.again
    }
    for _ in 0..<again { reactor.answeredTwice(number) }
  }

  // MARK: Encoded

  /// The identifier in encoded form.
  func encodedID() -> ReplyID {
    contents.withLock { contents in
      let known = contents.id ?? ReplyID()
      contents.id = known
      return known
    }
  }

  /// Sets the identifier that it has where it came from.
  func isKnown(as id: ReplyID) { contents.withLock { $0.id = id } }
}

/// Shared by all copies of a reply: its `deinit` runs when the last copy is released.
@usableFromInline
final class ReplyToken: Sendable {
  let ask: Ask

  @usableFromInline
  init(_ ask: Ask) { self.ask = ask }

  deinit { ask.end(.released) }
}

extension Reactor {
  fileprivate nonisolated func answeredTwice(_ number: UInt64?) {
    pipeline.core.report(.answeredTwice, nil, number)
  }
}
