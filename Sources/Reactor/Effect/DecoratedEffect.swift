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

extension MutationStream {
  /// What the effect as a whole is called.
  var name: String? { if case .decorated(let effect) = storage { effect.name } else { nil } }

  /// What the effect's task is to have; `nil` for what it has by itself.
  @inlinable var taskPriority: TaskPriority? {
    @inline(__always) get {
      if case .decorated(let effect) = storage { effect.priority } else { nil }
    }
  }

  /// The same as one effect, with a name or a priority of its own.
  func decorated(name: String?, priority: TaskPriority?) -> MutationStream {
    MutationStream(
      .decorated(
        DecoratedEffect(name: name, priority: priority, isIsolated: isIsolated) { emit, isolation in
          try await run(into: emit, isolation: isolation)
        }))
  }
}
