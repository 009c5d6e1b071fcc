public import ReactorMachines
import Synchronization

/// The hooks, called once each when the pipeline starts, and what comes out of them.
extension PipelineCore {
  /// Known when the reactor's type is: a reactor without the hook has no code for it.
  @inlinable
  static var hasActionHook: Bool { R.ActionSequence.self != ReactorActions<R>.self }

  @inlinable
  static var hasMutationHook: Bool { R.MutationSequence.self != ReactorMutations<R>.self }

  /// Whether a hook stands before a turn or in it: else the action that is being taken is the last
  /// one out of the inbox, unless it has waited in a lane.
  @inlinable
  static var hasTurnHook: Bool { hasActionHook || hasMutationHook }

  /// Whether an action may begin later than it is taken: a hook or a lane may keep it.
  @inlinable
  static var mayBeginLater: Bool { hasTurnHook || hasLanes }

  @inlinable
  static var hasStateHook: Bool { R.StateSequence.self != ReactorStates<R>.self }

  /// Calls the hooks where no type says that the author has written one.
  ///
  /// A hook that returns what it was given has the default's type, so it may be the author's all
  /// the same: its body runs once, for what else it does, and what it returns is not needed.
  @inlinable
  func callUnwrittenHooks(on reactor: isolated R) {
    _ = reactor.transform(action: ReactorActions(channel: nil))
    _ = reactor.transform(mutation: ReactorMutations(channel: nil))
    _ = reactor.transform(state: ReactorStates(stream: StateStream(source: self)))
  }

  // MARK: inbox ─▶ transform(action:) ─▶ mutate

  /// The hook over the actions has passed one on.
  @usableFromInline
  func hookPassedOn(_ number: UInt64) {
    if steps != nil {
      guard let reactor else { return endUnseen(number) }
      // Sinks receive on the reactor that it has ended. A task of its own goes there: the job of
      // the reactor may be at its end, which waits for just this action.
      PipelineTasks.make { await self.endPassedOn(number, on: reactor) }
      return
    }
    // Without the sinks: one that is added at this moment receives on the reactor, and this is not.
    endUnseen(number)
    // A mark may have waited for it, and no action may be there for which a job would come.
    if hasMail.load(ordering: .acquiring), let reactor, inbox.requestJob() { wake(reactor) }
  }

  private func endPassedOn(_ number: UInt64, on reactor: isolated R) {
    endWork(of: number)
    readMail(on: reactor)
  }

  /// A piece of an action's work has ended, and no sink receives that: there was none, or the
  /// reactor's release ends everything for the sinks, perhaps at this moment, on another thread.
  private func endUnseen(_ number: UInt64) { endPiece(of: number)?.open() }

  /// A further action that a hook made of one has settled.
  @usableFromInline
  func twinEnded(of number: UInt64) {
    if isGone { endUnseen(number) } else { endWork(of: number) }
  }

  @inlinable
  func hookActions(on reactor: isolated R, in hooks: Hooks) {
    guard Self.hasActionHook else {
      _ = reactor.transform(action: ReactorActions(channel: nil))
      return
    }
    let input = HookChannel<R.Action>(
      passedOn: { [weak self] in self?.hookPassedOn($0) },
      claimedAgain: { [weak self] in self?.report(.hookInputIteratedTwice(.action), nil) })
    hooks.inputs.actions = input
    let output = HandedOver(reactor.transform(action: ReactorActions(channel: input)))
    hooks.inputs.tasks.append(
      PipelineTasks.make { [weak self] in
        input.begin()
        defer { input.end() }
        let hasEnded = await output.forEach { [weak self] action in
          await self?.takeFromHook(action, input: input) ?? false
        }
        guard hasEnded, !input.isFinished else { return }
        self?.report(.hookEnded(.action), nil)
        while let action = await input.next() {
          guard await self?.takeFromHook(action, input: input) == true else { return }
        }
      })
  }

  @inlinable
  func takeFromHook(_ action: R.Action, input: HookChannel<R.Action>) async -> Bool {
    guard let reactor else { return false }
    return await takeFromHook(action, input: input, on: reactor)
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
    if Self.hasMutationHook {
      await takeThroughHook(action, number: number, with: context, on: reactor)
    } else if SimulatedExecutor.isActive {
      await takeOneByOne(action, number: number, with: context, on: reactor)
    } else {
      if Self.hasLanes { startReady(on: reactor) }
      take(action, number: number, with: context, on: reactor)
    }
    if Self.hasLanes { startReady(on: reactor) }
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
    ledger.include(
      twin, in: number, Latch { [weak self] in self?.twinEnded(of: number) })
    watch(for: twin)
    return twin
  }

  // MARK: mutate ─▶ transform(mutation:) ─▶ reduce

  @inlinable
  func hookMutations(on reactor: isolated R, in hooks: Hooks) {
    guard Self.hasMutationHook else {
      _ = reactor.transform(mutation: ReactorMutations(channel: nil))
      return
    }
    let input = HookChannel<R.Mutation>(
      passedOn: { _ in },
      claimedAgain: { [weak self] in self?.report(.hookInputIteratedTwice(.mutation), nil) })
    hooks.inputs.mutations = input
    let output = HandedOver(reactor.transform(mutation: ReactorMutations(channel: input)))
    hooks.inputs.tasks.append(
      PipelineTasks.make { [weak self] in
        input.begin()
        defer { input.end() }
        let hasEnded = await output.forEach { [weak self] mutation in
          guard let self, let reactor = self.reactor else { return false }
          return await self.reduceFromHook(mutation, input: input, on: reactor)
        }
        guard hasEnded, !input.isFinished else { return }
        self?.report(.hookEnded(.mutation), nil)
        while let mutation = await input.next() {
          guard let self, let reactor = self.reactor,
            await self.reduceFromHook(mutation, input: input, on: reactor)
          else { return }
        }
      })
  }

  @inlinable
  func reduceFromHook(
    _ mutation: R.Mutation, input: HookChannel<R.Mutation>, on reactor: isolated R
  ) -> Bool {
    guard phase != .stopped, details.hooks?.inputs.mutations === input else { return false }
    readMail(on: reactor)
    let isObserved = own.around.contains(.observers)
    if isObserved { details.emitting = effectInHook(input) }
    if hasCompany, let context = input.currentContext {
      reduce(mutation, in: context, input: input, on: reactor)
    } else {
      reduce(mutation, of: numberInHook(input), on: reactor)
    }
    if isObserved { details.emitting = nil }
    return true
  }

  /// The effect whose mutation the hook has in its hands, if that is known.
  @usableFromInline
  func effectInHook(_ input: HookChannel<R.Mutation>) -> ObjectIdentifier? {
    guard case .mutation(_, let effect, _) = input.currentOwned else { return nil }
    return effect.map { ObjectIdentifier($0) }
  }

  @usableFromInline
  func reduce(
    _ mutation: R.Mutation, in context: ActionContext, input: HookChannel<R.Mutation>,
    on reactor: isolated R
  ) {
    context.run { reduce(mutation, of: numberInHook(input), on: reactor) }
  }

  /// Whose mutation the hook has in its hands, if that is known; asked only for who listens, and
  /// for what is written down.
  @usableFromInline
  func numberInHook(_ input: HookChannel<R.Mutation>) -> UInt64? {
    guard let details = own.details,
      details.pointee.sinks != nil || details.pointee.outputStage != nil
    else { return nil }
    return switch input.currentOwned {
    case .turn: taking
    case .mutation(_, let effect, _): effect?.number
    case .action, .outside, nil: nil
    }
  }

  // MARK: reduce ─▶ transform(state:) ─▶ outlet

  @usableFromInline
  func hookStates(on reactor: isolated R, in hooks: Hooks) {
    guard Self.hasStateHook else {
      _ = reactor.transform(state: ReactorStates(stream: StateStream(source: self)))
      return
    }
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
    show(shaped, from: place, in: outlet, until: end, progress)
  }

  /// Shows what comes out of the hook; when that ends early, what goes in.
  private func show(
    _ shaped: HandedOver<R.State>, from place: StateReservation<R.State>,
    in outlet: StateBroadcaster<R.State>, until end: StateHookEnd, _ progress: RelayProgress
  ) {
    let input = place.subscription.broadcaster
    let publish = { @Sendable (state: R.State) in
      outlet.publishNext(state)
      // A hook that makes one of each has taken no other since.
      progress.pass(input.version(at: place.subscription.cursor), shown: outlet.latestVersion)
    }
    let task = PipelineTasks.make { [weak self] in
      _ = await shaped.forEach { state in
        publish(state)
        end.showed()
        return true
      }
      // It has ended too early if its input goes on, or has states that it never asked for.
      var isReported = !input.isFinished
      if isReported { self?.report(.hookEnded(.state), nil) }
      while let state = await place.subscription.next() {
        if !isReported { self?.report(.hookEnded(.state), nil) }
        isReported = true
        publish(state)
      }
      outlet.finish()
      progress.finish()
    }
    end.begin(task)
  }
}

extension Reactor {
  /// Calls the hooks, here and now, in a task of their own.
  ///
  /// The pipeline may begin in the task of somebody who waits, or looks at the state. What a hook
  /// makes, a task above all, must not have that one's task-local values. In a simulation a task
  /// does not begin in place; there the hooks are called by whoever it is.
  @inlinable
  func callHooks(of core: PipelineCore<Self>, _ hooks: PipelineCore<Self>.Hooks) {
    if !SimulatedExecutor.isActive {
      _ = PipelineTasks.makeImmediate { core.callHooks(hooks, on: self) }
    }
    // On an executor that does not know itself, it would begin later: too late for what is next.
    core.callHooks(hooks, on: self)
  }
}
