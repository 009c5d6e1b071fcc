/// What actions bring along: from the inbox to the turn, and around what the turn runs.
extension PipelineCore {
  /// Whether there may be anything: for most reactors, and most of the time, there is not.
  @inlinable var hasCompany: Bool { Company.isAny || carries }

  /// What comes with an action that the caller sends; not under a lock, as it may copy anything.
  ///
  /// - Returns: It; `nil` for nearly every action.
  @inlinable @inline(__always)
  func contextOfSender() -> ActionContext? {
    if !Company.asksSenders, !carries { return nil }
    return makeContextOfSender()
  }

  @usableFromInline
  func makeContextOfSender() -> ActionContext? {
    let member = ActionChain.current?.join()
    let context = ActionContext(
      chain: member?.chain, member: member, origin: ReactorObservers.origin(),
      values: carriedValues)
    return context.isNone ? nil : context
  }

  /// What the caller has of the task-local values that are carried, by observers too.
  private var carriedValues: [any BoundLocal] {
    let observed = Company.asksSenders ? ReactorObservers.captured() : []
    return carries ? observed + parts.pointee.carried.capture() : observed
  }

  /// An action that is part of a chain has been dequeued: it leaves the chain when it settles.
  @usableFromInline
  func follow(_ envelope: Envelope<R.Action>, number: UInt64) {
    guard let member = envelope.context?.member else { return }
    if Self.isJournaled {
      followUntilKept(number, as: member)
    } else {
      ledger.follow(number, as: member)
    }
    watch(for: number)
  }

  /// Leaves the chain when an action has settled, and what it did may be known.
  private func followUntilKept(_ number: UInt64, as member: ChainMember) {
    let latch = Latch { [weak self] in
      guard let self else { return member.leave() }
      PipelineTasks.make {
        try? await self.passStage()
        member.leave()
      }
    }
    _ = ledger.add(latch, for: number, isTaken: false)
  }

  /// What comes with an action; from here on it is the caller's to keep.
  @inlinable
  func context(of number: UInt64) -> ActionContext? {
    let next = details.nextContext.take()
    noteContextOrStage()
    return next?.number == number ? next?.context : nil
  }

  /// The action will never be performed.
  @inlinable
  func forgetContext(of number: UInt64) {
    if own.hasContextOrStage { _ = context(of: number) }
  }

  /// Says what an action has brought along that is about to be taken, and has left the inbox long
  /// since.
  @inlinable
  func hand(over context: ActionContext, to number: UInt64) {
    details.nextContext = (number, context)
    own.hasContextOrStage = true
  }

  // MARK: Turns

  /// The turn has now what its action has brought along.
  @inlinable
  func beginContext(of number: UInt64) {
    details.turnContext = own.hasContextOrStage ? context(of: number) : nil
  }

  /// Runs a step of the turn with what its action has brought along, and as part of nothing else.
  @inlinable
  func runInContext(_ step: () -> Void) { (details.turnContext ?? .none).run(step) }

  /// What the caller's task has of what an action may bring along.
  @usableFromInline
  func contextOfCaller() -> ActionContext? {
    let context = ActionContext(chain: ActionChain.current, values: carriedValues)
    return context.isNone ? nil : context
  }

  // MARK: Effects

  @inlinable var hasTurnContext: Bool { own.details?.pointee.turnContext != nil }

  /// Has an effect's body run inside what its action has brought along, and know whose work it is;
  /// every effect comes by here before it begins.
  ///
  /// **The seam**, with ``inContext(of:on:_:)`` around `mutate`: whatever is to be around both, and
  /// can bind task-local values, belongs here.
  @inlinable @inline(__always)
  func wrapBody(of run: Run, in hasContext: Bool) {
    if hasContext { bindContext(around: run) }
    if namesWork { nameWork(of: run) }
  }

  /// As ``wrapBody(of:in:)`` does, for a body that stays on the reactor.
  @inlinable @inline(__always)
  func wrapBody(of run: Run, in hasContext: Bool, on reactor: isolated R) {
    if hasContext { bindContext(around: run, on: reactor) }
    if namesWork { nameWork(of: run, on: reactor) }
  }

  /// Puts what the action has brought along around an effect's body, away from the reactor.
  @inlinable @inline(never)
  func bindContext(around run: Run) {
    guard let context = contextOfEffect(run), let body = run.body else { return }
    run.body = { emit in
      try await context.run({ try await body(emit) }, isolation: nil)
    }
  }

  /// As ``bindContext(around:)`` does, for a body that stays on the reactor.
  @inlinable @inline(never)
  func bindContext(around run: Run, on reactor: isolated R) {
    guard let context = contextOfEffect(run), let body = run.body else { return }
    let stream = MutationStream<R.Mutation>(.run(body))
    run.body = MutationStream.effect { emit in
      // A closure stays on the reactor only if it uses it; else the effect would leave its turn at
      // its end.
      try await context.run(
        { try await stream.run(into: emit, isolation: reactor) }, isolation: reactor)
    }
  }
}
