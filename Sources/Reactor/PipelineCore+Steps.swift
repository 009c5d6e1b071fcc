import ReactorMachines
public import Synchronization

/// The steps of the reactor, for those that receive them; see ``StepSink``.
///
/// Where there is no sink it costs nothing that would not be looked at anyway. A turn looks whether
/// actions are subscribed to (`Turn.listening`), a reduction whether states are; both are so while
/// there is a sink. Then every turn is work that the ledger knows of, so that the ledger alone
/// knows when an action has ended.
extension PipelineCore {
  // MARK: Adding and removing

  /// Adds a sink, which receives every step from now on.
  ///
  /// A journaled reactor that nothing has opened begins without a journal: a test keeps nothing.
  ///
  /// - Returns: The state at this moment.
  func listen(_ sink: Sinks.Sink, on reactor: isolated R) -> R.State {
    if phase == .idle { startTaking(on: reactor) }
    setSinks((details.sinks?.all ?? []) + [sink])
    watchStates(on: reactor)
    if phase == .stopped { sink.receive(.stopped) }
    return current(on: reactor)
  }

  func setSinks(_ sinks: [Sinks.Sink]) {
    let sinks = Sinks(sinks)
    details.sinks = sinks
    events.setSinks(sinks)
  }

  /// Has every state published while a sink needs that, so that it receives each mutation.
  func watchStates(on reactor: isolated R) {
    guard let block = own.details else { return }
    let isNeeded = block.pointee.sinks?.needMutations == true || !block.pointee.followers.isEmpty
    guard isNeeded || shared.withLock({ $0.outlet }) != nil else { return }
    let outlet = outlet
    outlet.change { $0.showsEveryState = isNeeded }
    block.pointee.hooks?.inputs.states?.change { $0.showsEveryState = isNeeded }
    if !isNeeded { _ = takeBack(outlet) }
    readMailNow(on: reactor)
  }

  /// The reactor has begun again, with streams of its own.
  func goOnWithSteps(on reactor: isolated R) {
    guard let sinks = own.details?.pointee.sinks else { return }
    sinks.receive(.began(current(on: reactor)))
    watchStates(on: reactor)
  }

  // MARK: On the reactor

  /// Hands a step of the reactor's own to the sinks, if there are any.
  @inlinable
  func tell(_ step: @autoclosure () -> Step) {
    if let sinks = own.details?.pointee.sinks { sinks.receive(step()) }
  }

  /// Tells that a turn begins, where there are sinks.
  ///
  /// - Returns: The turn, which the ledger knows of now.
  @usableFromInline
  func told(_ turn: Turn<R.Action>) -> Turn<R.Action> {
    guard let sinks = own.details?.pointee.sinks else { return turn }
    if !turn.isInLedger { ledger.begin(turn.number) }
    sinks.receive(.taken(turn.action, number: turn.number, arrival(of: turn.number)))
    return Turn(turn.action, number: turn.number, listening: turn.listening, isInLedger: true)
  }

  /// How an action has come that is about to be performed.
  @usableFromInline
  func arrival(of number: UInt64) -> StepArrival {
    let origin = number < UnsentNumber.first ? number : ledger.origin(of: number)
    return StepArrival(
      context: own.hasContextOrStage ? details.comingContext(of: number) : nil,
      origin: origin == number ? nil : origin,
      behind: Int(clamping: inbox.nextNumber &- own.taken))
  }

  /// An action is about to be carried out.
  @usableFromInline
  func tellBegun(_ number: UInt64) {
    guard let details = own.details, let sinks = details.pointee.sinks else { return }
    sinks.receive(.begun(number: number, lane: details.pointee.lanes.keyOfTurn))
  }

  /// An action goes into the hook over the actions.
  @usableFromInline
  func tellIntoHook(_ next: Next) {
    guard let sinks = own.details?.pointee.sinks else { return }
    if let context = next.context { hand(over: context, to: next.number) }
    sinks.receive(.enteredHook(next.action, number: next.number, arrival(of: next.number)))
    forgetContext(of: next.number)
  }

  /// A mutation was reduced.
  @usableFromInline
  func tellReduced(_ mutation: R.Mutation, _ state: R.State, of number: UInt64?) {
    guard let sinks = details.sinks else { return }
    sinks.receive(
      .reduced(
        StepReduction(
          mutation: mutation, state: state, version: version, action: number,
          effect: details.emitting)))
  }

  /// Reduces what an effect has emitted, where a sink is to know which effect that is.
  @inlinable @inline(never)
  func reduceObserved(_ mutation: R.Mutation, of run: Run, on reactor: isolated R) {
    details.emitting = ObjectIdentifier(run)
    reduce(mutation, of: run.number, on: reactor)
    details.emitting = nil
  }

  // MARK: On any thread

  /// The sinks; mostly none, which is known without a lock.
  @inlinable var steps: Sinks? {
    guard let parts = partsIfMade, parts.pointee.latestListener.load(ordering: .acquiring) != 0
    else { return nil }
    return sinksOfAnyThread
  }

  @usableFromInline var sinksOfAnyThread: Sinks? { shared.withLock { $0.rare.sinks } }

  @inlinable
  func tellEnded(_ number: UInt64) { steps?.receive(.ended(number: number)) }
}

extension ReactorPipeline {
  package typealias Sink = any StepSink<R.Action, R.Mutation, R.State, R.Output>
  package typealias Listener = StepListener<R.Action, R.Mutation, R.State, R.Output>
  package typealias Step = PipelineStep<R.Action, R.Mutation, R.State, R.Output>

  /// Adds a sink, which receives every step from now on.
  ///
  /// - Parameters:
  ///   - sink: The sink.
  ///   - reactor: The reactor of this pipeline.
  /// - Returns: The state at this moment.
  package func listen(_ sink: Sink, on reactor: isolated R) -> R.State {
    core.listen(sink, on: reactor)
  }

  /// The actions whose work has not ended: those whose effects run, and those that wait in a lane.
  package func openActions(on reactor: isolated R) -> [R.Action] {
    let parked = core.details.lanes.parked.sorted { $0.key < $1.key }
    return core.ledger.works().map(\.action) + parked.map(\.value.action)
  }
}
