extension MutationStream {
  /// Returns the stream with every mutation converted into another one.
  ///
  /// ```swift
  /// case .child(let action): child.stream(for: action).map { .child($0) }
  /// ```
  ///
  /// **Runs** as the stream does. Mutations that it emits at once are still emitted at once. An
  /// effect keeps its isolation and its place in the turn.
  ///
  /// - Parameter transform: Converts a mutation; called once for each.
  /// - Returns: A stream of the other mutations.
  public func map<Other: Sendable>(
    _ transform: @escaping @Sendable (Mutation) -> Other
  ) -> MutationStream<Other> {
    if case .just(let mutation) = storage { return .just(transform(mutation)) }
    if let mutations = atOnce { return .of(mutations.map(transform)) }
    let change = EffectChange.map { MutationEmitter<Other>($0).map(transform) }
    return MutationStream<Other>(.tree(EffectTree(part, change)))
  }

  /// Wraps each effect of the stream: in a span, a log's metadata, a measurement, a retry.
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
  /// **Runs on** the isolation of the effect: the wrapper of an effect that uses the reactor runs
  /// on the reactor, too. The effect still begins inside the turn of its action, unless the wrapper
  /// suspends before it. The wrapper is called once for an effect: once for each effect that
  /// `merge(_:)` starts, and once for a `concat(_:)`. Mutations that a stream emits at once are not
  /// an effect, and are not wrapped.
  ///
  /// **If the wrapper throws**, the effect has failed. An error that the wrapper catches is not
  /// reported.
  ///
  /// **If the effect is cancelled**, so is the task that both run in.
  ///
  /// - Parameter wrapper: Calls the body, usually once, with the emitter that it receives or with
  ///   another one, and returns when the body does. Its third parameter is its isolation, which
  ///   only the compiler needs: write `_`.
  /// - Returns: A stream of the mutations that the wrapper passes on.
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

  /// Calls a handler when the stream has ended, with its outcome and its duration.
  ///
  /// ```swift
  /// .run { emit in … }
  ///   .onEnd { outcome, duration in self.metrics.record(outcome, duration) }
  /// ```
  ///
  /// **Runs on** the reactor if the closure or the stream uses it, in the effect's task. It is
  /// called once for the whole stream, also for one that emits at once, or one with several parts.
  /// It is not called for a stream that was never started.
  ///
  /// **If the effect fails**, its error is reported as usual, after this.
  ///
  /// **If it is cancelled**, that is the outcome, however its body has ended.
  ///
  /// - Parameters:
  ///   - clock: The clock that measures the duration.
  ///   - handler: Receives the outcome and the duration.
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
