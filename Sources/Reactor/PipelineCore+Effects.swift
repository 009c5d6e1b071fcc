import ReactorMachines
public import Synchronization

/// Effects: how one is begun within the turn of its action, what of it comes at once, and its end.
///
/// What it emits later comes by `+Emitting`, and what it knows of itself is in ``EffectRun``. A
/// body that uses the reactor is started by the extension of `Reactor` below, on the reactor; any
/// other away from it. An effect is in the ledger, and has its place in its lane, before its body
/// runs.
extension PipelineCore {
  // MARK: Beginning

  /// Begins one effect, which goes on after the turn.
  @inlinable
  func begin(
    _ stream: MutationStream<R.Mutation>, of turn: Turn<R.Action>, on reactor: isolated R
  ) {
    let run = register(turn, on: reactor)
    start(run, stream, on: reactor)
  }

  /// Does what a stream that is made of others leads to.
  @inlinable @inline(never)
  func begin(_ tree: EffectTree, of turn: Turn<R.Action>, on reactor: isolated R) {
    let stream = MutationStream<R.Mutation>(.tree(tree))
    if let mutations = stream.atOnce {
      for mutation in mutations where isStillWanted(turn.number, on: reactor) {
        reduce(mutation, of: turn.number, on: reactor)
      }
    } else if tree.isBegunApart {
      beginParts(of: tree, turn, on: reactor)
    } else {
      begin(stream, of: turn, on: reactor)
    }
  }

  /// Begins several effects at a time, or one that has a priority of its own, or that a drain
  /// cancels.
  @usableFromInline
  func beginParts(of tree: EffectTree, _ turn: Turn<R.Action>, on reactor: isolated R) {
    let parts =
      tree.shape == .merge
      ? tree.mergedParts.map { MutationStream<R.Mutation>(part: $0) }
      : [MutationStream(.tree(tree))]
    let runs = parts.map { part in
      let run = register(turn, on: reactor)
      run.isCancelledByDrain = part.traits.isCancelledByDrain
      return run
    }
    for (run, part) in zip(runs, parts) {
      if run.isCancelled || run.isCancelledByDrain && phase == .draining {
        note(
          run.isCancelled ? .cancelled : runs.count == 1 ? .neverBegun : .reactorEnded,
          of: run.number)
        close(run, on: reactor)
      } else {
        start(run, part, with: part.traits.priority, on: reactor)
      }
    }
  }

  /// Makes an effect of the turn's action, and puts it into the ledger and the lane.
  @inlinable
  func register(_ turn: Turn<R.Action>, on reactor: isolated R) -> Run {
    let run = Run(
      turn.action, number: turn.number, owner: self, homeID: ObjectIdentifier(reactor))
    run.since = WorkTime.ticks
    if Self.hasLanes { takePlace(run) }
    ledger.begin(run.number, run)
    return run
  }

  /// Cancels what a drain does not wait for.
  func cancelForDrain() {
    for run in ledger.works() where run.isCancelledByDrain && !run.hasEnded {
      note(run.isCancelled ? .cancelled : .reactorEnded, of: run.number)
      run.cancel()
    }
  }

  // MARK: Starting

  /// Starts an effect: it runs up to its first suspension before this returns.
  ///
  /// Its task has no task-local values of whatever takes the turn, but the priority, as any task
  /// would, unless it has one of its own. What its action has brought along is bound around its
  /// body.
  @inlinable
  func start(
    _ run: Run, _ stream: MutationStream<R.Mutation>, with priority: TaskPriority? = nil,
    on reactor: isolated R
  ) {
    tell(.effectBegun(number: run.number))
    // Then there are no task-local values to copy, and the priority comes along for nothing.
    let isClean = priority == nil && !own.isBorrowed && !hasTurnContext
    run.context = contextOfEffect(run)
    if stream.isIsolated(to: reactor) {
      run.body = stream.body(isolatedTo: reactor)
      starting = run
      run.hasTask(reactor.startHere(run, isClean: isClean, with: priority))
      starting = nil
    } else {
      run.body = stream.body()
      var opening = EffectOpening<R.Mutation>()
      withUnsafeMutablePointer(to: &opening) { opening in
        run.opening = opening
        run.hasTask(Self.startAway(run, isClean: isClean, with: priority))
      }
      for index in 0..<opening.count {
        if let mutation = opening[index] { reduceEmitted(mutation, of: run, on: reactor) }
      }
      if let ending = opening.ending.take() {
        ended(run, ending, on: reactor)
      } else if !Self.hasMutationHook, !Self.hasLanes || run.place == nil {
        // Not before what it emitted in its opening is reduced: its end would pass that.
        run.ends.store(.anywhere, ordering: .releasing)
      }
    }
    // It may have been cancelled before it had a task.
    if run.isCancelled { run.cancel() }
  }

  /// Starts an effect away from the reactor.
  ///
  /// The loops go round once. See ``SimulatedExecutor/isNever`` for what they are there for, and
  /// why the task is one that may throw, though it does not.
  @inlinable
  static func startAway(
    _ run: Run, isClean: Bool, with priority: TaskPriority?
  ) -> EffectTask {
    guard isClean, !SimulatedExecutor.isAny else { return startAwayDetached(run, with: priority) }
    guard #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *), ImmediateStart.isThere
    else { return startAwayDetached(run, with: nil) }
    while true {
      let task = EffectTask.immediate { () async throws -> Void in await runToEnd(run) }
      if !SimulatedExecutor.isNever { return task }
    }
  }

  @inlinable @inline(never)
  static func startAwayDetached(_ run: Run, with priority: TaskPriority?) -> EffectTask {
    guard priority == nil, PipelineTasks.areOrdinary,
      #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *), ImmediateStart.isThere
    else {
      return PipelineTasks.effect(priority) { () async throws -> Void in await runToEnd(run) }
    }
    while true {
      let task = EffectTask.immediateDetached { () async throws -> Void in await runToEnd(run) }
      if !SimulatedExecutor.isNever { return task }
    }
  }

  @inlinable @inline(__always)
  static func runToEnd(_ run: Run) async {
    // Not by `take()`, which would adapt it to a generic parameter.
    guard let body = run.body else { return }
    run.body = nil
    let ending: EffectEnding
    do {
      if let context = run.context {
        try await context.run({ try await body(run.emitter) }, isolation: nil)
      } else {
        try await body(run.emitter)
      }
      ending = .finished
    } catch {
      ending = .failed(error)
    }
    if !run.setAside(ending), !run.owner.endsAlone(run, ending) {
      await run.owner.ended(run, ending)
    }
  }

  // MARK: Emitting

  /// Folds what an effect has emitted into the state, unless the effect was cancelled, or is over.
  @inlinable
  func reduceEmitted(_ mutation: R.Mutation, of run: Run, on reactor: isolated R) {
    readMail(on: reactor)
    switch run.standing.load(ordering: .acquiring) {
    case .live where own.around.contains(.observers):
      reduceObserved(mutation, of: run, on: reactor)
    case .live: reduce(mutation, of: run.number, on: reactor)
    case .cancelled, .endedCancelled: break
    case .ended: report(.emittedTooLate(mutation), run.action, run.number)
    }
  }

  // MARK: Ending

  @inlinable
  func ended(_ run: Run, _ ending: EffectEnding) async {
    guard let reactor else { return endedAfterRelease(run) }
    await ended(run, ending, on: reactor)
  }

  /// Ends an effect without going to its reactor, if that can be: most end so, and need no frame.
  @inlinable
  func endsAlone(_ run: Run, _ ending: EffectEnding) -> Bool {
    guard isGone else { return endsAway(run, ending) }
    endedAfterRelease(run)
    return true
  }

  /// An effect has ended whose reactor is gone: what it emitted at the last has got lost.
  @usableFromInline
  func endedAfterRelease(_ run: Run) {
    note(run.isCancelled ? .cancelled : .reactorEnded, of: run.number)
    run.end()
    endPiece(of: run.number, run)?.open()
  }

  /// Ends an effect where it is, if nothing of the reactor's depends on its end but its action: to
  /// hop to a reactor that is at work would make a thread wait, and another one wake up.
  ///
  /// - Returns: Whether it has ended.
  @inlinable
  func endsAway(_ run: Run, _ ending: EffectEnding) -> Bool {
    // Sinks receive it on the reactor.
    guard run.ends.load(ordering: .acquiring) == .anywhere, steps == nil else { return false }
    if run.isCancelled {
      note(.cancelled, of: run.number)
    } else if case .failed = ending {
      // Only the reactor knows whether it has been cancelled before that.
      return false
    }
    run.end()
    endPiece(of: run.number, run)?.open()
    return true
  }

  @inlinable
  func ended(_ run: Run, _ ending: EffectEnding, on reactor: isolated R) {
    guard !run.hasEnded else { return }
    if case .failed(let error) = ending {
      // It may have been cancelled by a thread that could not know it yet.
      readMail(on: reactor)
      failed(run, with: error)
    }
    if run.isCancelled { note(.cancelled, of: run.number) }
    let end = ending.end(run.isCancelled)
    run.end()
    tell(.effectEnded(ObjectIdentifier(run), number: run.number, end))
    leave(run, on: reactor)
  }

  /// Ends an effect that was never started.
  private func close(_ run: Run, on reactor: isolated R) {
    run.end()
    leave(run, on: reactor)
  }

  /// An effect has ended: it leaves the ledger, and its place in its lane.
  @inlinable
  func leave(_ run: Run, on reactor: isolated R) {
    endWork(of: run.number, run)
    if Self.hasLanes, let slot = run.place {
      leave(slot, on: reactor)
      startReady(on: reactor)
      tidy(on: reactor)
    }
  }

  @usableFromInline
  func failed(_ run: Run, with error: any Error) {
    guard !run.isCancelled else { return }
    guard !(error is CancellationError) else { return note(.cancelled, of: run.number) }
    note(.failed(error), of: run.number)
    if !(error is any ExpectedError) { report(.effectFailed(error), run.action, run.number) }
  }
}

extension Reactor {
  /// Starts an effect that uses the reactor: the task is isolated to it, as the effect's body is.
  ///
  /// The loops go round once, as in ``PipelineCore/startAway(_:isClean:with:)``.
  @inlinable
  func startHere(
    _ run: EffectRun<PipelineCore<Self>>, isClean: Bool, with priority: TaskPriority?
  ) -> EffectTask {
    guard isClean, !SimulatedExecutor.isAny else { return startHereDetached(run, with: priority) }
    guard #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *), ImmediateStart.isThere
    else { return startHereDetached(run, with: nil) }
    while true {
      let task = EffectTask.immediate { () async throws -> Void in await self.runToEnd(run) }
      if !SimulatedExecutor.isNever { return task }
    }
  }

  @inlinable @inline(never)
  func startHereDetached(
    _ run: EffectRun<PipelineCore<Self>>, with priority: TaskPriority?
  ) -> EffectTask {
    guard priority == nil, PipelineTasks.areOrdinary,
      #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *), ImmediateStart.isThere
    else {
      return PipelineTasks.effect(priority) { () async throws -> Void in await self.runToEnd(run) }
    }
    while true {
      let task = EffectTask.immediateDetached { () async throws -> Void in await self.runToEnd(run)
      }
      if !SimulatedExecutor.isNever { return task }
    }
  }

  @inlinable @inline(__always)
  func runToEnd(_ run: EffectRun<PipelineCore<Self>>) async {
    // Not by `take()`, which would adapt it to a generic parameter.
    guard let body = run.body else { return }
    run.body = nil
    do {
      if let context = run.context {
        // A closure stays on the reactor only if it uses it; else the effect would leave its turn
        // at its end.
        let stream = MutationStream<Mutation>(.run(body))
        try await context.run(
          { try await stream.run(into: run.emitter, isolation: self) }, isolation: self)
      } else {
        try await body(run.emitter)
      }
      run.owner.ended(run, .finished, on: self)
    } catch {
      run.owner.ended(run, .failed(error), on: self)
    }
  }
}
