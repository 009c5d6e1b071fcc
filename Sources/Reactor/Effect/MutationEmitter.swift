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
  @usableFromInline let accept: @Sendable (Mutation, (any Actor)?) -> Bool

  /// Takes the mutation, and returns once it is in the state; or an error of one part of the effect
  /// whose other parts go on.
  ///
  /// It runs where the caller does, so that an effect on the reactor stays there when it goes on.
  @usableFromInline let deliver:
    @Sendable (Result<Mutation, any Error>, isolated (any Actor)?) async -> Void

  @inlinable
  init(
    accept: @escaping @Sendable (Mutation, (any Actor)?) -> Bool,
    deliver: @escaping @Sendable (Result<Mutation, any Error>, isolated (any Actor)?) async -> Void
  ) {
    self.accept = accept
    self.deliver = deliver
  }

  /// Emits a mutation, and returns once it is in the state.
  ///
  /// - Parameters:
  ///   - mutation: The mutation.
  ///   - isolation: Where the caller runs; leave it out.
  @inlinable
  public func callAsFunction(
    _ mutation: Mutation, isolation: isolated (any Actor)? = #isolation
  ) async {
    if accept(mutation, isolation) { return }
    await deliver(.success(mutation), isolation)
  }

  /// Reports an error that does not end the effect.
  func report(_ error: any Error) async { await deliver(.failure(error), nil) }
}
