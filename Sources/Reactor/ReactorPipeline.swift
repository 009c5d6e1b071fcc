import ReactorMachines
import ReactorRuntime

/// The storage of a reactor: everything between `send` and `state`.
///
/// An author declares one, `let pipeline = Pipeline()`, and never touches it again. It belongs to
/// one reactor, in which it stands; when the reactor goes, so does the pipeline, and that ends its
/// effects and streams.
public struct ReactorPipeline<R: Reactor>: ~Copyable, Sendable {
  @usableFromInline let core: Engine<R>

  /// Storage for one reactor; the pipeline starts when it is first needed.
  ///
  /// - Parameters:
  ///   - name: What the reactor is called in reports, beside its type and number; it takes some
  ///     memory from the start, which other reactors take when they first need it.
  ///   - limit: How many actions may wait that have been sent and not been taken, at least 1; one
  ///     that comes when they do is refused, and reported. Effects that run, and actions that wait
  ///     in a lane, do not count.
  ///   - suspendsSenders: Whether `await sendWhenRoom(_:)` waits for room instead; `send(_:)`,
  ///     which cannot, is refused.
  ///   - first: An action that the reactor takes before any other, by itself, when it is first sent
  ///     to or looked at; not again after a ``Reactor/Reactor/restart(from:)``. A reactor that is
  ///     never needed, or is stopped before, does not take it.
  @inlinable
  public init(
    named name: String? = nil, inboxLimit limit: Int = .max, suspendsSenders: Bool = false,
    first: R.Action? = nil
  ) {
    core = Engine(
      Inbox(limit: limit, suspendsSenders: suspendsSenders, hasFirst: first != nil),
      named: name, first: first)
  }

  /// Storage for one reactor whose actions bring task-local values along from their senders.
  ///
  /// - Parameters:
  ///   - name: What the reactor is called in reports, beside its type and number.
  ///   - limit: How many actions may wait, at least 1.
  ///   - suspendsSenders: Whether `await sendWhenRoom(_:)` waits while as many wait.
  ///   - carried: Which task-local values.
  ///   - first: An action that the reactor takes before any other; it brings none along.
  public init(
    named name: String? = nil, inboxLimit limit: Int = .max, suspendsSenders: Bool = false,
    carrying carried: TaskLocals, first: R.Action? = nil
  ) {
    core = Engine(
      Inbox(limit: limit, suspendsSenders: suspendsSenders, hasFirst: first != nil),
      named: name, carrying: carried, first: first)
  }

  @inlinable
  deinit { core.reactorIsGone() }
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
    if core.phase == .idle { core.startTaking(on: reactor) }
    core.events.changeSinks { $0 + [sink] }
    core.watchStates(on: reactor)
    if core.phase == .stopped { sink.receive(.stopped) }
    return core.current(on: reactor)
  }

  /// The actions whose work has not ended: those whose effects run, and those that wait in a lane.
  package func openActions(on reactor: isolated R) -> [R.Action] {
    let parked = core.details.lanes.parked.sorted { $0.key < $1.key }
    return core.runs().map(\.action) + parked.map(\.value.action)
  }

  // MARK: Stubs

  /// Makes a stub of a reactor that has yet to begin.
  package func becomeStub(
    on reactor: isolated R, _ record: @escaping @Sendable (R.Action) -> Void
  ) -> Bool {
    guard core.inbox.becomeStub() else { return false }
    core.beginStub(on: reactor, record)
    return true
  }

  /// Shows a state of a stub, as if it had been reduced.
  package func push(_ state: R.State, on reactor: isolated R) {
    guard core.phase == .stubbed else { return }
    core.readMail(on: reactor)
    core.own.state = state
    core.version &+= 1
    core.details.live?.publish(state, number: core.version)
  }

  // MARK: Journals

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
    for number in Set(core.runs().map(\.number)) { core.cancelNow(number, on: reactor) }
  }

  /// Returns once everything that has been reduced by now is durable.
  nonisolated(nonsending) package func durable() async throws {
    try await core.passStage(isAsked: true)
  }
}

extension ReactorPipeline {
  /// Storage for one reactor whose actions pass through middleware.
  ///
  /// - Parameters:
  ///   - name: What the reactor is called in reports, beside its type and number.
  ///   - limit: How many actions may wait, at least 1.
  ///   - suspendsSenders: Whether `await sendWhenRoom(_:)` waits while as many wait.
  ///   - carried: Which task-local values actions bring along from their senders; they are there in
  ///     the middleware, too.
  ///   - middleware: The stages, in the order in which an action passes them.
  ///   - first: An action that the reactor takes before any other; it passes them, too.
  public init(
    named name: String? = nil, inboxLimit limit: Int = .max, suspendsSenders: Bool = false,
    carrying carried: TaskLocals = .none,
    through middleware: [any ActionMiddleware], first: R.Action? = nil
  ) {
    core = Engine(
      Inbox(limit: limit, suspendsSenders: suspendsSenders, hasFirst: first != nil),
      named: name, carrying: carried, first: first)
    guard !middleware.isEmpty else { return }
    core.details.middleware = MiddlewareChain(middleware, of: core)
    core.own.looksAtEach = true
  }
}
