public import Synchronization

/// What observers are told: each step of a turn, of an effect, and of the reactor's life.
///
/// Nobody comes here unless somebody in the process observes, or tracks, an action. Whoever is told
/// is told on the reactor, in the order in which it happens, and never under a lock.
extension PipelineCore {
  /// What the caller has that is to come along with an action that it sends.
  @usableFromInline var observedValues: CarriedValue? {
    let own = carries ? parts.pointee.carried.capture() : nil
    return ReactorObservers.captured(before: own)
  }

  // MARK: Whom to tell

  /// What tells, if anybody is to be told of this reactor; it is brought up to date here.
  @inlinable
  func telling(on reactor: isolated R) -> Telling? {
    guard let telling = own.details?.pointee.telling,
      telling.version == ReactorObservers.version.load(ordering: .acquiring)
    else { return newTelling(on: reactor) }
    return telling.needs.isEmpty ? nil : telling
  }

  @usableFromInline
  func newTelling(on reactor: isolated R) -> Telling? {
    let made = own.details?.pointee.telling
    guard made != nil || ReactorObservers.isAny else { return nil }
    let telling = made ?? Telling(identity)
    details.telling = telling
    renew(telling, on: reactor)
    return telling.needs.isEmpty ? nil : telling
  }

  /// Observers have come or gone: who is new begins with the state of now.
  func renew(_ telling: Telling, on reactor: isolated R) {
    let version = ReactorObservers.version.load(ordering: .acquiring)
    let before = telling.told.filter(\.isThere)
    // What happened while nobody observed was told to nobody, nor is its end.
    if before.isEmpty { forget(telling) }
    telling.renew(observers, at: version)
    let needs = telling.needs
    telling.state = needs.contains(.oldStates) ? own.state : nil
    if let state = own.state, needs.contains(.life) {
      let isKnown = { (entry: ObserverEntry) in before.contains { $0 === entry } }
      let newcomers = telling.told.filter { !telling.isStarted || !isKnown($0) }
      let step = ReactorStep(.started(state: state), of: nil, in: identity, at: telling.time)
      ObserverEntry.tell(newcomers, step, .life)
    }
    telling.isStarted = !needs.isEmpty
    showMutations(to: telling)
  }

  var observers: [ObserverEntry] {
    let own = shared.withLock { $0.rare.observers.all }
    return ReactorObservers.entries(of: R.self) + own
  }

  /// Nobody observes any more.
  func forget(_ telling: Telling) {
    for action in telling.allOpen where action.isFollowed && action.number < UnsentNumber.first {
      _ = ledger.answer(action.number)
    }
    shared.withLock { $0.rare.madeEnds = [:] }
    telling.forget()
  }

  /// The last observer of the process has gone: what was kept for it goes, too.
  @usableFromInline
  func forgetTelling() {
    guard let telling = own.details?.pointee.telling else { return }
    forget(telling)
    showStates(to: telling)
    details.telling = nil
  }

  /// Has every state come by where mutations are told.
  private func showMutations(to telling: Telling) {
    let isNew = telling.needs.contains(.mutations) && !telling.isShownStates
    showStates(to: telling)
    if isNew { takeUpOutlet() }
  }

  private func showStates(to telling: Telling) {
    let isTold = telling.needs.contains(.mutations)
    guard isTold != telling.isShownStates else { return }
    telling.isShownStates = isTold
    let outlet: StateBroadcaster? = isTold ? self.outlet : shared.withLock { $0.outlet }
    outlet?.change { $0.isTold = isTold }
    own.details?.pointee.hooks?.inputs.states?.change { $0.isTold = isTold }
    if !isTold, let outlet { _ = takeBack(outlet) }
  }

  // MARK: Actions

  /// An action has come out of the inbox, or out of a hook.
  @inlinable @inline(never)
  func observeTaken(_ action: R.Action, number: UInt64, on reactor: isolated R) {
    guard let telling = telling(on: reactor), telling.isNew(number) else { return }
    let context = own.hasContextOrStage ? details.comingContext(of: number) : nil
    if let context, context.isOfCircle { return reportCircle(action, number, telling) }
    let isTracked = Self.mayBeginLater || telling.tracksActions
    telling.take(
      action, number, in: context, of: number < UnsentNumber.first ? nil : madeOf(number),
      behind: Int(clamping: inbox.nextNumber &- own.taken), isTracked: isTracked)
    if isTracked { track(number) }
  }

  /// Has the end of an action looked at.
  @inlinable
  func track(_ number: UInt64) {
    watch(for: number)
    if number >= UnsentNumber.first { trackMade(number) }
  }

  @usableFromInline
  func trackMade(_ number: UInt64) {
    shared.withLock { $0.rare.madeEnds[number] = .some(nil) }
  }

  @usableFromInline
  func reportCircle(_ action: R.Action, _ number: UInt64, _ telling: Telling) {
    guard !telling.isCircleReported else { return }
    telling.isCircleReported = true
    report(.observedInCircles, action, number)
  }

  /// What a hook has made the action of, if it is a further one of another.
  @usableFromInline
  func madeOf(_ number: UInt64) -> ReactorCause? {
    let origin = ledger.origin(of: number)
    if origin == number { return nil }
    return ReactorCause(reactor: identity, action: ActionNumber(rawValue: origin))
  }

  @inlinable
  func observeIntoHook(_ next: Next, on reactor: isolated R) {
    if let context = next.context { hand(over: context, to: next.number) }
    observeTaken(next.action, number: next.number, on: reactor)
    forgetContext(of: next.number)
    own.details?.pointee.telling?.intoHook(next.number)
    observeEndIfOver(next.number)
  }

  @usableFromInline
  func observeWaiting(_ number: UInt64, in lane: LaneKey) {
    own.details?.pointee.telling?.wait(number, in: lane)
  }

  /// `mutate` is about to be called; from here on the turn has what observers bind around it, and
  /// what its work sends has it as its cause.
  @inlinable
  func observeBegun(_ turn: Turn<R.Action>, on reactor: isolated R) {
    observeTaken(turn.action, number: turn.number, on: reactor)
    beginContext(of: turn.number)
    guard let telling = own.details?.pointee.telling, let action = telling.known(turn.number)
    else { return }
    // A hook may have let another one out under its number.
    details.turnContext = telling.begin(
      action, as: Self.hasActionHook ? turn.action : nil, isTakenNow: !Self.mayBeginLater,
      in: details.turnContext)
  }

  // MARK: Ends

  /// An action's turn is over: it has ended, or tells so by itself when its work has.
  @inlinable
  func observeEndIfOver(_ number: UInt64) {
    guard let telling = own.details?.pointee.telling, let action = telling.known(number),
      !action.isFollowed
    else { return }
    if number < UnsentNumber.first, case .finished = ledger.standing(of: number) {
      telling.end(action, as: .finished)
    } else {
      followEnd(of: action, telling)
    }
  }

  /// Has the end of an action told that has not just finished.
  @usableFromInline
  func followEnd(of action: ToldAction, _ telling: Telling) {
    let number = action.number
    guard ledger.isOpen(number) else { return observeEnd(of: number) }
    action.isFollowed = true
    if number < UnsentNumber.first { askOutcome(of: number) }
    // Weakly the reactor, as everywhere where a latch may be the only weak reference of its life:
    // to its core it would be 48 bytes that stay.
    let latch = Latch(atOwner: !Self.hasActionHook) { [weak reactor = reactor] in
      reactor?.pipeline.core.workEnded(of: number)
    }
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
  @inlinable
  func observeEndIfLast(_ number: UInt64) {
    guard let telling = own.details?.pointee.telling, telling.known(number) != nil,
      ledger.isLast(number)
    else { return }
    observeEnd(of: number)
  }

  @usableFromInline
  func observeEnd(of number: UInt64) {
    guard let telling = own.details?.pointee.telling, let action = telling.known(number)
    else { return }
    telling.end(action, as: takeOutcome(of: number, isFollowed: action.isFollowed))
  }

  /// How an action has ended that is about to settle, or just has.
  private func takeOutcome(of number: UInt64, isFollowed: Bool) -> ActionOutcome {
    // Nobody has a receipt of one that a hook has made, so its end is kept here.
    if number >= UnsentNumber.first {
      let end = shared.withLock { $0.rare.madeEnds.removeValue(forKey: number) }
      return end??.outcome ?? .finished
    }
    if isFollowed { return ledger.answer(number) }
    return ledger.end(of: number)?.outcome ?? .finished
  }
}
