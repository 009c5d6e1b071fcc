import ReactorMachines
import Synchronization

/// What everything passes that leaves a journaled reactor.
@usableFromInline
package typealias PipelineOutputStage<R: Reactor> = any OutputStage<R.Mutation, R.State, R.Output>

/// The engine's side of an ``OutputStage``.
extension PipelineCore {
  /// Known when the reactor's type is: one that is not journaled has no code for a stage.
  @inlinable static var isJournaled: Bool { R._isJournaled }

  /// The stage, once a journal has opened the reactor; for code on the reactor.
  @inlinable var outputStage: PipelineOutputStage<R>? {
    Self.isJournaled ? own.details?.pointee.outputStage : nil
  }

  /// The same for any thread.
  @usableFromInline var sharedOutputStage: PipelineOutputStage<R>? {
    guard Self.isJournaled else { return nil }
    return partsIfMade?.pointee.shared.withLock { $0.rare.outputStage }
  }

  // MARK: Beginning

  /// Has states and outputs leave through the stage, as the reactor begins.
  @usableFromInline
  func begin(through stage: PipelineOutputStage<R>) {
    let (input, outlet) = (details.hooks?.inputs.states, outlet)
    details.live = input ?? outlet
    stage.begin(in: self)
    guard input == nil, let state = own.state else { return }
    // The newest state that may be seen is kept there, for observers that come later.
    outlet.keepNewest()
    showToAll(state, version: version, of: outlet)
  }

  /// No journal has opened the reactor: its actions are refused, each with a report.
  @usableFromInline
  func startUnopened(on reactor: isolated R) {
    _ = inbox.begin(as: .stub)
    connect(reactor)
    own.state = reactor.initialState
    details.recordAction = { [weak self] in self?.refuseUnopened($0) }
  }

  private func refuseUnopened(_ action: R.Action) {
    let number = own.taken &- 1
    note(.refused(.notOpened), of: number)
    report(.notOpened, action, number)
  }

  // MARK: Leaving

  /// Reports a mutation to the stage, which releases the state that it led to.
  @usableFromInline
  func pass(
    _ mutation: R.Mutation, of number: UInt64?, through stage: PipelineOutputStage<R>
  ) {
    guard let view else { return }
    if details.sinks != nil { tellReduced(mutation, view.state, of: number) }
    if !view.isShown { noteStateOfBatch() }
    stage.reduced(mutation, to: view, of: number)
  }

  /// Has an item leave: through the stage, if there is one.
  func leave(_ item: StagedItem<R.State, R.Output>) {
    if let outputStage { outputStage.leave(item) } else { release(item) }
  }

  // MARK: Waiting

  /// Returns once everything reduced by now may be known.
  ///
  /// - Parameters:
  ///   - isAsked: Whether that is asked for explicitly.
  ///   - limit: How long an ask may still wait.
  ///   - number: The action of the ask.
  /// - Throws: Why it never will be; `CancellationError`; ``AskError`` when the time is up.
  @usableFromInline
  nonisolated(nonsending) func passStage(
    isAsked: Bool = false, within limit: AskLimit? = nil, asked number: UInt64? = nil
  ) async throws {
    guard let stage = sharedOutputStage else { return }
    if let reactor, let latch = await latch(of: stage, isAsked: isAsked, on: reactor) {
      let timer = limit.map { AskTimer($0, opening: latch) }
      await latch.wait()
      if let limit, timer?.hasRung() == true {
        throw AskError(identity, number, .timedOut(limit.limit))
      }
      if Task.isCancelled { throw stage.failure ?? CancellationError() }
    }
    if let failure = stage.failure { throw failure }
  }

  private func latch(
    of stage: PipelineOutputStage<R>, isAsked: Bool, on reactor: isolated R
  ) -> Latch? { stage.latch(isAsked: isAsked) }

  /// Returns once everything that has been reduced by now is durable, for an effect.
  @usableFromInline
  nonisolated(nonsending) func waitUntilDurable(_ run: Run) async throws {
    guard Self.isJournaled, reactor != nil else { return }
    if run.isCancelled { throw CancellationError() }
    try await passStage(isAsked: true)
  }
}

extension PipelineCore: StagedEngine {
  @usableFromInline var home: (any Actor)? { reactor }

  @usableFromInline var view: StagedView<R.State>? {
    own.state.map { state in
      StagedView(
        state: state, version: version, isShown: !isHolding,
        isObserved: own.details?.pointee.live?.isWatched.load(ordering: .relaxed) == true)
    }
  }

  @usableFromInline
  func release(_ item: StagedItem<R.State, R.Output>) {
    switch item {
    case .state(let state, let version):
      showToAll(state, version: version, of: own.details?.pointee.live)
    case .output(let output): events.tell(output: output)
    case .milestone(_, _, let reached): reached()
    case .end(let finish): finish()
    }
  }

  @usableFromInline
  func durable(upTo sequence: Int) {
    tell(.durable(upTo: sequence))
  }

  @usableFromInline
  func report(_ problem: ReactorReport.Problem) { report(problem, nil) }

  @usableFromInline
  nonisolated(nonsending) func fail(
    with error: any Error, showing state: R.State?, _ shut: @Sendable () -> Void
  ) async {
    if let reactor { await fail(with: error, showing: state, shut, on: reactor) }
  }

  private func fail(
    with error: any Error, showing state: R.State?, _ shut: @Sendable () -> Void,
    on reactor: isolated R
  ) async {
    // First all that is looked at by those that are resumed.
    let closing = inbox.close(.cancel)
    if let state { own.state = state }
    report(.journalFailed(error), nil)
    shut()
    switch closing.step {
    case .hurried: finishMutations()
    // The job finds nothing to do; without it there would be none to find that.
    case .begun: if closing.schedules { wake(reactor) }
    case .already: break
    }
    if inbox.cutShort() { await finish(isCutShort: true, on: reactor) }
  }
}

extension ReactorPipeline {
  /// Begins with a state that was made of what is kept.
  ///
  /// - Returns: Whether the reactor had yet to begin; otherwise nothing has been done.
  package func open(
    from state: R.State, through stage: PipelineOutputStage<R>, on reactor: isolated R
  ) -> Bool {
    guard core.phase == .idle else { return false }
    core.shared.withLock { $0.rare.outputStage = stage }
    core.details.outputStage = stage
    core.own.state = state
    core.startTaking(on: reactor)
    return true
  }

  /// What holds back what leaves, once a journal has opened the reactor; any thread.
  package var outputStage: PipelineOutputStage<R>? { core.sharedOutputStage }

  /// Reduces a mutation that is no action's.
  ///
  /// - Returns: Whether it has been; only a reactor that takes actions does.
  package func reduce(_ mutation: R.Mutation, on reactor: isolated R) -> Bool {
    guard isRunning(on: reactor) else { return false }
    core.reduce(mutation, of: nil, on: reactor)
    return true
  }

  /// Whether it takes actions.
  package func isRunning(on reactor: isolated R) -> Bool { core.phase == .running }

  /// Cancels the work of all actions that have effects running.
  package func cancelEffects(on reactor: isolated R) {
    for number in Set(core.ledger.works().map(\.number)) { core.cancelNow(number, on: reactor) }
  }

  /// Returns once everything that has been reduced by now is durable.
  nonisolated(nonsending) package func durable() async throws {
    try await core.passStage(isAsked: true)
  }
}
