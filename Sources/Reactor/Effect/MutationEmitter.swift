import ReactorRuntime

/// What an effect emits mutations with: `await emit(.add(1))`.
///
/// When the call returns, the mutation is in the state: an effect reads its own writes, and a fast
/// producer is held back by the reducer; nothing is queued. On the reactor it reduces in place,
/// without suspending.
///
/// **If the effect has been cancelled**, the mutation is ignored. **If its body has already
/// ended**, the mutation is ignored and reported. With `transform(mutation:)` written, the call
/// returns once the hook has passed the mutation on.
public struct MutationEmitter<Mutation: Sendable>: Sendable {
  /// Takes the mutation without suspending, where that can be done from the caller's isolation.
  ///
  /// Two closures rather than a protocol: made where the reactor's type is known, they are
  /// specialised for it, across the module boundary too.
  @usableFromInline let accept: @Sendable (Mutation, (any Actor)?) -> EmittedMutation

  /// Takes a mutation that could not be accepted, and returns once it is in the state.
  ///
  /// It runs where the caller does, so that an effect on the reactor stays there when it goes on.
  @usableFromInline let deliver: @Sendable (Mutation, isolated (any Actor)?) async -> Void

  /// The effect that emits, if it is a reactor's.
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
  ///   - isolation: Where the caller runs; leave it out.
  @inlinable @inline(__always)
  public func callAsFunction(
    _ mutation: Mutation, isolation: isolated (any Actor)? = #isolation
  ) async {
    // Always inlined: in a body with three of them, the compiler would give each its own frame.
    switch accept(mutation, isolation) {
    case .taken: return
    case .acceptable(let home): if await accept(mutation, at: home) { return }
    case .unacceptable: break
    }
    await deliver(mutation, isolation)
  }

  /// Goes to where the mutation can be taken without suspending further, in the frame of whoever
  /// emits: that is mostly all, and neither closure's frame need be allocated for it.
  ///
  /// - Returns: Whether it has been taken.
  @inlinable
  func accept(_ mutation: Mutation, at home: isolated any Actor) -> Bool {
    if case .taken = accept(mutation, home) { true } else { false }
  }

  /// An emitter of other mutations, each of which is changed into one of these.
  ///
  /// ```swift
  /// .run { emit in try await download(to: emit.map { .progress($0) }) }
  /// ```
  ///
  /// **Runs**, and returns, as this one does: a mutation that could be reduced in place still is.
  ///
  /// - Parameter transform: Makes the mutation; called once for each.
  /// - Returns: The emitter.
  public func map<Other: Sendable>(
    _ transform: @escaping @Sendable (Other) -> Mutation
  ) -> MutationEmitter<Other> {
    // Asked only here, so that the closure is called once, whichever way the mutation takes then.
    let outer = Nested(self)
    return MutationEmitter<Other>(
      accept: { _, _ in .unacceptable },
      deliver: { other, isolation in
        await outer.value(transform(other), isolation: isolation)
      },
      effect: effect)
  }
}

/// What an emitter asks of its effect, beside taking mutations.
@usableFromInline
protocol EmittingEffect: AnyObject, Sendable {
  /// A part of the effect has failed, and the others go on.
  func partFailed(with error: any Error)
  /// Returns once everything that has been reduced by now is durable.
  nonisolated(nonsending) func waitUntilDurable() async throws
}

/// What has become of a mutation that was to be taken without suspending.
@usableFromInline
enum EmittedMutation: Sendable {
  case taken
  /// Not yet, but on this actor it would be.
  case acceptable(at: any Actor)
  /// It has to be delivered.
  case unacceptable
}
