/// Somebody who waits for an answer: it ends once, one way or another, and what comes later changes
/// nothing.
///
/// Holds: `state`, guarded by its own lock; whoever waits is resumed outside it.
@usableFromInline
final class AskWaiter: Sendable {
  /// How the waiting ends.
  @usableFromInline
  enum Ending: Sendable {
    /// The answer is in the room.
    case answered
    case failed(any Error)
    /// The last copy of the reply has gone.
    case released
    /// The action's work has ended, and not by finishing.
    case actionEnded
    /// The reactor has been stopped, or is gone.
    case reactorEnded
    /// The asker's task has been cancelled.
    case askerCancelled
    case timedOut(Duration)
    case circle([AskError.Step])

    /// Whether it tells of what the reactor has done.
    var isOfReactor: Bool {
      switch self {
      case .answered, .failed, .released, .actionEnded: true
      case .reactorEnded, .askerCancelled, .timedOut, .circle: false
      }
    }
  }

  @usableFromInline
  struct State: Sendable {
    var ending: Ending?
    var continuation: CheckedContinuation<Ending, Never>?
    var latch: Latch?
    @usableFromInline var room = AnswerRoom()
  }

  @usableFromInline let state = Guarded(State())
  private let hasEnded: (@Sendable (AskWaiter, Ending) -> Void)?

  /// - Parameter hasEnded: Called once, when it ends, for somebody who does not wait.
  @usableFromInline
  init(hasEnded: (@Sendable (AskWaiter, Ending) -> Void)? = nil) { self.hasEnded = hasEnded }

  /// One that has ended: nobody waits.
  static var over: AskWaiter {
    let waiter = AskWaiter()
    waiter.end(.released)
    return waiter
  }

  /// Whether it has ended, so that nobody waits any more.
  var isOver: Bool { state.withLock { $0.ending != nil } }

  /// What opens when the action settles; from here on it is the caller's.
  func takeLatch() -> Latch? { state.withLock { $0.latch.take() } }

  /// Keeps what opens when the action settles, and holds this one; to be taken again.
  func keep(_ latch: Latch) { state.withLock { $0.latch = latch } }

  /// Ends it with an answer, unless it has ended.
  @inlinable
  func answer<Value: Sendable>(_ value: Value) { end(.answered) { $0.room.put(value) } }

  /// Takes the answer out, once it has ended with one.
  @inlinable
  func take<Value: Sendable>(_: Value.Type) -> Value {
    state.withLock { $0.room.take(Value.self) }
  }

  /// Ends it, unless it has ended.
  ///
  /// - Parameters:
  ///   - ending: How.
  ///   - isFirst: Called under the lock if it had not, before anybody can know.
  @usableFromInline
  func end(_ ending: Ending, isFirst: (inout State) -> Void = { _ in }) {
    let (waiter, wasFirst) = state.withLock {
      state -> (CheckedContinuation<Ending, Never>?, Bool) in
      guard state.ending == nil else { return (nil, false) }
      isFirst(&state)
      state.ending = ending
      return (state.continuation.take(), true)
    }
    waiter?.resume(returning: ending)
    if wasFirst { hasEnded?(self, ending) }
  }

  /// Waits until it has ended; if the waiting task is cancelled, that is the end.
  nonisolated(nonsending) func wait() async -> Ending {
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let ending = state.withLock { state in
          if state.ending == nil { state.continuation = continuation }
          return state.ending
        }
        if let ending { continuation.resume(returning: ending) }
      }
    } onCancel: {
      end(.askerCancelled)
    }
  }
}
