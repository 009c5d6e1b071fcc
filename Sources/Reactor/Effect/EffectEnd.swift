import ReactorRuntime

/// A handler that receives how an effect has ended.
struct EffectEnd: Sendable {
  typealias Handler =
    @isolated(any) @Sendable (_ outcome: EffectOutcome, _ duration: Duration) async -> Void

  let clock: any Clock<Duration>
  let handler: Handler

  func isIsolated(to actor: any Actor) -> Bool { handler.isolation === actor }

  func notify(
    _ failure: (any Error)?, after duration: Duration, isolation: isolated (any Actor)?
  ) async {
    let outcome = failure.map { EffectOutcome(of: $0) }
    await handler(outcome ?? (Task.isCancelled ? .cancelled : .finished), duration)
  }
}

/// How an effect has ended.
///
/// Outcomes can be compared; see ``ActionOutcome``.
public enum EffectOutcome: Sendable {
  /// Its body has returned.
  case finished
  /// Its body has thrown.
  case failed(any Error)
  /// It was cancelled, by its receipt, its lane or the reactor's end.
  case cancelled

  init(of error: any Error) {
    self = Task.isCancelled || error is CancellationError ? .cancelled : .failed(error)
  }
}

extension EffectOutcome: Equatable {
  /// Whether both are the same case, with equal errors.
  public static func == (one: Self, other: Self) -> Bool {
    switch (one, other) {
    case (.finished, .finished), (.cancelled, .cancelled): true
    case (.failed(let one), .failed(let other)): areEqual(one, other)
    case (.finished, _), (.failed, _), (.cancelled, _): false
    }
  }
}

extension Clock<Duration> {
  /// Measures the time from now on.
  func stopwatch() -> @Sendable () -> Duration {
    let start = now
    return { start.duration(to: now) }
  }
}
