/// Stages before `mutate` that are put in and taken out while the reactor runs.
///
/// A reactor that has one takes its actions as if they had brought something along, which is looked
/// at anyway: so one that has none pays nothing.
extension PipelineCore {
  func add(_ stage: PipelineStage<R, R.Action, R.Mutation>, on reactor: isolated R) {
    details.stages.append(stage)
    own.hasContextOrStage = true
  }

  /// Asks `mutate` what an action leads to: through the stages, where there are some.
  ///
  /// Inlinable, as ``noteContextOrStage()`` is, and not inlined: actions that have brought
  /// something along come this way, too, and those that have not are to have none of it in their
  /// turn.
  @inlinable @inline(never)
  func mutateInStages(_ action: R.Action, on reactor: isolated R) -> MutationStream<R.Mutation> {
    own.details?.pointee.stages.isEmpty == false
      ? mutateThroughStages(action, on: reactor) : reactor.mutate(action: action)
  }

  @usableFromInline
  func mutateThroughStages(
    _ action: R.Action, on reactor: isolated R
  ) -> MutationStream<R.Mutation> {
    let stages = details.stages
    let there = stages.filter(\.isThere)
    if there.count < stages.count {
      details.stages = there
      noteContextOrStage()
    }
    return mutate(action, through: there[...], on: reactor)
  }

  private func mutate(
    _ action: R.Action, through stages: ArraySlice<PipelineStage<R, R.Action, R.Mutation>>,
    on reactor: isolated R
  ) -> MutationStream<R.Mutation> {
    guard let stage = stages.first else { return reactor.mutate(action: action) }
    return stage.body(reactor, action) {
      mutate($0, through: stages.dropFirst(), on: reactor)
    }
  }

  /// Remembers whether something has to be looked at for the next actions.
  @inlinable @inline(never)
  func noteContextOrStage() {
    own.hasContextOrStage = details.nextContext != nil || !details.stages.isEmpty
  }
}
