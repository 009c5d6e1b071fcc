import ReactorMachines
public import ReactorRuntime
public import Synchronization

/// What leaves the reactor: states, outputs, and the steps that sinks receive.
///
/// An ``OutputStage`` holds back what must not be lost in a crash, and releases it when it may
/// leave. An answer leaves by its ``ReplyToken``.
extension Engine: StateSource, StateRelay {
  // MARK: States

  /// The state as reduced so far.
  @usableFromInline
  func current(on reactor: isolated R) -> R.State {
    start(on: reactor)
    guard let state = turnState.state else {
      preconditionFailure(
        "\(R.self): currentState was read while the state is being made; in "
          + "reduce(state:mutation:) read `state` instead")
    }
    return state
  }

  /// The broadcast of states to subscribers; made for the first of them.
  var outlet: Broadcast<R.State> { shared.withLock { $0.openOutlet(last: lastState) } }

  /// The last state, with its number.
  @inlinable var lastState: (R.State, UInt64)? { turnState.state.map { ($0, version) } }

  /// Under the lock, so that the broadcast cannot be removed meanwhile.
  @usableFromInline
  func subscribe(_ policy: StateBuffering) -> StateSubscription<R.State> {
    let owner: any StateOwner<R.State> =
      Self.hasStateHook ? RelaySubscriber(of: self, policy) : self
    return shared.withLock { shared in
      StateSubscription(
        shared.openOutlet(last: lastState), of: owner, policy, beginsAtSource: Self.hasStateHook)
    }
  }

  /// The newest state that was passed to `transform(state:)`, whose output may lag behind.
  func relayMarks() -> [RelayMark] {
    let inputs = sharedHooks?.inputs
    guard let states = inputs?.states, let progress = inputs?.statesProgress else { return [] }
    return [progress.mark(states.latest)]
  }

  @usableFromInline
  func subscriberAdded() { hasRequests.store(true, ordering: .releasing) }

  @usableFromInline
  func lastSubscriberReleased(_ broadcast: Broadcast<R.State>) {
    guard shared.withLock({ $0.removeOutlet(ifUnneeded: broadcast) }) else { return }
    // The reactor has a reference to it, too.
    hasRequests.store(true, ordering: .sequentiallyConsistent)
    requestJob()
  }

  @usableFromInline
  nonisolated(nonsending) func offerCurrentState(to subscription: StateSubscription<R.State>) async
  {
    while !Task.isCancelled {
      let answered = await withReactor { reactor -> Latch? in
        self.start(on: reactor)
        if let latch = self.details.latchUntilShown() { return latch }
        // With an output stage, the outlet has the states that may be visible.
        if self.outputStage != nil { return nil }
        if self.details.hooks?.inputs.states == nil { self.details.reducedStates = self.outlet }
        // Behind a hook, the states come from the hook, and there is none to offer. A subscription
        // from before a restart has received all of its states.
        let asking = subscription.broadcast
        if self.details.reducedStates === asking {
          let state = self.current(on: reactor)
          asking.deliver(asking.offer(state, number: self.version, to: subscription.slot))
        }
        return nil
      }
      // Otherwise states are held back.
      guard let latch = answered ?? nil else { return }
      await latch.wait()
    }
  }

  /// Takes the waiting actions, for a subscriber that runs on the main actor's executor as the
  /// reactor does.
  ///
  /// The job that would take them waits for the same executor, and has less to do when it runs.
  @usableFromInline
  nonisolated(nonsending) func drainInPlace() async -> Bool {
    let isolation: (any Actor)? = #isolation
    guard let isolation, MainExecutor.runs(isolation), let reactor, MainExecutor.runs(reactor)
    else { return false }
    return await R._engine.drainInPlace(reactor)
  }

  /// Publishes states to the outlet from now on, if there are subscribers, and offers new ones the
  /// current state.
  ///
  /// With an output stage, the outlet has the states that may be visible, and new subscribers find
  /// them there.
  func connectOutlet() {
    guard outputStage == nil else { return }
    let outlet = shared.withLock { $0.outlet }
    let isHooked = turnState.details?.pointee.hooks?.inputs.states != nil
    if !isHooked, outlet != nil || turnState.details != nil { details.reducedStates = outlet }
    if !isHolding { showToNewSubscribers() }
  }

  /// Offers the current state to the subscribers that were added since the last one was shown.
  ///
  /// While `reduce` has the state, they wait until the reactor next processes requests.
  func showToNewSubscribers() {
    guard let broadcast = turnState.details?.pointee.reducedStates else { return }
    guard let state = turnState.state else {
      return hasRequests.store(true, ordering: .sequentiallyConsistent)
    }
    broadcast.deliver(broadcast.offer(state, number: version))
  }

  /// Ends the broadcasts of states and outputs, after the last of them.
  @inlinable
  func finishShowing(_ hooks: Hooks?) {
    events.finishOutputs()
    if let input = hooks?.inputs.states {
      hooks?.inputs.statesEnd?.setInputCount(version + 1)
      return input.finish()
    }
    let outlet = shared.withLock { $0.closeOutlet() }
    turnState.details?.pointee.reducedStates = nil
    // With an output stage, the outlet has the last state that may be visible.
    outlet?.finish(with: outputStage == nil ? lastState : nil)
  }

  // MARK: Batches and marks

  /// Whether states are held back, because more actions have to be taken before they are shown.
  @inlinable var isHolding: Bool { turnState.details?.pointee.isHolding == true }

  /// Begins to hold states back, or shows those that were held back, depending on the actions taken
  /// so far.
  func holdStates(for newBatches: [PipelineBatch], on reactor: isolated R) {
    details.batches += newBatches
    while let batch = details.batches.first, isReached(batch.range.lowerBound) {
      // When a hook passes the next action on is up to the hook, and subscribers do not wait for
      // it.
      details.batches[details.batches.startIndex].isHeld = !Self.hasActionHook
      // While `reduce` has the state, the reactor does this again later.
      guard isReached(batch.range.upperBound), turnState.state != nil else { break }
      endBatch()
    }
    if !details.batches.isEmpty { hasRequests.store(true, ordering: .sequentiallyConsistent) }
  }

  /// Shows the states that were held back, and resumes the subscribers that were added meanwhile.
  @usableFromInline
  func endBatch() {
    let batch = details.batches.removeFirst()
    if batch.hasStates, let state = turnState.state {
      releaseViaStage(.state(state, version: version))
    }
    for latch in batch.waitingSubscribers { latch.open() }
  }

  /// Calls the marks that have been reached; the others are checked after each turn.
  ///
  /// - Parameters:
  ///   - newMarks: The marks that were added since the last call, in the order of the inbox.
  ///   - reactor: The reactor.
  func passMarks(_ newMarks: [EngineMark], on reactor: isolated R) {
    details.marks += newMarks
    let version = version
    while let next = details.marks.first, let state = turnState.state, isReached(next.number) {
      details.marks.removeFirst()
      let stage = outputStage
      releaseViaStage(
        .milestone(isHolding ? nil : state, version: version) {
          let isKept = stage?.failure == nil
          next.reached(isKept ? version : nil) { isKept ? state : nil }
        })
    }
    if !details.marks.isEmpty { hasRequests.store(true, ordering: .sequentiallyConsistent) }
  }

  /// Whether this many actions have had their turns, and none of these turns is in progress.
  ///
  /// An action that waits in a lane has had its turn. With a `transform(action:)`, an action has
  /// had its turn when the hook has passed it on and requests the next.
  private func isReached(_ number: UInt64) -> Bool {
    guard turnState.taken >= number else { return phase == .stopped }
    if let taking, taking < number { return false }
    guard Self.hasActionHook else { return true }
    return turnState.details?.pointee.hooks?.inputs.actions?.holdsAction(before: number) != true
  }

  /// The reactor has been released, and no further mark will be reached.
  ///
  /// - Parameter ahead: The marks that the reactor has received already.
  @usableFromInline
  func abandonMarks(_ ahead: ArraySlice<EngineMark> = []) {
    let marks = rareIfMade { rare in
      defer { rare.requests.marks = [] }
      return rare.requests.marks
    }
    for mark in ahead + (marks ?? []) { mark.reached(nil) { nil } }
  }

  // MARK: Sinks
  //
  // Without sinks, they cost nothing beyond what is read anyway. A turn checks whether there are
  // subscribers of actions (`Turn.lastListener`), a reduction whether there are subscribers of
  // states; both are true while there is a sink. Then every turn is work in the ledger, so that the
  // ledger alone decides when an action has ended.

  /// Publishes every state while a sink needs that, so that it receives each mutation.
  func watchStates(on reactor: isolated R) {
    let isFollowed = turnState.details?.pointee.followers.isEmpty == false
    let isNeeded = isFollowed || steps?.needMutations == true
    guard isNeeded || shared.withLock({ $0.outlet }) != nil else { return }
    let outlet = outlet
    outlet.needEveryElement(isNeeded)
    turnState.details?.pointee.hooks?.inputs.states?.needEveryElement(isNeeded)
    if !isNeeded { _ = shared.withLock { $0.removeOutlet(ifUnneeded: outlet) } }
    processRequestsNow(on: reactor)
  }

  /// Adds, updates or removes the observers' sink, if observers were added or removed since the
  /// last check.
  @inlinable
  func followObservers(on reactor: isolated R) {
    // `nil` if the last observer in the process was removed.
    let version =
      ReactorObservers.isAny ? ReactorObservers.version.load(ordering: .acquiring) : nil
    guard turnState.details?.pointee.observersVersion != version else { return }
    updateObservers(as: version, on: reactor)
  }

  @usableFromInline
  func updateObservers(as version: UInt64?, on reactor: isolated R) {
    details.observersVersion = version
    let entries = version == nil ? [] : observers
    let isNeeded = !ObserverEntry.needs(of: entries).isEmpty
    if details.observers == nil, isNeeded {
      let sink = ObserverSink<R.Action, R.Mutation, R.State, R.Output>(
        ObservedReactor(identity, beginsAtOnce: !Self.hasTurnHook && !Self.hasLanes),
        replacesActions: Self.hasActionHook
      ) { [weak self] in self?.report(.observationCycle, $0, $1) }
      details.observers = sink
      turnState.features.insert(.observers)
      // First, so that the observers are notified of a report before a test is.
      events.changeSinks { [sink] + $0 }
    }
    if let sink = details.observers {
      if version != nil { sink.observed.setObservers(entries, state: turnState.state) }
      if !isNeeded {
        details.observers = nil
        turnState.features.remove(.observers)
        events.changeSinks { all in all.filter { $0 !== sink } }
      }
      watchStates(on: reactor)
    }
  }

  var observers: [ObserverEntry] {
    ReactorObservers.entries(of: R.self) + shared.withLock { $0.rare.observers.all }
  }

  func remove(_ entry: ObserverEntry) {
    let isFirst = shared.withLock { $0.rare.observers.remove(entry.id) != nil }
    if isFirst { ReactorObservers.unregister(entry) }
  }

  // MARK: Steps

  /// The sinks; usually there are none, which is known without a lock.
  @inlinable var steps: Sinks? {
    guard let concurrentState = concurrentStateIfMade,
      concurrentState.pointee.latestListener.load(ordering: .acquiring) != 0
    else { return nil }
    return sinks
  }

  @inlinable var sinks: Sinks? { shared.withLock { $0.sinks } }

  /// Passes a step to the sinks, if there are any.
  @inlinable
  func notify(_ step: @autoclosure () -> Step) { steps?.receive(step()) }

  /// Records a turn that is listened to in the ledger, and notifies the sinks, if there are any,
  /// that it begins.
  ///
  /// Without sinks, too: the turn's effect may end within it, and the action must not settle before
  /// the end of the turn has published it.
  @inlinable
  func notifyTaken(_ turn: inout Turn<R.Action>) {
    if !turn.isInLedger { ledger.begin(turn.number) }
    turn.isInLedger = true
    guard let steps else { return }
    steps.receive(.taken(turn.action, number: turn.number, arrival(of: turn)))
  }

  /// How an action arrived that is about to be performed.
  @inlinable
  func arrival(of turn: Turn<R.Action>) -> StepArrival {
    let origin = turn.number < HookActionNumber.first ? nil : ledger.origin(of: turn.number)
    return StepArrival(
      context: turn.context, origin: origin == turn.number ? nil : origin,
      behind: Int(clamping: inbox.nextNumber &- turnState.taken))
  }

  /// Notifies the sinks that a mutation was reduced.
  @inlinable
  func notifyReduced(_ mutation: R.Mutation, _ state: R.State, of number: UInt64?) {
    notify(
      .reduced(
        mutation, state,
        StepReduction(version: version, action: number, effect: details.emitting)))
  }

  /// Notifies the sinks how an action will end, and the action of which a hook made it.
  @usableFromInline
  func notifyOutcome(_ end: ActionOutcome, of number: UInt64) {
    guard let steps else { return }
    steps.receive(.noted(number: number, end))
    let origin = ledger.origin(of: number)
    if origin != number, let end = ledger.end(of: origin) {
      steps.receive(.noted(number: origin, end))
    }
  }
}

// MARK: - The output stage

/// The stage that everything passes that leaves a journaled reactor.
@usableFromInline
package typealias PipelineOutputStage<R: Reactor> = any OutputStage<R.Mutation, R.State, R.Output>

extension Engine: StagedEngine {
  /// Known where the reactor's type is known: a reactor that is not journaled has no code for a
  /// stage.
  @inlinable static var isJournaled: Bool { R.isJournaled }

  /// The stage, once a journal has opened the reactor; for code on the reactor.
  @inlinable var outputStage: PipelineOutputStage<R>? {
    Self.isJournaled ? turnState.details?.pointee.outputStage : nil
  }

  /// The same for any thread.
  @usableFromInline var sharedOutputStage: PipelineOutputStage<R>? {
    Self.isJournaled ? rareIfMade { $0.outputStage } ?? nil : nil
  }

  /// Makes states and outputs leave through the stage, when the reactor begins.
  @usableFromInline
  func begin(through stage: PipelineOutputStage<R>) {
    let (input, outlet) = (details.hooks?.inputs.states, outlet)
    details.reducedStates = input ?? outlet
    stage.begin(in: self)
    guard input == nil, let state = turnState.state else { return }
    // The outlet keeps the newest state that may be visible, for subscribers that come later.
    outlet.keepNewest()
    outlet.publish(state, number: version)
  }

  /// Reports a mutation to the stage, which releases the state after it.
  @usableFromInline
  func pass(
    _ mutation: R.Mutation, of number: UInt64?, through stage: PipelineOutputStage<R>
  ) {
    guard let view else { return }
    notifyReduced(mutation, view.state, of: number)
    if !view.isShown { details.noteState() }
    stage.reduced(mutation, to: view, of: number)
  }

  /// Returns once everything reduced so far may be visible outside.
  ///
  /// - Parameters:
  ///   - isAsked: Whether this is requested explicitly.
  ///   - limit: How long an ask may still wait.
  ///   - number: The action of the ask.
  /// - Throws: The reason why it will never be visible; `CancellationError`; ``AskError`` when the
  ///   time is over.
  @usableFromInline
  nonisolated(nonsending) func passStage(
    isAsked: Bool = false, within limit: AskLimit? = nil, asked number: UInt64? = nil
  ) async throws {
    guard let stage = sharedOutputStage else { return }
    if let latch = await withReactor({ _ in stage.latch(isAsked: isAsked) }) ?? nil {
      let timer = limit.map { AskTimer($0, opening: latch) }
      await latch.wait()
      if let limit, timer?.hasFired() == true {
        throw AskError(identity, number, .timedOut(limit.limit))
      }
      if Task.isCancelled { throw stage.failure ?? CancellationError() }
    }
    if let failure = stage.failure { throw failure }
  }

  /// Returns once everything reduced so far is durable, for an effect.
  @usableFromInline
  nonisolated(nonsending) func waitUntilDurable(_ run: Run) async throws {
    guard Self.isJournaled, reactor != nil else { return }
    if run.isCancelled { throw CancellationError() }
    try await passStage(isAsked: true)
  }

  @usableFromInline var actor: (any Actor)? { reactor }

  @usableFromInline var isWorkEnded: Bool {
    concurrentStateIfMade?.pointee.ledger.isEmpty != false
  }

  @usableFromInline var view: StagedView<R.State>? {
    turnState.state.map { state in
      StagedView(
        state: state, version: version, isShown: !isHolding,
        isObserved: turnState.details?.pointee.reducedStates?.hasDemand.load(ordering: .relaxed)
          == true)
    }
  }

  /// Lets an item leave the reactor, through the stage if there is one.
  @usableFromInline
  func releaseViaStage(_ item: StagedItem<R.State, R.Output>) {
    if let outputStage { outputStage.leave(item) } else { release(item) }
  }

  @usableFromInline
  func release(_ item: StagedItem<R.State, R.Output>) {
    switch item {
    case .state(let state, let version):
      turnState.details?.pointee.reducedStates?.publish(state, number: version)
    // The listener to the outputs has made the concurrent state.
    case .output(let output): if concurrentStateIfMade != nil { events.publish(output: output) }
    case .milestone(_, _, let reached): reached()
    case .end(let finish): finish()
    }
  }

  @usableFromInline
  func durable(upTo sequence: Int) { notify(.durable(upTo: sequence)) }

  @usableFromInline
  func report(_ problem: ReactorReport.Problem) { report(problem, nil) }
}
