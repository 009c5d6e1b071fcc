public import ReactorMachines
public import ReactorRuntime
import Synchronization

/// How an action is accepted: it is prepared, and admitted by the inbox.
///
/// Then the reactor is scheduled, or the refusal is reported.
extension Engine {
  // MARK: The context of an action

  /// Whether actions may have a context.
  ///
  /// For most reactors, they usually have none.
  @inlinable var mayHaveContext: Bool { ContextDemand.isAny || carries }

  /// Creates the context of an action that the caller sends; must not be called under a lock, as it
  /// may copy any value.
  ///
  /// - Returns: The context; `nil` for nearly every action.
  @inlinable @inline(__always)
  func contextOfSender() -> ActionContext? {
    if !ContextDemand.needsSenderContext, !carries { return nil }
    return contextOfCaller(asSender: true)
  }

  /// Creates a context from the caller's task.
  @usableFromInline
  func contextOfCaller(asSender isSender: Bool = false) -> ActionContext? {
    let observed = ContextDemand.needsSenderContext ? ReactorObservers.captured() : []
    let values = carries ? observed + concurrentState.pointee.carried.capture() : observed
    let member = isSender ? ActionChain.current?.join() : nil
    let context = ActionContext(
      chain: isSender ? member?.chain : ActionChain.current, member: member,
      origin: isSender ? ReactorObservers.origin() : nil, values: values)
    return context.isNone ? nil : context
  }

  // MARK: Admitting

  /// Accepts an action, and schedules the reactor if it is asleep.
  @inlinable @inline(__always)
  func accept(_ action: R.Action, for reactor: R) -> ActionReceipt<R>.Kind {
    let context = contextOfSender()
    return handleAdmission(inbox.admit(action, with: context), action, with: context, of: reactor)
  }

  /// Accepts an action for a caller that hops to the reactor immediately and takes it.
  ///
  /// The caller replaces the job. The action's outcome is requested before the action can be
  /// dequeued.
  ///
  /// - Returns: The receipt's kind, and whether the caller has to hop to the reactor.
  @inlinable
  func acceptRequestingOutcome(
    _ action: R.Action, for reactor: R
  ) -> (kind: ActionReceipt<R>.Kind, isJob: Bool) {
    let context = contextOfSender()
    let admission = inbox.admit(action, with: context) { ledger.requestOutcome(of: $0) }
    // Not if a hook's task has turns to take, or a simulation decides the order.
    guard case .accepted(let number, true) = admission, !Self.hasMutationHook,
      !SimulatedExecutor.isAny
    else { return (handleAdmission(admission, action, with: context, of: reactor), false) }
    connect(reactor)
    if let context { track(.action(number), by: context) }
    return (.action(number), retainable(reactor) != nil)
  }

  /// Handles the admission: schedules the reactor if it is asleep, or reports the refusal.
  ///
  /// - Returns: The kind of the sender's receipt.
  @inlinable @inline(__always)
  func handleAdmission(
    _ admission: InboxMachine.Admission, _ action: R.Action, with context: ActionContext?,
    of reactor: R
  ) -> ActionReceipt<R>.Kind {
    switch admission {
    case .accepted(_, schedules: true): wake(reactor)
    // The thread that has to make the job may not have done so yet, and the receipt needs the
    // connection.
    case .accepted(_, schedules: false): connect(reactor)
    case .refused(let refusal):
      connect(reactor)
      report(refusal.problem, action)
    }
    let kind = ActionReceipt<R>.Kind(admission)
    if let context { track(kind, by: context) }
    return kind
  }

  /// Lets the chain of an action cancel it; removes a refused action from its chain.
  @usableFromInline
  func track(_ kind: ActionReceipt<R>.Kind, by context: ActionContext) {
    guard let member = context.member else { return }
    switch kind {
    case .action(let number): member.chain.setCancel(of: member) { self.cancel(number) }
    case .refused: member.leave()
    }
  }

  /// An action of a chain has been dequeued: it leaves the chain when it has settled and its
  /// results may be visible outside.
  @usableFromInline
  func registerChainMember(_ member: ChainMember, number: UInt64) {
    var leaving = Latch { member.leave() }
    if Self.isJournaled {
      leaving = Latch { [weak self] in
        guard let self else { return member.leave() }
        PipelineTasks.make {
          try? await self.passStage()
          member.leave()
        }
      }
    }
    _ = ledger.add(leaving, for: number, isTaken: false)
    checkForWaiters(from: number)
  }

  /// Passes an action through the middleware.
  ///
  /// - Returns: Why it was dropped, if it was.
  @usableFromInline
  func passMiddleware(_ turn: inout Turn<R.Action>) -> (any Error)? {
    guard let middleware = turnState.details?.pointee.middleware,
      !turnState.features.contains(.stub)
    else {
      return nil
    }
    // Middleware may be there to forbid something: it is better to trap than to skip it silently.
    guard let state = turnState.state else {
      preconditionFailure("an action before there is a state")
    }
    var reason: (any Error)?
    (turn.context ?? .none).run { reason = middleware.pass(&turn.action, turn.number, state) }
    return reason
  }
}

// MARK: - Access for code outside the target

extension Engine: EngineAccess {
  @usableFromInline typealias Owner = R

  /// Everything is read under the inbox's lock.
  ///
  /// Otherwise an action accepted meanwhile would be missed.
  @usableFromInline var activity: EngineActivity {
    inbox.contents.withLock { contents in
      let lifecycle = contents.machine.lifecycle
      if lifecycle.state == .released { return .released }
      let hasNoWork = concurrentStateIfMade?.pointee.ledger.isEmpty ?? true
      if lifecycle.hasEnded { return hasNoWork ? .ended : .ending }
      if !lifecycle.accepts { return .ending }
      let hooks = Self.hasActionHook ? sharedHooks : nil
      guard contents.machine.isAsleep, hasNoWork, hooks?.inputs.actions?.isEmpty != false
      else { return .working }
      return isConnected.load(ordering: .acquiring) ? .idle : .unused
    }
  }

  @inlinable var isOpen: Bool { !inbox.isClosed }

  /// Whether states pass a hook on their way out.
  @usableFromInline var shapesStates: Bool { Self.hasStateHook }

  @inlinable
  func prepare(_ action: R.Action) -> Envelope<R.Action> { Envelope(action, contextOfSender()) }

  @inlinable
  func admit(
    _ envelope: Envelope<R.Action>, if decide: (_ isAcceptable: Bool) -> Bool,
    marking marks: (_ number: UInt64) -> [EngineMark]
  ) -> EngineAdmission {
    let decision = inbox.admit(envelope, if: decide) { number in
      let newMarks = marks(number)
      if !newMarks.isEmpty { post { $0.marks += newMarks } }
    }
    let outcome: EngineAdmission.Outcome =
      switch decision {
      case .admitted(.accepted(let number, _)): .accepted(number)
      case .admitted(.refused(let refusal)): .refused(refusal.refusal)
      case .withdrawn: .withdrawn
      case .released: .released
      }
    if envelope.context == nil, case .admitted(.accepted(_, schedules: false)) = decision {
      return EngineAdmission(outcome)
    }
    return EngineAdmission(outcome) { [self] in complete(envelope, decision) }
  }

  @usableFromInline
  func complete(_ envelope: Envelope<R.Action>, _ decision: Inbox<R.Action>.AdmissionDecision) {
    if case .admitted(let admission) = decision {
      if let reactor {
        _ = handleAdmission(admission, envelope.action, with: envelope.context, of: reactor)
        return
      }
      if case .refused(let refusal) = admission { report(refusal.problem, envelope.action) }
      abandonMarks()
    }
    envelope.context?.member?.leave()
  }

  @inlinable
  func receipt(of number: UInt64) -> ActionReceipt<R> { ActionReceipt(self, .action(number)) }

  @usableFromInline
  func mark(_ reached: @escaping EngineMark.Reached) -> @Sendable () -> Void {
    // Under the inbox's lock, so that no action is accepted in between.
    let schedules = inbox.requestJob { number in
      post { $0.marks.append(EngineMark(after: number, reached)) }
    }
    return { [self] in
      guard let reactor else { return abandonMarks() }
      if schedules { wake(reactor) }
    }
  }

  @usableFromInline
  func start(_ reactor: R) {
    if inbox.requestJob() { wake(reactor) } else { connect(reactor) }
  }

  @usableFromInline
  func stop(_ mode: StopMode) -> StopReceipt? { reactor?.stop(mode) }

  /// The number under which the ledger records work outside the engine that has not ended.
  @usableFromInline static var workOutside: UInt64 { .max }

  @usableFromInline
  func keepOpen(until end: @escaping EngineWait) {
    ledger.begin(Self.workOutside)
    PipelineTasks.make { [self] in
      await end()
      ledger.end(Self.workOutside)?.open()
    }
  }

  @usableFromInline
  func withFollowers<Result: Sendable>(
    _ body: (inout [any EngineFollower<R.State>]) -> Result
  ) -> Result {
    shared.withLock { body(&$0.rare.followers) }
  }

  @usableFromInline
  func reduceFromOutside(_ mutation: R.Mutation) async -> Bool {
    let latch = Latch()
    let isTaken = await withReactor { reactor in
      // Cancelled on the reactor, when the child that the mutation comes from has been left.
      guard self.phase == .running || self.phase == .draining, !Task.isCancelled else {
        return false
      }
      self.processRequests(on: reactor)
      if Self.hasMutationHook {
        let input = self.details.hooks?.inputs.mutations
        return input?.push(mutation, ticket: .outside(latch)) == true
      }
      self.reduce(mutation, of: nil, on: reactor)
      latch.open()
      return true
    }
    if isTaken == true { await latch.wait() }
    return isTaken == true
  }
}
