extension MutationStream {
  /// Runs everything in the stream, part by part, into an emitter.
  ///
  /// - Parameters:
  ///   - emit: Receives the mutations.
  ///   - isolation: Where to run parts that have no isolation of their own.
  /// - Throws: The error of the part that failed.
  @usableFromInline
  func run(
    into emit: MutationEmitter<Mutation>, isolation: isolated (any Actor)? = #isolation
  ) async throws {
    switch storage {
    case .empty: break
    case .just(let mutation): await emit(mutation)
    case .several(let mutations):
      for mutation in mutations { await emit(mutation) }
    case .run(let effect): try await effect(emit)
    case .concat(let streams):
      for stream in streams {
        try Task.checkCancellation()
        try await stream.run(into: emit)
      }
    case .tree: try await part.run(into: emit, isolation: isolation)
    }
  }

  /// The whole stream as one effect, which runs outside any actor if its parts do.
  @inlinable
  func body() -> Effect {
    if case .run(let effect) = storage { effect } else { combined() }
  }

  /// The whole stream as one effect, isolated to an actor.
  @inlinable
  func body(isolatedTo actor: isolated any Actor) -> Effect {
    if case .run(let effect) = storage { effect } else { combined(isolatedTo: actor) }
  }

  // Outlined from the above, which are inlined.
  @usableFromInline
  func combined() -> Effect {
    { emit in try await run(into: emit, isolation: nil) }
  }

  @usableFromInline
  func combined(isolatedTo actor: isolated any Actor) -> Effect {
    Self.effect { emit in try await run(into: emit, isolation: actor) }
  }

  /// Turns a closure into an effect; it has the isolation of the place where it is written, if it
  /// uses that.
  static func effect(
    @_inheritActorContext _ effect: sending @escaping Effect
  ) -> Effect { effect }

  /// Whether some part of the stream must run on this actor.
  @inlinable
  func isIsolated(to actor: any Actor) -> Bool {
    switch storage {
    case .empty, .just, .several: false
    case .run(let effect): effect.isolation === actor
    case .concat, .tree: isIsolatedInPart(to: actor)
    }
  }

  @usableFromInline
  func isIsolatedInPart(to actor: any Actor) -> Bool {
    switch storage {
    case .concat(let streams): streams.contains { $0.isIsolated(to: actor) }
    case .tree(let tree): tree.isIsolated(to: actor)
    case .empty, .just, .several, .run: false
    }
  }

  // MARK: Without running anything

  /// The mutations of a stream that consists of nothing else; `nil` if there is something to run.
  @inlinable var atOnce: [Mutation]? {
    switch storage {
    case .empty: []
    case .just(let mutation): [mutation]
    case .several(let mutations): mutations
    case .run, .concat: nil
    case .tree(let tree): tree.isEffect ? nil : Self.mutations(of: tree)
    }
  }

  /// The mutations of a tree that emits all of them at once.
  @usableFromInline
  static func mutations(of tree: EffectTree) -> [Mutation] {
    tree.partsAtOnce.flatMap { MutationStream(part: .plain($0)).atOnce ?? [] }
  }
}
