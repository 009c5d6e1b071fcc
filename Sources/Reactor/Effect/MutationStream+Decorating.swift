extension MutationStream {
  /// The same with every mutation changed into another one.
  ///
  /// ```swift
  /// case .child(let action): child.stream(for: action).map { .child($0) }
  /// ```
  ///
  /// **Runs** as the stream does: what it emits at once is still emitted at once, and an effect
  /// keeps its isolation and its place in the turn. The closure is called once for each mutation.
  ///
  /// - Parameter transform: Makes the other mutation.
  /// - Returns: A stream of the others.
  public func map<Other: Sendable>(
    _ transform: @escaping @Sendable (Mutation) -> Other
  ) -> MutationStream<Other> {
    switch storage {
    case .empty: .empty
    case .just(let mutation): .just(transform(mutation))
    case .several(let mutations): .of(mutations.map(transform))
    case .merge(let streams): .merge(streams.map { $0.map(transform) })
    case .concat(let streams): .concat(streams.map { $0.map(transform) })
    case .run, .decorated:
      MutationStream<Other>(
        .decorated(
          DecoratedEffect(traits, isIsolated: isIsolated) { emit, isolation in
            try await run(into: emit.map(transform), isolation: isolation)
          }))
    }
  }

  /// The same with something around each effect: a span, a log's metadata, a measurement, a retry.
  ///
  /// ```swift
  /// extension MutationStream {
  ///   func logged(as name: String) -> MutationStream {
  ///     around { emit, body, _ in
  ///       try await Log.$name.withValue(name) { try await body(emit) }
  ///     }
  ///   }
  /// }
  ///
  /// case .reserve: .run { emit in … }.logged(as: "reserve")
  /// ```
  ///
  /// **Runs on** whatever the effect does: what is around an effect that uses the reactor is on the
  /// reactor too, and the effect still begins inside the turn of its action, unless the wrapper
  /// suspends before. It is called once for an effect, so for each of those that
  /// `merge(_:)` starts, and once for a `concat(_:)`.
  /// What a stream emits at once is no effect, and is left alone.
  ///
  /// **If the wrapper throws**, the effect has; an error that it does not throw on is not reported.
  /// **If the effect is cancelled**, so is the task that both run in.
  ///
  /// - Parameter wrapper: Calls the body, once as a rule, with the emitter it is given or with
  ///   another one, and returns when that does. The third thing that it is given is where it runs,
  ///   which is there for the compiler's sake: write `_`.
  /// - Returns: A stream of what the wrapper lets through.
  public func around(
    _ wrapper:
      @escaping @Sendable (
        _ emit: MutationEmitter<Mutation>,
        _ body: nonisolated(nonsending) (MutationEmitter<Mutation>) async throws -> Void,
        _ isolation: isolated (any Actor)?
      ) async throws -> Void
  ) -> MutationStream {
    switch storage {
    case .empty, .just, .several: self
    case .merge(let streams): .merge(streams.map { $0.around(wrapper) })
    case .run, .concat, .decorated:
      MutationStream(
        .decorated(
          DecoratedEffect(traits, isIsolated: isIsolated) { emit, isolation in
            try await wrapper(
              emit, { emit in try await run(into: emit, isolation: isolation) }, isolation)
          }))
    }
  }

  /// The same, and tells when it has ended, how, and how long it has taken.
  ///
  /// ```swift
  /// .run { emit in … }
  ///   .onEnd { outcome, duration in self.metrics.record(outcome, duration) }
  /// ```
  ///
  /// **Runs on** the reactor where the closure or the stream uses it, in the effect's task. It is
  /// called once for the whole stream, also for one that emits at once or of which several parts
  /// run; and not at all for one that was never started.
  ///
  /// **If the effect fails**, its error is reported as ever, after this. **If it is cancelled**,
  /// that is the outcome, however its body has ended.
  ///
  /// - Parameters:
  ///   - clock: What measures the time.
  ///   - handler: Is told.
  /// - Returns: A stream of the same mutations.
  public func onEnd(
    clock: any Clock<Duration> = ContinuousClock(),
    @_inheritActorContext @_implicitSelfCapture _ handler:
      @escaping @isolated(any) @Sendable (
        _ outcome: EffectOutcome, _ duration: Duration
      ) async -> Void
  ) -> MutationStream {
    MutationStream(
      .decorated(
        DecoratedEffect(
          traits,
          isIsolated: { isIsolated(to: $0) || handler.isolation === $0 },
          run: { emit, isolation in
            let watch = Stopwatch(clock)
            do {
              try await run(into: emit, isolation: isolation)
            } catch {
              await handler(EffectOutcome(of: error), watch.elapsed)
              throw error
            }
            await handler(Task.isCancelled ? .cancelled : .finished, watch.elapsed)
          })))
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

/// Measures time on any clock.
private struct Stopwatch: Sendable {
  private let measure: @Sendable () -> Duration

  var elapsed: Duration { measure() }

  init(_ clock: any Clock<Duration>) { measure = Self.begin(clock) }

  private static func begin<C: Clock<Duration>>(_ clock: C) -> @Sendable () -> Duration {
    let start = clock.now
    return { start.duration(to: clock.now) }
  }
}
