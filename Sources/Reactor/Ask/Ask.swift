import ReactorMachines
import ReactorRuntime

/// One ask, as the asker and the copies of its reply share it: the shell of an ``AskMachine``.
///
/// Holds: `contents`, guarded by its own lock; the asker is resumed, and callbacks are called,
/// outside it.
@usableFromInline
final class Ask: Sendable {
  /// How the waiting ends.
  @usableFromInline
  enum Ending: Sendable {
    case answered(Result<any Sendable, any Error>)
    /// The last copy of the reply is gone.
    case released
    /// The action's work has ended, and not by finishing.
    case actionEnded
    /// The reactor has been stopped, or is gone.
    case reactorEnded
    /// The asker's task has been cancelled.
    case askerCancelled
    case timedOut(Duration)
    case circle([WaitingAction])

    /// Whether it says what the reactor has done.
    var isOfReactor: Bool { if case .reactorEnded = self { false } else { !cancelsAction } }

    /// Whether the action is cancelled with it.
    var cancelsAction: Bool {
      switch self {
      case .answered, .released, .actionEnded, .reactorEnded: false
      case .askerCancelled, .timedOut, .circle: true
      }
    }

    /// What there is instead of an answer.
    func error(
      _ reactor: ReactorIdentity, _ number: UInt64, _ outcome: ActionOutcome
    ) -> any Error {
      let reason: ActionOutcome
      switch self {
      case .askerCancelled: return CancellationError()
      case .timedOut(let limit): return AskError(reactor, number, .timedOut(limit))
      case .circle(let steps): return AskError(reactor, number, .circle(steps))
      case .answered, .released, .actionEnded: reason = .released
      case .reactorEnded: reason = .reactorEnded
      }
      // How an effect says no is an answer, whatever else has happened to the reply.
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
    /// How it ended, until the asker takes that.
    var ending: Ending?
    /// What is told how it ends: the task that waits, or what a reply without an asker has.
    var waiter: Waiter?
    /// Whether no copy of the reply is left.
    var isReleased = false
    var asked: Asked?
    /// How often it has been answered again before it was known which action was asked.
    var again = 0
    /// By which the reply is known as data; made when it is first needed.
    var id: ReplyID?

    /// - Returns: What is to be told, outside the lock; where nothing waits, the ending is kept.
    mutating func end(_ ending: Ending) -> Waiter? {
      if waiter == nil { self.ending = ending }
      return waiter.take()
    }
  }

  private typealias Waiter = @Sendable (Ending) -> Void

  private let contents: Guarded<Contents>

  /// - Parameter hasEnded: Called once, when it ends, where no task waits.
  @usableFromInline
  init(hasEnded: (@Sendable (Ending) -> Void)? = nil) {
    var contents = Contents(waiter: hasEnded)
    if hasEnded != nil { _ = contents.machine.wait() }
    self.contents = Guarded(contents)
  }

  // MARK: Answering

  /// Answers; the first answer is the one that counts.
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

  /// Ends the waiting without an answer, unless there is one, or the waiting has ended.
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

  // MARK: The asker

  /// Whether the waiting is over.
  var isOver: Bool { contents.withLock { $0.machine.isOver } }

  /// The answer that is there, or that the waiting has ended; `nil` where the asker has to wait.
  @usableFromInline
  func take() -> Ending? {
    contents.withLock { contents in
      switch contents.machine.wait() {
      // Copies of the reply may stay for long, and shall not keep the answer.
      case .take, .over: contents.ending.take() ?? .released
      case .wait: nil
      }
    }
  }

  /// Waits until it has ended; if the waiting task is cancelled, or the time is up, that is the
  /// end.
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

  /// Says which action was asked, to those that still have a copy of the reply.
  @usableFromInline
  func wasAsked(_ reactor: any Reactor, _ number: UInt64) {
    let again = contents.withLock { contents in
      guard !contents.isReleased || contents.again > 0 else { return 0 }
      contents.asked = Asked(reactor: reactor, number: number)
      defer { contents.again = 0 }
      return contents.again
    }
    for _ in 0..<again { reactor.answeredTwice(number) }
  }

  // MARK: As data

  /// By which it is known as data.
  func knownID() -> ReplyID {
    contents.withLock { contents in
      let known = contents.id ?? ReplyID()
      contents.id = known
      return known
    }
  }

  /// It is known by this where it came from.
  func isKnown(as id: ReplyID) { contents.withLock { $0.id = id } }
}

/// What all copies of a reply share: when it goes, the last copy is gone.
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
