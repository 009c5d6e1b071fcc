public import ReactorMachines
public import ReactorRuntime
public import Synchronization

/// Effects: how one begins within the turn of its action, what happens to the mutations that it
/// emits, and how it ends.
///
/// A body that uses the reactor runs on it, any other outside it; see `EffectStart.swift`. An
/// effect is in the ledger, and has its slot in its lane, before its body runs.
extension Engine {
  // MARK: Beginning an effect

  /// Carries out a stream that is composed of others.
  @inlinable @inline(never)
  func begin(_ tree: EffectTree, of turn: Turn<R.Action>, on reactor: isolated R) {
    let stream = MutationStream<R.Mutation>(.tree(tree))
    if let mutations = stream.atOnce {
      for mutation in mutations { reduceAtOnce(mutation, of: turn.number, on: reactor) }
    } else if tree.startsSeparately {
      beginParts(of: tree, turn, on: reactor)
    } else {
      start(register(turn, on: reactor), stream, on: reactor)
    }
  }

  /// Begins several effects at a time, or one that has its own priority, or one that a drain
  /// cancels.
  @usableFromInline
  func beginParts(of tree: EffectTree, _ turn: Turn<R.Action>, on reactor: isolated R) {
    let parts =
      tree.shape == .merge
      ? tree.mergedParts.map { MutationStream<R.Mutation>(part: $0) }
      : [MutationStream(.tree(tree))]
    let runs = parts.map { part in
      let run = register(turn, on: reactor)
      run.isCancelledByDrain = part.traits.isCancelledByDrain
      return run
    }
    for (run, part) in zip(runs, parts) {
      if run.isCancelled || run.isCancelledByDrain && phase == .draining {
        note(
          run.isCancelled ? .cancelled : runs.count == 1 ? .neverBegun : .reactorEnded,
          of: run.number)
        run.end()
        leave(run, on: reactor)
      } else {
        start(run, part, with: part.traits.priority, on: reactor)
      }
    }
  }

  /// Creates an effect of the turn's action, and registers it with the ledger and the lane.
  @inlinable
  func register(_ turn: Turn<R.Action>, on reactor: isolated R) -> Run {
    let run = Run(
      turn.action, number: turn.number, owner: self, ownerActorID: ObjectIdentifier(reactor))
    run.since = WorkTime.ticks
    if Self.hasLanes {
      run.slot = details.lanes.takeSlot(for: run.number)
    }
    ledger.begin(run.number, run)
    return run
  }

  /// The running effects of an action.
  @inlinable
  func runs(of number: UInt64) -> [Run] { ledger.works(of: number).map(Self.run) }

  /// The running effects of all actions.
  @inlinable
  func runs() -> [Run] { ledger.works().map(Self.run) }

  /// The works in this engine's ledger are its effects.
  @inlinable
  static func run(_ work: LedgerWork) -> Run { unsafeDowncast(work, to: Run.self) }

  /// Starts an effect: it runs up to its first suspension before this returns.
  ///
  /// Its task inherits no task-local values from the task that takes the turn, but its priority,
  /// unless the effect has one of its own. The context of its action is bound around its body.
  @inlinable
  func start(
    _ run: Run, _ stream: MutationStream<R.Mutation>, with priority: TaskPriority? = nil,
    on reactor: isolated R
  ) {
    notify(.effectBegun(number: run.number))
    // Then there are no task-local values to copy, and the priority is inherited at no cost.
    let hasTurnContext = turnState.details?.pointee.turnContext != nil
    let isClean = priority == nil && !turnState.isInWaitingTask && !hasTurnContext
    if hasTurnContext || bindsAskingWork { run.context = contextOfEffect(run) }
    if stream.isIsolated(to: reactor) {
      run.body = stream.body(isolatedTo: reactor)
      starting = run
      run.attachTask(reactor.startOnReactor(run, isClean: isClean, with: priority))
      starting = nil
    } else {
      run.body = stream.body()
      var startBuffer = EffectStartBuffer<R.Mutation>()
      withUnsafeMutablePointer(to: &startBuffer) { startBuffer in
        run.startBuffer = startBuffer
        run.attachTask(run.startOffReactor(isClean: isClean, with: priority))
      }
      for mutation in startBuffer.mutations { reduceEmitted(mutation, of: run, on: reactor) }
      if let ending = startBuffer.ending.take() {
        ended(run, ending, on: reactor)
      } else if !Self.hasMutationHook, !Self.hasLanes || run.slot == nil {
        // Not before the mutations of its start are reduced, since its end would overtake them.
        run.mayEndOffReactor.store(true, ordering: .releasing)
      }
    }
    // It may have been cancelled before it had a task.
    if run.isCancelled { run.cancel() }
  }

  /// Whether the effect that is being started needs to know its action, because an ask may wait for
  /// it.
  @inlinable var bindsAskingWork: Bool {
    if AskWaitGraph.hasBeenUsed.load(ordering: .relaxed) { return true }
    return Self.hasLanes && turnState.details?.pointee.lanes.mayBlock == true
  }

  /// The context in which an effect's body runs.
  ///
  /// **Extension point**, with ``performInContext(_:on:)`` around `mutate`: code that has to be
  /// around both, and can bind task-local values, belongs here.
  @usableFromInline
  func contextOfEffect(_ run: Run) -> ActionContext? {
    var context = turnState.details?.pointee.turnContext
    if let turn = context, let observers = turnState.details?.pointee.observers {
      context = observers.context(aroundEffect: ObjectIdentifier(run), of: run.number, in: turn)
    }
    guard bindsAskingWork else { return context }
    AskWaitGraph.noteBoundWork()
    let work = BoundTaskLocal(AskingWork.$current, AskingWork(self, run.number))
    return (context ?? .none).ofWork(with: [work])
  }

  // MARK: Emitting

  /// Reduces a mutation in place if possible: on the reactor, or while the effect is still inside
  /// the turn of its action.
  ///
  /// - Returns: Whether it was; or the reactor on which it can be reduced; or that
  ///   ``deliver(_:of:isolation:)`` has to take it there.
  @inlinable
  func takeEmitted(
    _ mutation: R.Mutation, of run: Run, from isolation: (any Actor)?
  ) -> EmittedMutation {
    let status = run.status.load(ordering: .acquiring)
    if status == .cancelled { run.cancelDuringStart() }
    if status == .cancelled || status == .endedCancelled { return .taken }
    if Self.hasMutationHook {
      // Counted here, before the effect can suspend: the turn may be waiting for it.
      run.mutationsInHook.add(1, ordering: .relaxed)
      return .unacceptable
    }
    if status == .ended { return .unacceptable }
    guard let address = run.ownerActorAddress(ifIsolatedTo: isolation) else {
      if run.buffer(mutation) { return .taken }
      return reactor.map { .acceptable(at: $0) } ?? .unacceptable
    }
    // The effect is live, so the reactor exists, and nothing else can be at its address. The
    // emitting task keeps it alive during this call, so it need not be retained.
    Unmanaged<R>.fromOpaque(address)._withUnsafeGuaranteedRef {
      IsolatedReducing<R>.reduce(mutation, of: run, on: $0)
    }
    return .taken
  }

  @inlinable
  func deliver(
    _ mutation: R.Mutation, of run: Run, isolation: isolated (any Actor)?
  ) async {
    guard let reactor else { return }
    if Self.hasMutationHook {
      await passThroughHook(mutation, of: run, on: reactor)
    } else {
      await reduceEmitted(mutation, of: run, on: reactor)
    }
  }

  /// Reduces a mutation that an effect has emitted into the state, unless the effect was cancelled
  /// or is over.
  @inlinable
  func reduceEmitted(_ mutation: R.Mutation, of run: Run, on reactor: isolated R) {
    guard isWanted(mutation, of: run, on: reactor) else { return }
    // Observers are notified which effect has emitted it.
    let isObserved = turnState.features.contains(.observers)
    if isObserved { details.emitting = ObjectIdentifier(run) }
    reduce(mutation, of: run.number, on: reactor)
    if isObserved { details.emitting = nil }
  }

  /// Whether an effect may still emit; an effect that emits after its end is reported.
  @inlinable @inline(__always)
  func isWanted(_ mutation: R.Mutation, of run: Run, on reactor: isolated R) -> Bool {
    processRequests(on: reactor)
    switch run.status.load(ordering: .acquiring) {
    case .live: return true
    case .cancelled, .endedCancelled: return false
    case .ended:
      report(.emittedTooLate(mutation), run.action, run.number)
      return false
    }
  }

  /// Passes an effect's mutation through the hook, and returns once the hook has passed it on.
  @inlinable
  func passThroughHook(_ mutation: R.Mutation, of run: Run, on reactor: isolated R) async {
    if isWanted(mutation, of: run, on: reactor), let input = details.hooks?.inputs.mutations {
      let latch = Latch()
      let context = mayHaveContext ? contextOfCaller() : nil
      if !input.push(mutation, ticket: .mutation(latch, of: run, in: context)) {
        note(.reactorEnded, of: run.number)
        report(.mutationDropped(mutation), run.action, run.number)
      }
      await latch.wait()
    }
    run.mutationsInHook.subtract(1, ordering: .relaxed)
    // The waiting turn continues when this effect next suspends: it is resumed from here, on the
    // reactor, which the effect is about to occupy.
    run.hookLatch?.open()
  }

  // MARK: Ending an effect

  @inlinable
  func ended(_ run: Run, _ ending: EffectEnding) async {
    if let reactor {
      await ended(run, ending, on: reactor)
    } else {
      _ = endsOffReactor(run, ending)
    }
  }

  /// Ends an effect where it is, if nothing of the reactor's but its action depends on its end.
  ///
  /// Hopping to a busy reactor would block one thread and schedule another.
  ///
  /// - Returns: Whether it has ended.
  @inlinable
  func endsOffReactor(_ run: Run, _ ending: EffectEnding) -> Bool {
    if isReactorReleased {
      // Its last mutations have been lost.
      note(run.isCancelled ? .cancelled : .reactorEnded, of: run.number)
    } else {
      // Sinks receive it on the reactor.
      guard run.mayEndOffReactor.load(ordering: .acquiring), steps == nil else { return false }
      if run.isCancelled {
        note(.cancelled, of: run.number)
      } else if case .failed = ending {
        // Only the reactor knows whether the effect was cancelled before that.
        return false
      }
    }
    run.end()
    ledger.end(run.number, run)?.open()
    return true
  }

  @inlinable
  func ended(_ run: Run, _ ending: EffectEnding, on reactor: isolated R) {
    guard !run.hasEnded else { return }
    if case .failed(let error) = ending {
      // It may have been cancelled by a thread whose request is still pending.
      processRequests(on: reactor)
      partFailed(run, with: error)
    }
    if run.isCancelled { note(.cancelled, of: run.number) }
    let end = ending.end(run.isCancelled)
    run.end()
    notify(.effectEnded(ObjectIdentifier(run), number: run.number, end))
    leave(run, on: reactor)
  }

  /// An effect has ended: it leaves the ledger, and its slot in its lane.
  @inlinable
  func leave(_ run: Run, on reactor: isolated R) {
    endWork(of: run.number, run)
    if Self.hasLanes, let slot = run.slot {
      carryOut(details.lanes.leave(slot), on: reactor)
      startReady(on: reactor)
      removeUnused(on: reactor)
    }
  }

  /// An effect has failed, or a part of it while the others continue.
  @usableFromInline
  func partFailed(_ run: Run, with error: any Error) {
    guard !run.isCancelled, reactor != nil else { return }
    guard !(error is CancellationError) else { return note(.cancelled, of: run.number) }
    note(.failed(error), of: run.number)
    if !(error is any ExpectedError) { report(.effectFailed(error), run.action, run.number) }
  }
}

// MARK: - Hooks

/// The hooks, called once each when the reactor begins, and the processing of their output.
extension Engine {
  /// Known where the reactor's type is known: a reactor without the hook has no code for it.
  @inlinable static var hasActionHook: Bool { R.ActionSequence.self != ReactorActions<R>.self }

  @inlinable static var hasMutationHook: Bool {
    R.MutationSequence.self != ReactorMutations<R>.self
  }

  @inlinable static var hasStateHook: Bool { R.StateSequence.self != ReactorStates<R>.self }

  /// Whether there is a hook before a turn or inside it.
  ///
  /// If not, the action that is being taken is the last one dequeued, unless it has waited in a
  /// lane.
  @inlinable static var hasTurnHook: Bool { hasActionHook || hasMutationHook }

  /// Calls the hooks in the order of the flow, each once.
  ///
  /// A hook that returns its argument unchanged has the type of the default hook, but may be the
  /// author's. So its body runs once, for its side effects, and its result is not needed.
  ///
  /// - Parameters:
  ///   - hooks: `nil` if no type says that the author has written a hook.
  ///   - reactor: The reactor.
  @inlinable
  func callHooks(_ hooks: Hooks?, on reactor: isolated R) {
    if let hooks, hooks.turns.areCalled { return }
    hooks?.turns.areCalled = true
    if Self.hasActionHook, let hooks {
      hooks.inputs.actions = hooks.iterate(
        .action, passedOn: { [weak self] in self?.hookPassedOn($0) }
      ) { input in
        TransferredSequence(reactor.transform(action: ReactorActions(channel: input)))
      } taking: { [weak self] action, input in
        guard let self, let reactor = self.reactor else { return false }
        return await self.takeFromHook(action, input: input, on: reactor)
      }
    } else {
      _ = reactor.transform(action: ReactorActions(channel: nil))
    }
    if Self.hasMutationHook, let hooks {
      hooks.inputs.mutations = hooks.iterate(.mutation, passedOn: { _ in }) { input in
        TransferredSequence(reactor.transform(mutation: ReactorMutations(channel: input)))
      } taking: { [weak self] mutation, input in
        guard let self, let reactor = self.reactor else { return false }
        return await self.reduceFromHook(mutation, input: input, on: reactor)
      }
    } else {
      _ = reactor.transform(mutation: ReactorMutations(channel: nil))
    }
    if Self.hasStateHook, let hooks {
      hookStates(on: reactor, in: hooks)
    } else {
      _ = reactor.transform(state: ReactorStates(stream: StateStream(source: self)))
    }
  }

  // MARK: inbox ─▶ transform(action:) ─▶ mutate

  /// The hook over the actions has passed an action on, or a further action that it made of one has
  /// settled.
  @usableFromInline
  func hookPassedOn(_ number: UInt64) {
    if steps != nil, let reactor {
      // Sinks receive the end on the reactor. A separate task hops there: the reactor's job may be
      // in its end, which waits for this action.
      let end = { @Sendable (reactor: isolated R) in
        self.endWork(of: number)
        self.processRequests(on: reactor)
      }
      PipelineTasks.make { await end(reactor) }
      return
    }
    // Without sinks, nothing is notified here. A sink that is added at this moment receives on the
    // reactor, and this code does not run there. The release of the reactor ends everything for the
    // sinks.
    ledger.end(number)?.open()
    // A mark may have waited for it, and there may be no action for which a job would be made.
    if !isReactorReleased, hasRequests.load(ordering: .acquiring) { requestJob() }
  }

  @inlinable
  func takeFromHook(
    _ action: R.Action, input: HookChannel<R.Action>, on reactor: isolated R
  ) async -> Bool {
    // The reactor may have begun again meanwhile, with another hook.
    guard phase != .stopped, details.hooks?.inputs.actions === input else {
      report(.actionDropped, action, input.currentAction)
      return false
    }
    processRequests(on: reactor)
    let known = input.currentAction
    if Self.hasLanes, let known { details.lanes.removeCancellations(before: known) }
    let context = mayHaveContext ? input.currentContext : nil
    let turn = Turn(action, number: numberFromHook(known), with: context)
    if Self.takesAtOnce {
      startReady(on: reactor)
      take(turn, on: reactor)
    } else {
      await takeSuspending(turn, on: reactor)
    }
    startReady(on: reactor)
    return true
  }

  /// Returns the number for an action that the hook has returned.
  ///
  /// - Parameter number: The action that the hook has; `nil` if it created the new one without an
  ///   input element. In lanes each action needs its own number, so from the second one on the
  ///   number is a new one.
  /// - Returns: The number.
  @inlinable
  func numberFromHook(_ number: UInt64?) -> UInt64 {
    if let number, !Self.hasLanes || details.hooks?.turns.lastFromHook != number {
      details.hooks?.turns.lastFromHook = number
      return number
    }
    details.hookActionCount &+= 1
    let further = HookActionNumber.first | details.hookActionCount
    guard let number else { return further }
    ledger.addFurtherAction(
      further, of: number, Latch { [weak self] in self?.hookPassedOn(number) })
    checkForWaiters(from: further)
    return further
  }

  // MARK: mutate ─▶ transform(mutation:) ─▶ reduce

  @inlinable
  func reduceFromHook(
    _ mutation: R.Mutation, input: HookChannel<R.Mutation>, on reactor: isolated R
  ) -> Bool {
    guard phase != .stopped, details.hooks?.inputs.mutations === input else { return false }
    processRequests(on: reactor)
    // The origin is looked up only if something needs it.
    let isAsked = mayHaveContext || steps != nil || details.outputStage != nil
    let ticket = isAsked ? input.currentOwned : nil
    let number = if case .turn = ticket { taking } else { ticket?.number }
    if turnState.features.contains(.observers) {
      details.emitting = ticket?.effect.map { ObjectIdentifier($0) }
    }
    if let context = ticket?.context {
      context.run { reduce(mutation, of: number, on: reactor) }
    } else {
      reduce(mutation, of: number, on: reactor)
    }
    details.emitting = nil
    return true
  }

  // MARK: reduce ─▶ transform(state:) ─▶ outlet

  @usableFromInline
  func hookStates(on reactor: isolated R, in hooks: Hooks) {
    let outlet = outlet
    outlet.keepNewest()
    let place = hooks.openStates(to: outlet, of: self)
    details.reducedStates = place.broadcast
    showToNewSubscribers()
    let states = ReactorStates<R>(stream: StateStream(source: place, reserved: place))
    hooks.show(TransferredSequence(reactor.transform(state: states)), from: place, in: outlet)
  }
}
