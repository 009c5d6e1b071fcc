public import Synchronization

/// The way out: what is reduced, and who is shown and told of it.
extension PipelineCore {
  // MARK: States

  /// Folds a mutation into the state, and then shows the state to whoever looks.
  @inlinable @inline(__always)
  func reduce(
    _ mutation: R.Mutation, of number: @autoclosure () -> UInt64?, on reactor: isolated R
  ) {
    // Moved out and in again, so that `reduce` edits it in place and nobody sees it half done.
    guard var state = own.state.take() else { return reentered() }
    reactor.reduce(state: &state, mutation: mutation)
    guard let details = own.details, let live = details.pointee.live else {
      own.state = consume state
      return
    }
    show(state, after: mutation, of: number(), to: live)
  }

  @usableFromInline
  func reentered() {
    preconditionFailure(
      "\(R.self): a mutation was emitted inside reduce(state:mutation:); send an action instead")
  }

  @inlinable @inline(never)
  func show(
    _ state: consuming R.State, after mutation: R.Mutation, of number: UInt64?,
    to live: StateBroadcaster<R.State>
  ) {
    version &+= 1
    guard live.isWatched.load(ordering: .relaxed) else {
      own.state = consume state
      return
    }
    own.state = copy state
    if let steps = details.steps {
      steps.tell(.reduced(mutation, copy state, mutation: version, of: number))
    }
    live.publish(state, version: version)
  }

  /// What observers see; made for the first of them.
  var output: StateBroadcaster<R.State> { shared.withLock { output(in: &$0) } }

  func output(in shared: inout PipelineShared<R>) -> StateBroadcaster<R.State> {
    if let output = shared.output { return output }
    let output = StateBroadcaster<R.State>()
    if shared.hasEnded { output.finish(with: own.state, version: version) }
    shared.output = output
    return output
  }

  /// Gives observers that have come since the last state the present one to begin with.
  ///
  /// While `reduce` has it in its hands, they wait until the reactor next looks.
  func showToNewcomers() {
    guard let live = own.details?.pointee.live else { return }
    guard let state = own.state else {
      return hasMail.store(true, ordering: .sequentiallyConsistent)
    }
    live.attachPending(to: state, version: version)
  }

  // MARK: Actions

  /// Tells those who listen that an action has been taken: now, or when what it began has run.
  @usableFromInline
  func tellOver(_ turn: Turn<R.Action>) {
    // Where the turn makes way for its effects, which have yet to begin.
    if SimulatedExecutor.isActive, !Self.hasMutationHook, own.phase != .stubbed {
      details.untold.append(turn)
    } else {
      tellOverNow(turn)
    }
  }

  func tellOverNow(_ turn: Turn<R.Action>) {
    events.tell(turn.action, openedUpTo: turn.listening)
    tell(.turnEnded(turn.action, number: turn.number))
  }
}
