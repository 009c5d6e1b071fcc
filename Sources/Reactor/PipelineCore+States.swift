import Synchronization

extension PipelineCore: StateSource, StateRelay {
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
    guard Self.hasStateHook else {
      return shared.withLock { StateSubscription(outlet(in: &$0), of: self, policy) }
    }
    let owner = RelaySubscriber(of: self, policy)
    return shared.withLock { shared in
      StateSubscription(outlet(in: &shared), of: owner, policy, asksFirst: true)
    }
  }

  /// The newest state that went into `transform(state:)`, which may lag behind it.
  func relayMarks() -> [RelayMark] {
    guard let inputs = shared.withLock({ $0.rare.hooks })?.inputs, let states = inputs.states,
      let progress = inputs.statesProgress
    else { return [] }
    return [progress.mark(states.latest)]
  }

  @usableFromInline
  func newcomer() { hasMail.store(true, ordering: .releasing) }

  @usableFromInline
  func giveBack(_ deserted: Broadcast<R.State>) {
    guard takeBack(deserted), let reactor else { return }
    if inbox.requestJob() { wake(reactor) }
  }

  @usableFromInline
  nonisolated(nonsending) func answer(_ subscription: StateSubscription<R.State>) async -> Bool {
    guard let reactor else { return false }
    while !Task.isCancelled, let shownAgain = await answer(subscription, on: reactor) {
      await shownAgain.wait()
    }
    return true
  }

  /// Takes what waits, for an observer that is on the main actor's executor as the reactor is.
  ///
  /// The job that would do it waits for the same executor, and has less to do when its time comes.
  @usableFromInline
  nonisolated(nonsending) func workInPlace() async -> Bool {
    let isolation: (any Actor)? = #isolation
    guard let isolation, MainExecutor.runs(isolation), let reactor, MainExecutor.runs(reactor)
    else { return false }
    return await reactor._workInPlace()
  }

  /// - Returns: What to wait for first, where states are kept back.
  private func answer(
    _ subscription: StateSubscription<R.State>, on reactor: isolated R
  ) -> Latch? {
    start(on: reactor)
    if let shownAgain = shownAgain() { return shownAgain }
    // With an output stage the outlet has what may be seen.
    if outputStage != nil { return nil }
    if details.hooks?.inputs.states == nil { details.live = outlet }
    // Behind a hook the states come from the hook, and there is nothing to say; one from before a
    // restart has been told all there is.
    let asking = subscription.broadcast
    guard details.live === asking else { return nil }
    let state = current(on: reactor)
    asking.deliver(asking.offer(state, number: version, to: subscription.slot))
    return nil
  }
}
