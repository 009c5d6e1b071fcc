import Synchronization

extension PipelineCore: StateSource, StateOwner {
  /// The state as reduced so far.
  @usableFromInline
  func current(on reactor: isolated R) -> R.State {
    start(on: reactor)
    guard let state = own.state else {
      preconditionFailure(
        "\(R.self): currentState was read while the state is being made; in "
          + "reduce(state:mutation:) read `state` instead")
    }
    return state
  }

  /// An observer comes: under the lock, so that what it observes cannot be given back meanwhile.
  @usableFromInline
  func subscribe(_ policy: StateBuffering) -> StateSubscription<R.State> {
    shared.withLock { StateSubscription(output(in: &$0), of: self, policy) }
  }

  /// What observers see; made for the first of them.
  var output: StateBroadcaster<R.State> { shared.withLock { output(in: &$0) } }

  private func output(in shared: inout PipelineShared<R>) -> StateBroadcaster<R.State> {
    if let output = shared.output { return output }
    let output = StateBroadcaster<R.State>()
    if shared.hasEnded { output.finish(with: own.state, version: version) }
    shared.output = output
    return output
  }

  @usableFromInline
  func newcomer() { attention.store(true, ordering: .releasing) }

  @usableFromInline
  func giveBack(_ deserted: StateBroadcaster<R.State>) {
    let isGiven = shared.withLock { shared in
      guard shared.output === deserted, deserted.fanOut.withLock({ $0.isDeserted }) else {
        return false
      }
      shared.output = nil
      return true
    }
    // The reactor has it, too, and sees here that it is gone.
    guard isGiven, let reactor else { return }
    attention.store(true, ordering: .sequentiallyConsistent)
    if inbox.requestJob() { wake(reactor) }
  }

  @usableFromInline
  func answer(
    _ cursor: StateCursor<R.State>, of asking: StateBroadcaster<R.State>
  ) async -> Bool {
    guard let reactor else { return false }
    await answer(cursor, of: asking, on: reactor)
    return true
  }

  private func answer(
    _ cursor: StateCursor<R.State>, of asking: StateBroadcaster<R.State>, on reactor: isolated R
  ) {
    start(on: reactor)
    if details.hooks?.stateInput == nil { details.live = output }
    // Behind a hook the states come from the hook, and there is nothing to say; one from before a
    // restart has been told all there is.
    guard details.live === asking else { return }
    asking.answer(cursor, with: current(on: reactor), version: version)
  }

  /// Looks at what other threads have left: cancelled receipts, and observers that have come.
  @usableFromInline
  func attend(on reactor: isolated R) {
    attention.store(false, ordering: .sequentiallyConsistent)
    let (left, output) = shared.withLock { ($0.takeLeft(), $0.output) }
    for number in left.cancelled { cancelNow(number, on: reactor) }
    for (key, number) in left.cutLanes { cancelLaneAndCut(key, before: number, on: reactor) }
    if hasReady { requestTurns(of: reactor) }
    let isHooked = own.details?.pointee.hooks?.stateInput != nil
    if !isHooked, output != nil || own.details != nil { details.live = output }
    own.details?.pointee.live?.attachPending(
      to: self.current(on: reactor), version: version)
    if !left.milestones.isEmpty { tell(left.milestones, on: reactor) }
  }
}
