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

  @usableFromInline
  func newcomer() { hasMail.store(true, ordering: .releasing) }

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
    hasMail.store(true, ordering: .sequentiallyConsistent)
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
    // Behind a gate the output has what may be seen.
    if Self.isJournaled, gate != nil { return }
    if details.hooks?.inputs.states == nil { details.live = output }
    // Behind a hook the states come from the hook, and there is nothing to say; one from before a
    // restart has been told all there is.
    guard details.live === asking else { return }
    asking.answer(cursor, with: current(on: reactor), version: version)
  }
}
