import ReactorMachines

/// Effects that are begun apart, so that the others do not even look: several at a time, with a
/// priority of their own, or cancelled by a drain.
extension PipelineCore {
  /// Does what a stream that is made of others leads to.
  @inlinable @inline(never)
  func begin(_ tree: EffectTree, of turn: Turn<R.Action>, on reactor: isolated R) {
    let stream = MutationStream<R.Mutation>(.tree(tree))
    if let mutations = stream.atOnce {
      for mutation in mutations where isStillWanted(turn.number, on: reactor) {
        reduce(mutation, of: turn.number, on: reactor)
      }
    } else if tree.isBegunApart {
      beginApart(tree, of: turn, on: reactor)
    } else {
      begin(stream, of: turn, on: reactor)
    }
  }

  /// Starts several effects at a time, or one that has a priority of its own, or that a drain
  /// cancels.
  @usableFromInline
  func beginApart(_ tree: EffectTree, of turn: Turn<R.Action>, on reactor: isolated R) {
    let first = Run(
      turn.action, number: turn.number, owner: self, homeID: ObjectIdentifier(reactor))
    if tree.shape == .merge { return beginTogether(tree, as: first, on: reactor) }
    starting = first
    launchApart(first, MutationStream(.tree(tree)), on: reactor)
    starting = nil
    registerApart(first, orNote: .neverBegun)
  }

  private func beginTogether(_ tree: EffectTree, as first: Run, on reactor: isolated R) {
    let parts = tree.mergedParts.map { MutationStream<R.Mutation>(part: $0) }
    if parts.isEmpty { return }
    let others = parts.dropFirst().map { _ in
      Run(first.action, number: first.number, owner: self, homeID: first.homeID)
    }
    let runs = [first] + others
    starting = first
    details.startingTogether = others
    for (run, part) in zip(runs, parts) where !run.isCancelled {
      launchApart(run, part, on: reactor)
    }
    starting = nil
    details.startingTogether = []
    for run in runs { registerApart(run, orNote: .reactorEnded) }
  }

  private func launchApart(
    _ run: Run, _ stream: MutationStream<R.Mutation>, on reactor: isolated R
  ) {
    let traits = stream.traits
    run.isCancelledByDrain = traits.isCancelledByDrain
    if run.isCancelledByDrain, phase == .draining { return }
    if let priority = traits.priority {
      launch(run, stream, with: priority, on: reactor)
    } else {
      launch(run, stream, on: reactor)
    }
  }

  private func registerApart(_ run: Run, orNote drained: ActionEnd) {
    // Cancelled before its turn came, or as the reactor drains: never started.
    if run.task == nil {
      note(run.isCancelled ? .cancelled : drained, of: run.number)
      run.end()
    }
    if !run.hasEnded { register(run) }
  }

  /// Cancels what a drain does not wait for.
  func cancelForDrain() {
    for run in ledger.works() where run.isCancelledByDrain && !run.hasEnded {
      note(run.isCancelled ? .cancelled : .reactorEnded, of: run.number)
      run.cancel()
    }
  }

  /// Starts one effect that has a priority of its own.
  @usableFromInline
  func launch(
    _ run: Run, _ stream: MutationStream<R.Mutation>, with priority: TaskPriority,
    on reactor: isolated R
  ) {
    launchBody(of: run, stream, on: reactor) {
      reactor.startHere(run, with: priority)
    } elsewhere: {
      Self.startAway(run, with: priority)
    }
  }
}
