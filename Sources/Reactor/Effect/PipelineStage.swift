import Synchronization

/// A stage before `mutate` that was added while the reactor runs.
@usableFromInline
final class PipelineStage<R: Actor, Action: Sendable, Mutation: Sendable>: Sendable {
  typealias Body =
    @Sendable (isolated R, Action, (Action) -> MutationStream<Mutation>) -> MutationStream<Mutation>

  let body: Body
  private let isRemoved = Atomic(false)

  init(_ body: @escaping Body) { self.body = body }

  /// Whether it applies: a removed stage is kept until the reactor next takes an action.
  var isRegistered: Bool { !isRemoved.load(ordering: .acquiring) }

  /// Returns what an action leads to, through the stages in their order.
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
