import ReactorRuntime

/// Emits the mutations of an effect: `await emit(.add(1))`.
///
/// **Runs on** the caller's executor. On the reactor it reduces in place, without suspending.
///
/// **Order**: when the call returns, the mutation is in the state. An effect therefore reads its
/// own writes, and the reducer holds back a fast producer; nothing is queued. With
/// `transform(mutation:)` written, the call returns once the hook has passed the mutation on.
///
/// **If its body has already ended**, the mutation is ignored and reported.
///
/// **If the effect has been cancelled**, the mutation is ignored.
public struct MutationEmitter<Mutation: Sendable>: Sendable {
  /// Takes the mutation without suspending, if that can be done from the caller's isolation.
  ///
  /// Two closures instead of a protocol: they are made where the reactor's type is known, and so
  /// are specialised for it, across the module boundary too.
  @usableFromInline let accept: @Sendable (Mutation, (any Actor)?) -> EmittedMutation

  /// Takes a mutation that could not be accepted, and returns once it is in the state.
  ///
  /// It runs on the caller's isolation, so that an effect on the reactor continues there.
  @usableFromInline let deliver: @Sendable (Mutation, isolated (any Actor)?) async -> Void

  /// The effect that emits, if it belongs to a reactor.
  @usableFromInline let effect: (any EmittingEffect)?

  @inlinable
  init(
    accept: @escaping @Sendable (Mutation, (any Actor)?) -> EmittedMutation,
    deliver: @escaping @Sendable (Mutation, isolated (any Actor)?) async -> Void,
    effect: (any EmittingEffect)?
  ) {
    self.accept = accept
    self.deliver = deliver
    self.effect = effect
  }

  /// Emits a mutation, and returns once it is in the state.
  ///
  /// - Parameters:
  ///   - mutation: The mutation.
  ///   - isolation: The isolation of the caller; leave it out.
  @inlinable @inline(__always)
  public func callAsFunction(
    _ mutation: Mutation, isolation: isolated (any Actor)? = #isolation
  ) async {
    // Always inlined: in a body with three of them, the compiler would give each its own frame.
    switch accept(mutation, isolation) {
    case .taken: return
    case .acceptable(let actor): if await accept(mutation, at: actor) { return }
    case .unacceptable: break
    }
    await deliver(mutation, isolation)
  }

  /// Hops to the actor where the mutation can be taken without further suspension, in the frame of
  /// the emitting function.
  ///
  /// That is usually all, and neither closure's frame has to be allocated for it.
  ///
  /// - Returns: Whether it has been taken.
  @inlinable
  func accept(_ mutation: Mutation, at actor: isolated any Actor) -> Bool {
    if case .taken = accept(mutation, actor) { true } else { false }
  }

  /// Returns an emitter of other mutations, each of which is converted into one of these.
  ///
  /// ```swift
  /// .run { emit in try await download(to: emit.map { .progress($0) }) }
  /// ```
  ///
  /// **Runs** and returns as this emitter does: a mutation that could be reduced in place still is.
  ///
  /// - Parameter transform: Converts a mutation; called once for each.
  /// - Returns: The emitter.
  public func map<Other: Sendable>(
    _ transform: @escaping @Sendable (Other) -> Mutation
  ) -> MutationEmitter<Other> {
    // Converted only here, so that the closure is called once, whichever way the mutation takes
    // then.
    let outer = Nested(self)
    return MutationEmitter<Other>(
      accept: { _, _ in .unacceptable },
      deliver: { other, isolation in
        await outer.value(transform(other), isolation: isolation)
      },
      effect: effect)
  }
}

/// What an emitter requires of its effect, besides taking mutations.
@usableFromInline
protocol EmittingEffect: AnyObject, Sendable {
  /// A part of the effect has failed, and the others continue.
  func partFailed(with error: any Error)
  /// Returns once everything that has been reduced by now is durable.
  nonisolated(nonsending) func waitUntilDurable() async throws
}

/// The result of an attempt to take a mutation without suspending.
@usableFromInline
enum EmittedMutation: Sendable {
  case taken
  /// Not taken, but it could be on this actor.
  case acceptable(at: any Actor)
  /// It has to be delivered.
  case unacceptable
}
