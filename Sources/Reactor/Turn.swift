public import Synchronization

/// One action's turn: all that follows from taking it until the next may be taken.
///
/// There is one way through a turn, whoever takes it: it is opened, and the action enters its lane;
/// unless it has to wait there, it is carried out; and the turn is closed. That is written here,
/// once. Who takes turns is a file each in `Turns`, and differs only in how it drives: in one
/// go (`PlainTurns`, `LaneTurns`), waiting for a hook (`HookedTurns`, `HookTaskTurns`), making way
/// for effects in a simulation (`SimulatedTurns`), or writing actions down (`StubbedTurns`).
@usableFromInline
struct Turn<Action: Sendable> {
  @usableFromInline let action: Action
  @usableFromInline let number: UInt64
  /// The stream of actions that was opened last before the turn: later ones are not told of it.
  ///
  /// 0 where nobody is to be told.
  @usableFromInline let listening: UInt64
  /// Whether the turn is a piece of the action's work that the ledger knows of.
  @usableFromInline let isInLedger: Bool

  @inlinable
  init(_ action: Action, number: UInt64, listening: UInt64, isInLedger: Bool) {
    self.action = action
    self.number = number
    self.listening = listening
    self.isInLedger = isInLedger
  }
}

extension PipelineCore {
  // MARK: In one go

  /// Lets an action into its lane, and does what it leads to, unless it has to wait.
  @inlinable
  func take(
    _ action: R.Action, number: UInt64, with context: ActionContext? = nil, on reactor: isolated R
  ) {
    let turn = openTurn(action, number: number, with: context, on: reactor)
    if turn.listening == 0 { run(turn, on: reactor) } else { runTold(turn, on: reactor) }
  }

  @inlinable @inline(__always)
  func run(_ turn: Turn<R.Action>, on reactor: isolated R) {
    if mayBegin(turn, on: reactor) { perform(turn, on: reactor) }
    closeTurn(turn, on: reactor)
  }

  /// Runs a turn where somebody listens: apart, so that ``run(_:on:)`` has no code for that.
  @inlinable @inline(never)
  func runTold(_ turn: Turn<R.Action>, on reactor: isolated R) {
    run(told(turn), on: reactor)
  }

  // MARK: Opening

  /// Begins the turn of an action that has come out of the inbox, or out of a hook.
  ///
  /// - Parameters:
  ///   - action: The action.
  ///   - number: Its number.
  ///   - isInLedger: Whether the ledger has been told that the turn is work.
  ///   - context: What the action has brought along, if that has left the inbox long since.
  ///   - reactor: The reactor.
  /// - Returns: The turn, which has to be told, where somebody listens, and to be closed.
  @inlinable @inline(__always)
  func openTurn(
    _ action: R.Action, number: UInt64, isInLedger: Bool = false,
    with context: ActionContext? = nil, on reactor: isolated R
  ) -> Turn<R.Action> {
    own.isTaking = true
    if Self.hasTurnHook { details.taking = number }
    if let context { hand(over: context, to: number) }
    if ReactorObservers.isAny { followObservers(on: reactor) }
    let listening = partsIfMade?.pointee.latestListener.load(ordering: .acquiring) ?? 0
    return Turn(action, number: number, listening: listening, isInLedger: isInLedger)
  }

  /// Begins the turn of an action that has waited in a lane, and has got a slot there.
  ///
  /// Those who listen to the actions were told of it when it was taken.
  @inlinable
  func openTurn(
    _ parked: LaneBook<R.Action>.Parked, number: UInt64, on reactor: isolated R
  ) -> Turn<R.Action> {
    own.isTaking = true
    details.taking = number
    details.lanes.slot = LaneSlot(parked.record, number)
    if let context = parked.context { hand(over: context, to: number) }
    // After it is known which action is taken: cancellations may be read here.
    if ReactorObservers.isAny { followObservers(on: reactor) }
    tellBegun(number)
    return Turn(parked.action, number: number, listening: 0, isInLedger: true)
  }

  /// Whether the turn may be carried out now, or the action has to wait in its lane, or is refused
  /// there.
  @inlinable @inline(__always)
  func mayBegin(_ turn: Turn<R.Action>, on reactor: isolated R) -> Bool {
    guard enterLane(turn.action, number: turn.number, on: reactor) else { return false }
    if turn.listening != 0 { tellBegun(turn.number) }
    return true
  }

  // MARK: Carrying out

  /// Asks `mutate` what the action leads to, and does it, in one go.
  @inlinable @inline(__always)
  func perform(_ turn: Turn<R.Action>, on reactor: isolated R) {
    if mayHaveContext {
      performInContext(turn, on: reactor)
    } else {
      carryOut(reactor.mutate(action: turn.action), of: turn, on: reactor)
    }
  }

  /// A function of its own: for the closure each turn would be put into memory.
  @inlinable @inline(never)
  func performInContext(_ turn: Turn<R.Action>, on reactor: isolated R) {
    inContext(of: turn, on: reactor) {
      carryOut(mutateInStages(turn.action, on: reactor), of: turn, on: reactor)
    }
  }

  /// Whether an action may have brought something along or pass a stage, or work runs here that is
  /// tracked or observed.
  ///
  /// Looked at by whoever has something to run in a context, rather than in there: a closure would
  /// be made for each action.
  @inlinable @inline(__always)
  var mayHaveContext: Bool {
    !own.around.isEmpty || Self.mayBeginLater && Company.isAny
  }

  /// Runs a step of a turn with what its action has brought along, and as part of nothing else.
  @inlinable @inline(never)
  func inContext(of turn: Turn<R.Action>, on reactor: isolated R, _ step: () -> Void) {
    beginContext(of: turn.number)
    if own.around.contains(.observers), let sinks = details.sinks {
      details.turnContext = sinks.context(
        aroundTurnOf: turn.action, number: turn.number, in: details.turnContext)
    }
    runInContext(step)
    // Behind a hook it stays with the turn until that ends, whoever goes on with it.
    if !Self.hasMutationHook { details.turnContext = nil }
  }

  /// Does what an action leads to: what comes at once is reduced here and now, an effect begun.
  @inlinable @inline(__always)
  func carryOut(
    _ stream: MutationStream<R.Mutation>, of turn: Turn<R.Action>, on reactor: isolated R
  ) {
    switch stream.storage {
    case .empty: break
    case .just(let mutation):
      if isStillWanted(turn.number, on: reactor) {
        reduce(mutation, of: turn.number, on: reactor)
      }
    case .several(let mutations):
      for mutation in mutations where isStillWanted(turn.number, on: reactor) {
        reduce(mutation, of: turn.number, on: reactor)
      }
    case .run, .concat: begin(stream, of: turn, on: reactor)
    case .tree(let tree): begin(tree, of: turn, on: reactor)
    }
  }

  /// Whether the action that is being taken has not been cancelled meanwhile.
  @inlinable @inline(__always)
  func isStillWanted(_ number: UInt64, on reactor: isolated R) -> Bool {
    readMail(on: reactor)
    return !own.looksAtEach || !isSkipped(number)
  }

  // MARK: Closing

  /// Ends a turn, however far it has come: settles what has no work left, leaves the lane, lets the
  /// next one begin, and tells those who listen.
  @inlinable @inline(__always)
  func closeTurn(_ turn: Turn<R.Action>, on reactor: isolated R) {
    if own.looksAtEach { _ = endIfSkipped(turn.number) }
    let settled = turn.isInLedger ? endPiece(of: turn.number) : nil
    own.isTaking = false
    if Self.hasMutationHook {
      forgetTurn()
    } else if Self.hasLanes, turn.isInLedger {
      details.taking = nil
    }
    if own.isAwaited, turn.number >= parts.pointee.awaited { settleIfIdle(turn.number) }
    leaveLane(on: reactor)
    if Self.hasMutationHook { letNextTurnBegin() }
    if turn.listening != 0 { tellOver(turn) }
    if let settled {
      tellEnded(turn.number)
      settled.open()
    }
  }

  /// What was kept with a turn that takes a while.
  @inlinable
  func forgetTurn() {
    details.turnContext = nil
    if Self.hasLanes { details.hooks?.turns.action = nil }
  }

  /// Wakes those who wait for the turn under way to end.
  @inlinable
  func letNextTurnBegin() {
    if details.waitingTurns.isEmpty { return }
    let waiting = details.waitingTurns
    details.waitingTurns = []
    for latch in waiting { latch.open() }
  }
}
