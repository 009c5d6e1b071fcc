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

  /// What an effect's body is to run in; every effect comes by here before it begins.
  ///
  /// **The seam**, with ``inContext(of:on:_:)`` around `mutate`: whatever is to be around both, and
  /// can bind task-local values, belongs here.
  @inlinable @inline(__always)
  func contextOfEffect(_ run: Run) -> ActionContext? {
    hasTurnContext || namesWork ? makeContextOfEffect(run) : nil
  }

  @usableFromInline
  func makeContextOfEffect(_ run: Run) -> ActionContext? {
    var context = own.details?.pointee.turnContext
    if let turn = context, let sinks = own.details?.pointee.sinks {
      context = sinks.context(aroundEffect: ObjectIdentifier(run), of: run.number, in: turn)
    }
    guard namesWork else { return context }
    let work = BoundTaskLocal(AskingWork.$current, AskingWork(self, run.number))
    return (context ?? .none).ofWork(with: [work])
  }
}
