import ReactorMachines

/// Effects that are begun apart, so that the others do not even look: several at a time, with a
/// priority of their own, or cancelled by a drain.
extension PipelineCore {
  /// As ``begin(_:of:on:)`` does, what is one effect, made of others perhaps.
  @inlinable @inline(never)
  func beginWhole(
    _ stream: MutationStream<R.Mutation>, of turn: Turn<R.Action>, on reactor: isolated R
  ) {
    if !stream.isBegunApart { return begin(stream, of: turn, on: reactor) }
    beginApart(stream, of: turn, on: reactor)
  }

  /// As ``begin(_:of:on:)`` does, one effect that has a priority of its own, or that a drain
  /// cancels.
  @usableFromInline
  func beginApart(
    _ stream: MutationStream<R.Mutation>, of turn: Turn<R.Action>, on reactor: isolated R
  ) {
    let run = Run(
      turn.action, number: turn.number, owner: self, homeID: ObjectIdentifier(reactor))
    starting = run
    launchApart(run, stream, on: reactor)
    starting = nil
    registerApart(run, orNote: .neverBegun)
  }

  @usableFromInline
  func beginTogether(
    _ streams: [MutationStream<R.Mutation>], as first: Run, on reactor: isolated R
  ) {
    let parts = streams.flatMap(\.mergedParts)
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
