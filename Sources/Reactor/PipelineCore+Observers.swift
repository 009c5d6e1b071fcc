import Synchronization

/// What observers are told: each step of a turn, of an effect, and of the reactor's life.
///
/// Nobody comes here unless somebody in the process observes, or tracks, an action. Whoever is told
/// is told on the reactor, in the order in which it happens, and never under a lock.
extension PipelineCore {
  /// What the caller has that is to come along with an action that it sends.
  @usableFromInline var observedValues: CarriedValue? {
    let own = carries ? inboxExtras.pointee?.carried.capture() : nil
    return ActionOrigin(before: ReactorObservers.captured(before: own))
  }

  // MARK: Whom to tell

  /// What tells, if anybody is to be told of this reactor; it is brought up to date here.
  func telling(on reactor: isolated R) -> Telling? {
    if let telling = own.details?.pointee.telling {
      if telling.version != ReactorObservers.version.load(ordering: .acquiring) {
        renew(telling, on: reactor)
      }
      return telling.isHeard ? telling : nil
    }
    guard ReactorObservers.isAny else { return nil }
    let telling = Telling(identity)
    details.telling = telling
    renew(telling, on: reactor)
    return telling.isHeard ? telling : nil
  }

  /// Observers have come or gone: who is new begins with the state of now.
  func renew(_ telling: Telling, on reactor: isolated R) {
    telling.version = ReactorObservers.version.load(ordering: .acquiring)
    let before = telling.entries.filter(\.isThere)
    // What happened while nobody observed was told to nobody, nor is its end.
    if before.isEmpty { forget(telling) }
    telling.entries = observers
    guard telling.isHeard else { return }
    telling.state = telling.comparesStates ? own.state : nil
    if let state = own.state {
      let newcomers =
        telling.isStarted
        ? telling.entries.filter { entry in !before.contains { $0 === entry } } : telling.entries
      ObserverEntry.tell(
        newcomers, ReactorStep(.started(state: state), in: telling.identity, at: WorkTime.now))
    }
    guard !telling.isStarted else { return }
    telling.isStarted = true
    watchForTelling(on: reactor)
  }

  var observers: [ObserverEntry] {
    let own = shared.withLock { $0.rare.observers }
    return ReactorObservers.entries(of: R.self) + own
  }

  /// Nobody observes any more.
  func forget(_ telling: Telling) {
    for (number, action) in telling.open where action.isFollowed && number < UnsentNumber.first {
      _ = ledger.answer(number, key: endsKey)
    }
    let output = shared.withLock { shared in
      shared.rare.madeEnds = [:]
      return shared.output
    }
    (telling.isStarted, telling.isCircleReported, telling.state) = (false, false, nil)
    (telling.open, telling.running, telling.entries) = ([:], [:], [])
    output?.change { $0.isTold = false }
    own.details?.pointee.hooks?.inputs.states?.change { $0.isTold = false }
  }

  /// The last observer of the process has gone: what was kept for it goes, too.
  @usableFromInline
  func forgetTelling() {
    guard let telling = own.details?.pointee.telling else { return }
    forget(telling)
    details.telling = nil
  }

  /// Has every state come by where mutations are told.
  private func watchForTelling(on reactor: isolated R) {
    let output = output
    output.change { $0.isTold = true }
    details.hooks?.inputs.states?.change { $0.isTold = true }
    readMailNow(on: reactor)
  }

  // MARK: Actions

  /// An action has come out of the inbox, or out of a hook.
  @usableFromInline
  func observeTaken(_ action: R.Action, number: UInt64, on reactor: isolated R) {
    guard let telling = telling(on: reactor), telling.open[number] == nil else { return }
    let context = own.hasContexts ? details.comingContext(of: number) : nil
    let origin = context?.values as? ActionOrigin
    if let origin, origin.depth > 1 { return reportCircle(action, number, telling) }
    let now = WorkTime.now
    let told = ObservedAction(
      action, number: ActionNumber(rawValue: number), cause: origin?.cause ?? madeOf(number))
    let action = ToldAction(
      told: told, taken: now, depth: origin?.depth ?? 0)
    telling.open[number] = action
    let kind = ReactorStep.Kind.taken(
      waited: origin.map { $0.sent.duration(to: now) },
      behind: Int(clamping: inbox.nextNumber &- own.taken))
    (context ?? .none).bind { telling.tell(kind, of: action, at: now) }
    watch(for: number)
    if number >= UnsentNumber.first {
      shared.withLock { $0.rare.madeEnds[number] = .some(nil) }
    }
  }

  private func reportCircle(
    _ action: R.Action, _ number: UInt64, _ telling: Telling
  ) {
    guard !telling.isCircleReported else { return }
    telling.isCircleReported = true
    report(.observedInCircles, action, number)
  }

  /// What a hook has made the action of, if it is a further one of another.
  private func madeOf(_ number: UInt64) -> ReactorCause? {
    guard number >= UnsentNumber.first else { return nil }
    let origin = ledger.origin(of: number)
    if origin == number { return nil }
    return ReactorCause(reactor: identity, action: ActionNumber(rawValue: origin))
  }

  @usableFromInline
  func observeIntoHook(_ action: R.Action, number: UInt64, on reactor: isolated R) {
    observeTaken(action, number: number, on: reactor)
    guard let telling = details.telling else { return }
    telling.tell(.intoHook, of: number)
    observeEndIfOver(number)
  }

  @usableFromInline
  func observeWaiting(_ number: UInt64, in lane: LaneKey) {
    guard let telling = own.details?.pointee.telling else { return }
    telling.open[number]?.waitsSince = WorkTime.now
    telling.tell(.waiting(lane: lane), of: number)
  }

  /// `mutate` is about to be called; from here on the turn has what observers bind around it, and
  /// what its work sends has it as its cause.
  @usableFromInline
  func observeBegun(_ turn: Turn<R.Action>, on reactor: isolated R) {
    let number = turn.number
    observeTaken(turn.action, number: number, on: reactor)
    beginContext(of: number)
    guard let telling = own.details?.pointee.telling, var action = telling.open[number] else {
      return
    }
    // A hook may have let another one out under its number.
    action.told = ObservedAction(
      turn.action, number: action.told.number, cause: action.told.cause)
    telling.open[number] = action
    let now = WorkTime.now
    let kind = ReactorStep.Kind.begun(waited: action.waitsSince?.duration(to: now))
    let context = details.turnContext ?? .none
    context.bind { telling.tell(kind, of: action, at: now) }
    details.turnContext = context.with(values(for: kind, action, telling, in: context))
  }

  func values(
    for kind: ReactorStep.Kind, _ action: ToldAction,
    _ telling: Telling, in context: ActionContext
  ) -> CarriedValue? {
    let step = ReactorStep(kind, in: telling.identity, action: action.told)
    var values: CarriedValue?
    context.bind {
      for entry in ObserverEntry.distinct(telling.entries) {
        guard let value = entry.observer.values(for: step).first else { continue }
        values = values?.followed(by: value) ?? value
      }
    }
    if action.depth > 0 { values = CarriedValueOf(action.depth, of: ObserverDepth.key, values) }
    let cause: ReactorCause? = ReactorCause(reactor: telling.identity, action: action.told.number)
    return CarriedValueOf(cause, of: ReactorCause.key, values)
  }

  /// An action's turn is over: it has ended, or tells so by itself when its work has.
  @usableFromInline
  func observeEndIfOver(_ number: UInt64) {
    guard let telling = own.details?.pointee.telling, let action = telling.open[number],
      !action.isFollowed
    else { return }
    guard ledger.isOpen(number) else { return observeEnd(of: number) }
    telling.open[number]?.isFollowed = true
    if number < UnsentNumber.first { ask(number) }
    let latch = Latch { [weak self] in self?.workEnded(of: number) }
    if !ledger.add(latch, for: number, isTaken: true) { observeEnd(of: number) }
  }

  /// The last of an action's work has ended: on the reactor, unless a hook has let go of it.
  private func workEnded(of number: UInt64) {
    guard Self.hasActionHook else { return observeEnd(of: number) }
    shared.withLock { $0.rare.ended.append(number) }
    hasMail.store(true, ordering: .sequentiallyConsistent)
    if let reactor, inbox.requestJob() { wake(reactor) }
  }

  /// A piece of an action's work is about to end; with the last one, the action has.
  ///
  /// So that whoever waits for the action finds all of it told.
  @usableFromInline
  func observeEndIfLast(_ number: UInt64) {
    guard own.details?.pointee.telling?.open[number] != nil, ledger.isLast(number) else { return }
    observeEnd(of: number)
  }

  func observeEnd(of number: UInt64) {
    guard let telling = own.details?.pointee.telling,
      let action = telling.open.removeValue(forKey: number)
    else { return }
    let outcome = takeOutcome(of: number, isFollowed: action.isFollowed)
    let now = WorkTime.now
    telling.tell(.ended(outcome, took: action.taken.duration(to: now)), of: action, at: now)
  }

  /// How an action has ended that is about to settle, or just has.
  private func takeOutcome(of number: UInt64, isFollowed: Bool) -> ActionOutcome {
    // Nobody has a receipt of one that a hook has made, so its end is kept here.
    if number >= UnsentNumber.first {
      let end = shared.withLock { $0.rare.madeEnds.removeValue(forKey: number) }
      return end??.outcome ?? .finished
    }
    if isFollowed { return ledger.answer(number, key: endsKey) }
    return ledger.end(of: number, key: endsKey)?.outcome ?? .finished
  }
}
