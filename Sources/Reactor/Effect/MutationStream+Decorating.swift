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
    if case .just(let mutation) = storage { return .just(transform(mutation)) }
    if let mutations = atOnce { return .of(mutations.map(transform)) }
    let change = EffectChange.map { MutationEmitter<Other>($0).map(transform) }
    return MutationStream<Other>(.tree(EffectTree(part, change)))
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
    changedIfEffect(
      .around { part, emit, isolation in
        try await wrapper(
          MutationEmitter(emit),
          { emit in try await part.run(into: emit, isolation: isolation) }, isolation)
      })
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
    changed(.end(EffectEnd(clock: clock, handler: handler)))
  }
}
