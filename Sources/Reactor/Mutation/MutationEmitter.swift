/// What an effect emits mutations with: `await emit(.add(1))`.
///
/// When the call returns, the mutation is in the state: an effect reads its own writes, and a fast
/// producer is held back by the reducer; nothing is queued. On the reactor it reduces in place,
/// without suspending.
///
/// **If the effect has been cancelled**, the mutation is ignored. **If its body has already ended**,
/// the mutation is ignored and reported. With `transform(mutation:)` written, the call returns once
/// the hook has passed the mutation on.
public struct MutationEmitter<Mutation: Sendable>: Sendable {
  @usableFromInline let target: any EmissionTarget<Mutation>

  @inlinable
  init(_ target: any EmissionTarget<Mutation>) { self.target = target }

  /// Emits a mutation, and returns once it is in the state.
  ///
  /// - Parameters:
  ///   - mutation: The mutation.
  ///   - isolation: Where the caller runs; leave it out.
  @inlinable
  public func callAsFunction(
    _ mutation: Mutation, isolation: isolated (any Actor)? = #isolation
  ) async {
    if target.accept(mutation, from: isolation) { return }
    await target.deliver(mutation)
  }
}

/// Where an emitter's mutations go: an effect in a pipeline, or an iterator in a test.
@usableFromInline
protocol EmissionTarget<Mutation>: AnyObject, Sendable {
  associatedtype Mutation: Sendable

  /// Takes the mutation without suspending, where that can be done from the caller's isolation.
  func accept(_ mutation: Mutation, from isolation: (any Actor)?) -> Bool

  /// Takes the mutation, and returns once it is in the state.
  func deliver(_ mutation: Mutation) async

  /// An error of one part of the effect whose other parts go on.
  func report(_ error: any Error) async
}
