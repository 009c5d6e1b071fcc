public import Synchronization

/// Effects: how one is begun within the turn of its action, what of it comes at once, and its end.
///
/// What it emits later comes by `+Emitting`, and what it knows of itself stands in ``EffectRun``. A
/// body that uses the reactor is started by the extension of `Reactor` below, on the reactor; any
/// other away from it.
extension PipelineCore {
  // MARK: Starting

  /// Starts one effect, which goes on after the turn.
  @inlinable
  func begin(
    _ stream: MutationStream<R.Mutation>, of turn: Turn<R.Action>, on reactor: isolated R
  ) {
    let run = Run(
      turn.action, number: turn.number, owner: self, homeID: ObjectIdentifier(reactor))
    let parts = parts
    parts.pointee.starting = run
    launch(run, stream, on: reactor)
    parts.pointee.starting = nil
    if !run.hasEnded { register(run) }
  }

  @inlinable
  func register(_ run: Run) {
    run.isRegistered = true
    run.since = WorkTime.ticks
    if Self.hasLanes { takePlace(run) }
    ledger.begin(run.number, run)
    if !Self.hasMutationHook, !Self.hasLanes || run.place == nil {
      run.ends.store(.anywhere, ordering: .releasing)
    }
  }

  /// Starts one effect: it runs up to its first suspension before this returns.
  ///
  /// Its task has no task-local values of whoever takes the turn, but the priority, as any task
  /// would. What its action has brought along is bound around its body.
  @inlinable
  func launch(_ run: Run, _ stream: MutationStream<R.Mutation>, on reactor: isolated R) {
    let isClean = !own.isBorrowed && !hasTurnContext
    launchBody(of: run, stream, on: reactor) {
      reactor.startHere(run, isClean: isClean)
    } elsewhere: {
      Self.startAway(run, isClean: isClean)
    }
  }

  /// What both ways to start an effect have in common: all effects come by here.
  ///
  /// - Parameters:
  ///   - run: The effect.
  ///   - stream: What it does.
  ///   - reactor: The reactor.
  ///   - here: Starts the task on the reactor, for a body that uses it.
  ///   - elsewhere: Starts the task away from the reactor.
  @inlinable @inline(__always)
  func launchBody(
    of run: Run, _ stream: MutationStream<R.Mutation>, on reactor: isolated R,
    here: () -> EffectTask, elsewhere: () -> EffectTask
  ) {
    tell(.effectBegun(number: run.number))
    let hasContext = hasTurnContext
    if stream.isIsolated(to: reactor) {
      run.body = stream.body(isolatedTo: reactor)
      wrapBody(of: run, in: hasContext, on: reactor)
      own.isInsideEffect = true
      run.task = here()
      own.isInsideEffect = false
    } else {
      run.body = stream.body()
      wrapBody(of: run, in: hasContext)
      var opening = EffectOpening<R.Mutation>()
      run.task = withUnsafeMutablePointer(to: &opening) { opening in
        run.opening = opening
        let task = elsewhere()
        run.closeOpening()
        return task
      }
      for index in 0..<opening.count {
        if let mutation = opening[index] { reduceEmitted(mutation, of: run, on: reactor) }
      }
      if let ending = opening.ending.take() { ended(run, ending, on: reactor) }
    }
    // Cancelled inside the opening, when there was no task to cancel yet.
    if run.isCancelled { run.cancel() }
  }

  /// Starts an effect away from the reactor.
  ///
  /// The loops go round once. See ``SimulatedExecutor/isNever`` for what they are there for, and
  /// why the task is one that may throw, though it does not.
  ///
  /// - Parameters:
  ///   - run: The effect.
  ///   - isClean: Whether the current task has no task-local values that the effect must not have:
  ///     then there are none to copy, and the priority comes along for nothing.
  /// - Returns: Its task.
  @inlinable
  static func startAway(_ run: Run, isClean: Bool) -> EffectTask {
    guard isClean, !SimulatedExecutor.isAny else { return startAwayDetached(run) }
    guard #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *), ImmediateStart.isThere
    else { return startAway(run, with: nil) }
    while true {
      let task = EffectTask.immediate { () async throws -> Void in await runToEnd(run) }
      if !SimulatedExecutor.isNever { return task }
    }
  }

  @inlinable @inline(never)
  static func startAwayDetached(_ run: Run) -> EffectTask {
    guard PipelineTasks.areOrdinary,
      #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *), ImmediateStart.isThere
    else { return startAway(run, with: nil) }
    while true {
      let task = EffectTask.immediateDetached { () async throws -> Void in await runToEnd(run) }
      if !SimulatedExecutor.isNever { return task }
    }
  }

  @usableFromInline
  static func startAway(_ run: Run, with priority: TaskPriority?) -> EffectTask {
    PipelineTasks.effect(priority) { () async throws -> Void in await runToEnd(run) }
  }

  @inlinable @inline(__always)
  static func runToEnd(_ run: Run) async {
    // Not by `take()`, which would adapt it to a generic parameter.
    guard let body = run.body else { return }
    run.body = nil
    let ending: EffectEnding
    do {
      try await body(run.emitter)
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
    return endPieceAway(of: run)
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
    let isCancelled = run.isCancelled
    run.end()
    tell(.effectEnded(ObjectIdentifier(run), number: run.number, ending.end(isCancelled)))
    if run.isRegistered { endWork(of: run.number, run) }
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
  /// The loops go round once, as in ``PipelineCore/startAway(_:isClean:)``.
  @inlinable
  func startHere(_ run: EffectRun<PipelineCore<Self>>, isClean: Bool) -> EffectTask {
    guard isClean, !SimulatedExecutor.isAny else { return startHereDetached(run) }
    guard #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *), ImmediateStart.isThere
    else { return startHere(run, with: nil) }
    while true {
      let task = EffectTask.immediate { () async throws -> Void in await self.runToEnd(run) }
      if !SimulatedExecutor.isNever { return task }
    }
  }

  @inlinable @inline(never)
  func startHereDetached(_ run: EffectRun<PipelineCore<Self>>) -> EffectTask {
    guard PipelineTasks.areOrdinary,
      #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *), ImmediateStart.isThere
    else { return startHere(run, with: nil) }
    while true {
      let task = EffectTask.immediateDetached { () async throws -> Void in await self.runToEnd(run)
      }
      if !SimulatedExecutor.isNever { return task }
    }
  }

  @usableFromInline
  func startHere(
    _ run: EffectRun<PipelineCore<Self>>, with priority: TaskPriority?
  ) -> EffectTask {
    PipelineTasks.effect(priority) { () async throws -> Void in await self.runToEnd(run) }
  }

  @inlinable @inline(__always)
  func runToEnd(_ run: EffectRun<PipelineCore<Self>>) async {
    // Not by `take()`, which would adapt it to a generic parameter.
    guard let body = run.body else { return }
    run.body = nil
    do {
      try await body(run.emitter)
      run.owner.ended(run, .finished, on: self)
    } catch {
      run.owner.ended(run, .failed(error), on: self)
    }
  }
}
