import Synchronization

/// A stage before `mutate` that has been put in while the reactor runs.
@usableFromInline
final class PipelineStage<R: Actor, Action: Sendable, Mutation: Sendable>: Sendable {
  typealias Body =
    @Sendable (isolated R, Action, (Action) -> MutationStream<Mutation>) -> MutationStream<Mutation>

  let body: Body
  private let isRemoved = Atomic(false)

  init(_ body: @escaping Body) { self.body = body }

  /// Whether it counts: the reactor still has it until it next takes an action.
  var isThere: Bool { !isRemoved.load(ordering: .acquiring) }

  /// Asks for what an action leads to, through the stages in their order.
  static func mutate(
    _ action: Action, through stages: ArraySlice<PipelineStage>, on reactor: isolated R,
    _ mutate: (isolated R, Action) -> MutationStream<Mutation>
  ) -> MutationStream<Mutation> {
    guard let stage = stages.first else { return mutate(reactor, action) }
    return stage.body(reactor, action) {
      Self.mutate($0, through: stages.dropFirst(), on: reactor, mutate)
    }
  }

  func remove() { isRemoved.store(true, ordering: .releasing) }
}
