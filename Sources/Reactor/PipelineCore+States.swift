import Synchronization

extension PipelineCore: StateSource {
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

  /// What observers see; made for the first of them.
  @usableFromInline
  var broadcaster: StateBroadcaster<R.State> {
    shared.withLock { shared in
      if let output = shared.output { return output }
      let output = StateBroadcaster<R.State>(
        askOwner: { [weak self] in await self?.answer($1, of: $0, inHook: false) ?? false },
        newcomer: { [weak self] in self?.attention.store(true, ordering: .releasing) })
      if let last = shared.last { output.finish(with: last.state, version: last.version) }
      shared.output = output
      return output
    }
  }

  /// Tells an observer what it cannot know: the current state, to begin with.
  ///
  /// - Returns: False once the reactor is gone.
  func answer(
    _ cursor: StateCursor<R.State>, of asking: StateBroadcaster<R.State>, inHook: Bool
  ) async -> Bool {
    guard let reactor else { return false }
    await answer(cursor, of: asking, inHook: inHook, on: reactor)
    return true
  }

  private func answer(
    _ cursor: StateCursor<R.State>, of asking: StateBroadcaster<R.State>, inHook: Bool,
    on reactor: isolated R
  ) {
    start(on: reactor)
    let isHooked = details.hooks?.stateInput != nil
    // Behind a hook the states come from the hook; there is nothing to say.
    guard inHook == isHooked else { return }
    if !isHooked { details.live = broadcaster }
    // One from before a restart has been told all there is.
    guard details.live === asking else { return }
    asking.answer(cursor, with: current(on: reactor), version: details.version)
  }

  /// Looks at what other threads have left: cancelled receipts, and observers that have come.
  @usableFromInline
  func attend(on reactor: isolated R) {
    attention.store(false, ordering: .sequentiallyConsistent)
    let (cancelled, cutLanes, output) = shared.withLock { shared in
      defer { (shared.cancelled, shared.cutLanes) = ([], []) }
      return (shared.cancelled, shared.cutLanes, shared.output)
    }
    for number in cancelled { cancelNow(number, on: reactor) }
    for (key, number) in cutLanes { cancelLaneAndCut(key, before: number, on: reactor) }
    if Self.hasLanes, details.lanes.hasReady { requestTurns(of: reactor) }
    let isHooked = own.details?.pointee.hooks?.stateInput != nil
    if !isHooked, output != nil { details.live = output }
    own.details?.pointee.live?.attachPending(
      to: self.current(on: reactor), version: details.version)
  }
}
