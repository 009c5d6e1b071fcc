public import ReactorMachines
import Synchronization

/// The hooks, called once each when the reactor begins, and what comes out of them.
extension PipelineCore {
  /// Known when the reactor's type is: a reactor without the hook has no code for it.
  @inlinable static var hasActionHook: Bool { R.ActionSequence.self != ReactorActions<R>.self }

  @inlinable static var hasMutationHook: Bool {
    R.MutationSequence.self != ReactorMutations<R>.self
  }

  @inlinable static var hasStateHook: Bool { R.StateSequence.self != ReactorStates<R>.self }

  /// Whether a hook stands before a turn or in it: else the action that is being taken is the last
  /// one out of the inbox, unless it has waited in a lane.
  @inlinable static var hasTurnHook: Bool { hasActionHook || hasMutationHook }

  /// Whether an action may begin later than it is taken: a hook or a lane may keep it.
  @inlinable static var mayBeginLater: Bool { hasTurnHook || hasLanes }

  /// Calls the hooks in the order of the flow, each once.
  ///
  /// A hook that returns what it was given has the default's type, so it may be the author's all
  /// the same: its body runs once, for what else it does, and what it returns is not needed.
  ///
  /// - Parameters:
  ///   - hooks: `nil` where no type says that the author has written one.
  ///   - reactor: The reactor.
  @inlinable
  func callHooks(_ hooks: Hooks?, on reactor: isolated R) {
    if let hooks, hooks.turns.areCalled { return }
    hooks?.turns.areCalled = true
    if Self.hasActionHook, let hooks {
      hookActions(on: reactor, in: hooks)
    } else {
      _ = reactor.transform(action: ReactorActions(channel: nil))
    }
    if Self.hasMutationHook, let hooks {
      hookMutations(on: reactor, in: hooks)
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

  @inlinable
  func hookActions(on reactor: isolated R, in hooks: Hooks) {
    let input = HookChannel<R.Action>(
      passedOn: { [weak self] in self?.hookPassedOn($0) },
      claimedAgain: { [weak self] in self?.report(.hookInputIteratedTwice(.action), nil) })
    hooks.inputs.actions = input
    let output = HandedOver(reactor.transform(action: ReactorActions(channel: input)))
    let task = input.iterate(
      output, endedEarly: { [weak self] in self?.report(.hookEnded(.action), nil) }
    ) { [weak self] action in
      guard let self, let reactor = self.reactor else { return false }
      return await self.takeFromHook(action, input: input, on: reactor)
    }
    hooks.inputs.tasks.append(task)
  }

  /// The hook over the actions has passed one on, or a further action that it made of one has
  /// settled.
  @usableFromInline
  func hookPassedOn(_ number: UInt64) {
    if steps != nil, let reactor {
      // Sinks receive on the reactor that it has ended. A task of its own goes there: the job of
      // the reactor may be at its end, which waits for just this action.
      PipelineTasks.make { await self.endPassedOn(number, on: reactor) }
      return
    }
    // Without the sinks: one that is added at this moment receives on the reactor, and this is
    // not; and the release of the reactor ends everything for the sinks.
    ledger.end(number)?.open()
    // A mark may have waited for it, and no action may be there for which a job would come.
    if !isGone, hasMail.load(ordering: .acquiring) { requestJob() }
  }

  private func endPassedOn(_ number: UInt64, on reactor: isolated R) {
    endWork(of: number)
    readMail(on: reactor)
  }

  @inlinable
  func takeFromHook(
    _ action: R.Action, input: HookChannel<R.Action>, on reactor: isolated R
  ) async -> Bool {
    // Its reactor may have begun again meanwhile, with another hook.
    guard phase != .stopped, details.hooks?.inputs.actions === input else {
      report(.actionDropped, action, input.currentAction)
      return false
    }
    readMail(on: reactor)
    let known = input.currentAction
    if Self.hasLanes, let known { details.lanes.forgetCuts(before: known) }
    let number = known.map(numberFromHook) ?? numberForUnsent()
    let context = hasCompany ? input.currentContext : nil
    if Self.takesAtOnce {
      startReady(on: reactor)
      take(action, number: number, with: context, on: reactor)
    } else {
      await takeSuspending(action, number: number, with: context, on: reactor)
    }
    startReady(on: reactor)
    return true
  }

  /// A number for an action that comes out of the hook while the hook has this one.
  ///
  /// In lanes each needs its own, so that is another one from the second on.
  @inlinable
  func numberFromHook(_ number: UInt64) -> UInt64 {
    guard Self.hasLanes, details.lastFromHook == number else {
      details.lastFromHook = number
      return number
    }
    let twin = numberForUnsent()
    ledger.include(twin, in: number, Latch { [weak self] in self?.hookPassedOn(number) })
    watch(for: twin)
    return twin
  }

  /// A number for an action that was not sent: a hook made it.
  @inlinable
  func numberForUnsent() -> UInt64 {
    details.unsent &+= 1
    return UnsentNumber.first | details.unsent
  }

  // MARK: mutate ─▶ transform(mutation:) ─▶ reduce

  @inlinable
  func hookMutations(on reactor: isolated R, in hooks: Hooks) {
    let input = HookChannel<R.Mutation>(
      passedOn: { _ in },
      claimedAgain: { [weak self] in self?.report(.hookInputIteratedTwice(.mutation), nil) })
    hooks.inputs.mutations = input
    let output = HandedOver(reactor.transform(mutation: ReactorMutations(channel: input)))
    let task = input.iterate(
      output, endedEarly: { [weak self] in self?.report(.hookEnded(.mutation), nil) }
    ) { [weak self] mutation in
      guard let self, let reactor = self.reactor else { return false }
      return await self.reduceFromHook(mutation, input: input, on: reactor)
    }
    hooks.inputs.tasks.append(task)
  }

  @inlinable
  func reduceFromHook(
    _ mutation: R.Mutation, input: HookChannel<R.Mutation>, on reactor: isolated R
  ) -> Bool {
    guard phase != .stopped, details.hooks?.inputs.mutations === input else { return false }
    readMail(on: reactor)
    // Where it comes from is looked up only for what wants to know.
    guard hasCompany || details.sinks != nil || details.outputStage != nil else {
      reduce(mutation, of: nil, on: reactor)
      return true
    }
    reduce(mutation, from: input.currentOwned, on: reactor)
    return true
  }

  @usableFromInline
  func reduce(_ mutation: R.Mutation, from ticket: HookTicket?, on reactor: isolated R) {
    var number = ticket?.number
    if case .turn = ticket { number = taking }
    if own.around.contains(.observers) {
      details.emitting = ticket?.effect.map { ObjectIdentifier($0) }
    }
    if hasCompany, let context = ticket?.context {
      context.run { reduce(mutation, of: number, on: reactor) }
    } else {
      reduce(mutation, of: number, on: reactor)
    }
    details.emitting = nil
  }

  // MARK: reduce ─▶ transform(state:) ─▶ outlet

  @usableFromInline
  func hookStates(on reactor: isolated R, in hooks: Hooks) {
    let (end, progress, outlet) = (StateHookEnd(), RelayProgress(), outlet)
    outlet.keepLatest()
    let input = StateBroadcaster<R.State> { version, isEnd in
      if isEnd { end.inputEnded() } else { progress.pass(version, shown: outlet.latestVersion) }
    }
    let place = StateReservation(input, of: self)
    hooks.inputs.states = input
    hooks.inputs.statesEnd = end
    hooks.inputs.statesProgress = progress
    details.live = input
    showToNewcomers()
    let states = ReactorStates<R>(stream: StateStream(source: place, reserved: place))
    let shaped = HandedOver(reactor.transform(state: states))
    let task = Hooks.show(shaped, from: place, in: outlet, until: end, progress) { [weak self] in
      self?.report(.hookEnded(.state), nil)
    }
    end.begin(task)
  }

  // MARK: The end

  /// Ends what goes into the hooks; what they never saw is given up.
  @usableFromInline
  func end(_ hooks: Hooks) {
    let actions = hooks.inputs.actions?.finish { held in
      // What has come out of the hook already ends by itself.
      guard let number = held.number, number != details.lastFromHook else { return }
      note(.neverBegun, of: number)
    } willDrop: { item in
      if let number = item.ticket.number { note(.neverBegun, of: number) }
    }
    for (action, ticket) in actions ?? [] { report(.actionDropped, action, ticket.number) }
    finishMutations(of: hooks)
    for task in hooks.inputs.tasks { task.cancel() }
  }

  /// Ends the input of `transform(mutation:)`, from any thread.
  func finishMutations(of hooks: Hooks?) {
    let dropped = hooks?.inputs.mutations?.finish(willDrop: { item in
      guard let effect = item.ticket.effect, !effect.isCancelled else { return }
      note(.reactorEnded, of: effect.number)
    })
    for (mutation, ticket) in dropped ?? [] where ticket.effect?.isCancelled != true {
      report(.mutationDropped(mutation), nil, ticket.number)
    }
  }
}

extension Reactor {
  /// Calls the hooks, here and now, in a task of their own.
  ///
  /// The reactor may begin in the task of something that waits, or looks at the state. What a hook
  /// makes, a task above all, must not have that one's task-local values. In a simulation a task
  /// does not begin in place; there the hooks are called by whatever task it is.
  @inlinable
  func callHooks(of core: PipelineCore<Self>, _ hooks: PipelineCore<Self>.Hooks) {
    if !SimulatedExecutor.isActive {
      _ = PipelineTasks.makeImmediate { core.callHooks(hooks, on: self) }
    }
    // On an executor that does not know itself, it would begin later: too late for what is next.
    core.callHooks(hooks, on: self)
  }
}
