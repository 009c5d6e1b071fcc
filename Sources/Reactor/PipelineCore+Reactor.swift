public import ReactorMachines
public import Synchronization

/// The pipeline's way to its reactor, which it holds weakly: to know it, to wake it, and to report.
extension PipelineCore {
  /// The reactor, if it is still there.
  @inlinable
  var reactor: R? { isConnected.load(ordering: .acquiring) ? weakReactor : nil }

  /// Whether the reactor was there and is no more.
  @inlinable var isGone: Bool { isConnected.load(ordering: .acquiring) && weakReactor == nil }

  /// Remembers, weakly, whose pipeline this is.
  @inlinable
  func connect(_ reactor: R) {
    if !isConnected.load(ordering: .acquiring) { connectNow(reactor) }
  }

  @inlinable @inline(never)
  func connectNow(_ reactor: R) {
    guard reactor.pipeline.core === self else { return isNotKept() }
    if SimulatedExecutor.isAny { SimulatedExecutor.reactorBegins(R.self) }
    inbox.contents.withLock { _ in
      guard !isConnected.load(ordering: .relaxed) else { return }
      weakReactor = reactor
      isConnected.store(true, ordering: .releasing)
    }
  }

  /// An author's `pipeline` makes another one each time that it is asked for.
  @usableFromInline
  func isNotKept() {
    preconditionFailure(
      "\(R.self): 'pipeline' makes a new pipeline each time; store one: let pipeline = Pipeline()")
  }

  /// Whoever sends to this pipeline is not its reactor: that one is in its `deinit`, or two share
  /// it.
  @usableFromInline
  func isNotHome(of reactor: R) {
    weak let living = reactor
    if living == nil { return }
    preconditionFailure(
      "\(R.self): two reactors share one pipeline; give each its own: let pipeline = Pipeline()")
  }

  /// How far its life has come.
  @inlinable var phase: LifeMachine.Phase { inbox.phase }

  // MARK: Waking

  /// Sees to it that the inbox is drained, by a job that exists only while there is work.
  ///
  /// The job is the reactor's own, where its type is known: see ``_ReactorEngine``. It begins on a
  /// thread of the pool, from where an actor there is one step away; where the reactor runs on the
  /// main actor's executor it begins there, without waking another thread on the way.
  ///
  /// The first one of all is queued at the reactor. Whoever waits for it comes to the reactor
  /// behind it, and one thread does both: of a reactor that is made, used once and released, two
  /// would get into each other's way, in its memory and in the allocator. Later, whoever waits had
  /// better do the job's work in place of it, which one that is queued there already would prevent.
  ///
  /// What a job does is written down for each kind of it: a function around it would have the frame
  /// that it saves.
  @inlinable
  func wake(_ reactor: R) {
    let isFirst = !isConnected.load(ordering: .relaxed)
    connect(reactor)
    // Asked for anew: a reactor that is in its `deinit` is not there any more, and must not be
    // held.
    guard let living = self.reactor, living === reactor else { return isNotHome(of: reactor) }
    if MainExecutor.runs(living) {
      PipelineTasks.make { @MainActor in
        if await !R._engine.drainAtOnce(living) { await R._engine.drain(living) }
      }
    } else if !PipelineTasks.areOrdinary {
      PipelineTasks.make {
        if await !R._engine.drainAtOnce(living) { await R._engine.drain(living) }
      }
    } else if isFirst {
      let makeThere = IsolatedCall<R> { living in
        PipelineTasks.makeOrdinary { () async throws -> Void in
          if !R._engine.drainAtOnce(living) { await R._engine.drain(living) }
        }
      }
      makeThere(for: living)
    } else {
      PipelineTasks.makeOrdinary { () async throws -> Void in
        if await !R._engine.drainAtOnce(living) { await R._engine.drain(living) }
      }
    }
  }

  /// Sees to it that a job comes for those who have got a slot.
  @usableFromInline
  func requestTurns(of reactor: R) {
    if hasReady, inbox.requestJob() { wake(reactor) }
  }

  // MARK: Reporting

  /// Inlinable: a lane that debounces comes this way with each key.
  @inlinable @inline(never)
  func report(_ problem: ReactorReport.Problem, _ action: R.Action?, _ number: UInt64? = nil) {
    let report = ReactorReport(
      of: R.self, identity: shared.withLock { $0.identity }, action: action,
      actionNumber: number.map(ActionNumber.init), problem: problem)
    if ReactorObservers.isAny { observeReport(report) }
    if let steps { tell(report, to: steps) } else { deliver(report) }
  }

  /// Reports where somebody listens to the steps, who may answer for the report.
  @usableFromInline
  func tell(_ report: ReactorReport, to steps: Sinks) {
    steps.receive(.report(report))
    ReactorReports.withoutLines(steps.answerForReports) { deliver(report) }
  }

  @inlinable
  func deliver(_ report: ReactorReport) {
    if let reactor { reactor.report(report) } else { ReactorReports.deliver(report) }
  }
}
