import ReactorMachines
import ReactorRuntime

/// The storage of a reactor: the inbox, the effects, the state and its streams.
///
/// An author declares one, `let pipeline = Pipeline()`, and uses it nowhere else. It belongs to the
/// reactor that declares it. It is released together with the reactor, which ends its effects and
/// streams.
public struct ReactorPipeline<R: Reactor>: ~Copyable, Sendable {
  @usableFromInline let core: Engine<R>

  /// Creates the storage for one reactor; the pipeline starts when it is first needed.
  ///
  /// - Parameters:
  ///   - name: The reactor's name in reports, beside its type and number. It takes some memory from
  ///     the start, which other reactors take when they first need it.
  ///   - limit: How many actions may wait that have been sent and not been taken, at least 1. A
  ///     further action is refused and reported. Running effects, and actions that wait in a lane,
  ///     do not count.
  ///   - suspendsSenders: Whether `await sendWhenRoom(_:)` waits for capacity instead. `send(_:)`,
  ///     which cannot wait, is still refused.
  ///   - first: An action that the reactor takes by itself before any other, when an action is
  ///     first sent, or the state is first read or observed; not again after a
  ///     ``Reactor/Reactor/restart(from:)``. A reactor that is never needed, or is stopped before,
  ///     does not take it.
  @inlinable
  public init(
    named name: String? = nil, inboxLimit limit: Int = .max, suspendsSenders: Bool = false,
    first: R.Action? = nil
  ) {
    core = Engine(
      Inbox(limit: limit, suspendsSenders: suspendsSenders, hasFirst: first != nil),
      named: name, first: first)
  }

  /// Creates the storage for one reactor whose actions carry task-local values of their senders.
  ///
  /// - Parameters:
  ///   - name: The reactor's name in reports, beside its type and number.
  ///   - limit: How many actions may wait, at least 1.
  ///   - suspendsSenders: Whether `await sendWhenRoom(_:)` waits while the inbox is full.
  ///   - carried: The task-local values.
  ///   - first: An action that the reactor takes before any other; it carries none.
  public init(
    named name: String? = nil, inboxLimit limit: Int = .max, suspendsSenders: Bool = false,
    carrying carried: TaskLocals, first: R.Action? = nil
  ) {
    core = Engine(
      Inbox(limit: limit, suspendsSenders: suspendsSenders, hasFirst: first != nil),
      named: name, carrying: carried, first: first)
  }

  @inlinable
  deinit { core.reactorReleased() }
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

  // MARK: Stubs and tests

  /// Which refusals are possible besides those of lanes: by a full inbox, and by middleware.
  package func refusals(on reactor: isolated R) -> (isLimited: Bool, hasMiddleware: Bool) {
    let isLimited = core.inbox.contents.withLock { $0.machine.limit != .max }
    return (isLimited, core.turnState.details?.pointee.middleware != nil)
  }

  /// Starts a reactor under test with a state; the initial state is not read.
  ///
  /// A journaled reactor then has no journal: nothing that leaves it is held back.
  ///
  /// - Returns: Whether the reactor had not started yet; otherwise nothing has been done.
  package func begin(from state: R.State, on reactor: isolated R) -> Bool {
    guard core.phase == .idle else { return false }
    core.turnState.state = state
    core.startTaking(on: reactor)
    return true
  }

  /// Makes a stub of a reactor that has not started yet, with its initial state or another.
  package func becomeStub(
    on reactor: isolated R, from state: R.State? = nil,
    _ record: @escaping @Sendable (R.Action) -> Void
  ) -> Bool {
    guard core.inbox.becomeStub() else { return false }
    core.beginStub(on: reactor, record)
    if let state { core.turnState.state = state }
    return true
  }

  /// Publishes a state of a stub, as if it had been reduced.
  package func push(_ state: R.State, on reactor: isolated R) {
    guard core.phase == .stubbed else { return }
    core.processRequests(on: reactor)
    core.turnState.state = state
    core.version &+= 1
    core.details.reducedStates?.publish(state, number: core.version)
  }

  // MARK: Journals

  /// Starts with a state that was restored from a journal.
  ///
  /// - Returns: Whether the reactor had not started yet; otherwise nothing has been done.
  package func open(
    from state: R.State, through stage: PipelineOutputStage<R>, on reactor: isolated R
  ) -> Bool {
    guard core.phase == .idle else { return false }
    core.shared.withLock { $0.rare.outputStage = stage }
    core.details.outputStage = stage
    core.turnState.state = state
    core.startTaking(on: reactor)
    return true
  }

  /// The stage that holds back what leaves the reactor, once a journal has opened it; any thread.
  package var outputStage: PipelineOutputStage<R>? { core.sharedOutputStage }

  /// Reduces a mutation that no action emitted.
  ///
  /// - Returns: Whether it was reduced; that is so only while the reactor takes actions.
  package func reduce(_ mutation: R.Mutation, on reactor: isolated R) -> Bool {
    guard isRunning(on: reactor) else { return false }
    core.reduce(mutation, of: nil, on: reactor)
    return true
  }

  /// Whether it takes actions.
  package func isRunning(on reactor: isolated R) -> Bool { core.phase == .running }

  /// Cancels the work of all actions that have running effects.
  package func cancelEffects(on reactor: isolated R) {
    for number in Set(core.runs().map(\.number)) { core.cancelNow(number, on: reactor) }
  }

  /// Returns once everything that has been reduced by now is durable.
  nonisolated(nonsending) package func durable() async throws {
    try await core.passStage(isAsked: true)
  }
}

extension ReactorPipeline {
  /// Creates the storage for one reactor whose actions pass through middleware.
  ///
  /// - Parameters:
  ///   - name: The reactor's name in reports, beside its type and number.
  ///   - limit: How many actions may wait, at least 1.
  ///   - suspendsSenders: Whether `await sendWhenRoom(_:)` waits while the inbox is full.
  ///   - carried: The task-local values that actions carry from their senders; they are bound in
  ///     the middleware, too.
  ///   - middleware: The stages, in the order in which an action passes them.
  ///   - first: An action that the reactor takes before any other; it passes through the
  ///     middleware, too.
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
    core.turnState.checksEachAction = true
  }
}
