/// A stream with something around it, of which only its outside is known.
@usableFromInline
final class DecoratedEffect<Mutation: Sendable>: Sendable {
  typealias Run =
    @Sendable (_ emit: MutationEmitter<Mutation>, _ isolation: isolated (any Actor)?) async throws
    -> Void

  /// Whether some part of it must run on this very actor.
  @usableFromInline let isIsolated: @Sendable (any Actor) -> Bool
  @usableFromInline let traits: EffectTraits
  let run: Run

  init(
    _ traits: EffectTraits, isIsolated: @escaping @Sendable (any Actor) -> Bool,
    run: @escaping Run
  ) {
    self.traits = traits
    self.isIsolated = isIsolated
    self.run = run
  }
}

/// What an effect is told apart by, and what stays with it whatever is put around it.
@usableFromInline
struct EffectTraits: Sendable {
  /// What it is called; see ``MutationStream/named(_:)``.
  var name: String?
  /// What its task is to have, if not the turn's; see ``MutationStream/priority(_:)``.
  @usableFromInline var priority: TaskPriority?
  /// Whether a drain does not wait for it; see ``MutationStream/cancelledByDrain()``.
  @usableFromInline var isCancelledByDrain = false
}
