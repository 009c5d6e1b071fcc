public import ReactorMachines
import Synchronization

/// The engine, to code outside this target.
extension PipelineCore: EngineAccess {
  @usableFromInline typealias Owner = R

  /// All is looked at under the inbox's lock: what is accepted meanwhile would else be overlooked.
  @usableFromInline var activity: EngineActivity {
    inbox.contents.withLock { contents in
      let life = contents.machine.life
      if life.state == .released { return .released }
      if life.hasEnded { return hasNoWork ? .ended : .ending }
      if !life.accepts { return .ending }
      guard contents.machine.isAsleep, hasNoWork, holdsNoAction else { return .working }
      return isConnected.load(ordering: .acquiring) ? .idle : .unused
    }
  }

  @inlinable var isOpen: Bool { !inbox.isClosed }

  /// Whether the hook over the actions has none.
  private var holdsNoAction: Bool {
    guard Self.hasActionHook, let parts = partsIfMade else { return true }
    return parts.pointee.shared.withLock { $0.rare.hooks }?.inputs.actions?.isEmpty != false
  }

  // MARK: Actions

  @inlinable
  func prepare(_ action: R.Action) -> Envelope<R.Action> { Envelope(action, contextOfSender()) }

  @inlinable
  func admit(
    _ envelope: Envelope<R.Action>, if decide: (_ isAcceptable: Bool) -> Bool,
    marking marks: (_ number: UInt64) -> [EngineMark]
  ) -> EngineAdmission {
    let (outcome, schedules) = inbox.contents.withLock {
      contents -> (EngineAdmission.Outcome, Bool) in
      // Admitted in a copy: the number is given only if that is decided.
      var machine = contents.machine
      switch machine.admit() {
      case .accepted(let number, let schedules):
        guard decide(true) else { return (.withdrawn, false) }
        let left = marks(number)
        if !left.isEmpty { leave(left) }
        contents.machine = machine
        contents.queue.append(envelope)
        return (.accepted(number), schedules)
      case .refused(let refusal):
        let isReleased = Self.isReleased(machine)
        _ = decide(isReleased)
        if isReleased { return (.released, false) }
        return (.refused(refusal == .full ? .inboxFull : .stopped), false)
      }
    }
    if !schedules, envelope.context == nil, case .accepted = outcome {
      return EngineAdmission(outcome)
    }
    return EngineAdmission(outcome) { [self] in complete(envelope, outcome, schedules) }
  }

  @usableFromInline
  static func isReleased(_ machine: InboxMachine) -> Bool { machine.life.state == .released }

  @usableFromInline
  func complete(
    _ envelope: Envelope<R.Action>, _ outcome: EngineAdmission.Outcome, _ schedules: Bool
  ) {
    var kind = ActionReceipt<R>.Kind.refused(.stopped)
    switch outcome {
    case .accepted(let number):
      kind = .action(number)
      look(asJob: schedules)
    case .refused(.inboxFull): report(.inboxFull, envelope.action)
    case .refused: report(.actionRefused, envelope.action)
    case .withdrawn, .released: break
    }
    if let context = envelope.context { track(kind, by: context) }
  }

  @inlinable
  func receipt(of number: UInt64) -> ActionReceipt<R> { ActionReceipt(self, .action(number)) }

  @usableFromInline
  func mark(_ reached: @escaping EngineMark.Reached) -> @Sendable () -> Void {
    let schedules = inbox.requestJob { leave([EngineMark(after: $0, reached)]) }
    return { [self] in look(asJob: schedules) }
  }

  // MARK: Life

  @usableFromInline
  func start(_ reactor: R) {
    if inbox.requestJob() { wake(reactor) } else { connect(reactor) }
  }

  @usableFromInline
  func stop(_ mode: StopMode) -> StopReceipt? { reactor?.stop(mode) }

  /// The number under which the ledger knows that something outside has yet to end.
  @usableFromInline static var workOutside: UInt64 { .max }

  @usableFromInline
  func keepOpen(until end: @escaping EngineWait) {
    ledger.begin(Self.workOutside)
    PipelineTasks.make { [self] in
      await end()
      endPiece(of: Self.workOutside)?.open()
    }
  }

  // MARK: Mutations

  @usableFromInline
  func reduceFromOutside(_ mutation: R.Mutation) async -> Bool {
    guard let reactor else { return false }
    return await reduceFromOutside(mutation, on: reactor)
  }

  private func reduceFromOutside(_ mutation: R.Mutation, on reactor: isolated R) async -> Bool {
    // Cancelled on the reactor, when what it comes from has been left.
    guard phase == .running || phase == .draining, !Task.isCancelled else { return false }
    readMail(on: reactor)
    guard Self.hasMutationHook else {
      reduce(mutation, of: nil, on: reactor)
      return true
    }
    let latch = Latch()
    guard let input = details.hooks?.inputs.mutations,
      input.push(mutation, ticket: .outside(latch))
    else { return false }
    await latch.wait()
    return true
  }
}

extension StateStream {
  /// The engine whose reduced states these are; `nil` where they are made of others, by a
  /// `transform(state:)` or by `derived`.
  package var engine: (any EngineAccess)? { (source as? any EngineStates)?.engineOfStates }
}

/// A source of states that may be an engine.
private protocol EngineStates {
  var engineOfStates: (any EngineAccess)? { get }
}

extension PipelineCore: EngineStates {
  fileprivate var engineOfStates: (any EngineAccess)? { Self.hasStateHook ? nil : self }
}
