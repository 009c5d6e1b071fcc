/// A stream with something around it, of which only its outside is known.
@usableFromInline
final class DecoratedEffect<Mutation: Sendable>: Sendable {
  typealias Run =
    @Sendable (_ emit: MutationEmitter<Mutation>, _ isolation: isolated (any Actor)?) async throws
    -> Void

  /// Whether some part of it must run on this very actor.
  @usableFromInline let isIsolated: @Sendable (any Actor) -> Bool
  /// What it is called; see ``MutationStream/named(_:)``.
  let name: String?
  /// What its task is to have, if not the turn's; see ``MutationStream/priority(_:)``.
  @usableFromInline let priority: TaskPriority?
  let run: Run

  init(
    name: String? = nil, priority: TaskPriority? = nil,
    isIsolated: @escaping @Sendable (any Actor) -> Bool, run: @escaping Run
  ) {
    self.name = name
    self.priority = priority
    self.isIsolated = isIsolated
    self.run = run
  }
}
