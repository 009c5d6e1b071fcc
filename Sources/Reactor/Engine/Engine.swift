public import ReactorMachines
public import ReactorRuntime
public import Synchronization

/// The engine of a reactor: the only class that knows the reactor's type.
///
/// ```
/// inbox → transform(action:) → mutate → transform(mutation:) → reduce → transform(state:) → outlet
/// ```
///
/// | file | what it does |
/// |---|---|
/// | `Engine+Admit` | how an action is accepted: by `send`, `ask`, groups and others |
/// | `Engine+Turn` | from the inbox to the state, in the order in which it happens |
/// | `Engine+Work` | what runs besides turns: effects, and the three `transform` functions |
/// | `Engine+Lanes` | lanes, and the requests of other threads, such as cancellations |
/// | `Engine+Outlet` | what leaves the reactor: states, events, steps |
/// | `Engine+Wait` | waiting for an action, for how it ended, or for its answer |
/// | `Engine+Lifecycle` | the beginning and the end |
///
/// **Where to insert code** that has to run for all of something. What few reactors need is checked
/// only while a flag is set:
///
/// - **Before an action is accepted**: `admit` of `InboxMachine`, under the inbox's lock; a sender
///   that has waited for capacity gets its number in `dequeue`. An action with which the reactor
///   begins, and the actions that a hook makes or merges, do not pass there.
/// - **All accepted actions**, before a hook: `passMiddleware`, only while
///   `turnState.checksEachAction`.
/// - **All effects**: `start` in `Engine+Work`, before the body is made. Only an effect that has a
///   context runs in one, made by `contextOfEffect`. Around `mutate`: `performInContext`, only if
///   something may be around it.
/// - **All mutations**: `reduce(_:of:on:)`. Replaying a journal reduces without an engine.
/// - **All states that are made while they are observed**, each once: `show`.
/// - **A field that has to be kept** while the reactor is idle is named in `isEmpty`, in
///   ``IsolatedDetails``.
///
/// Receipts, effects and streams reference the engine, never the reactor; the engine references the
/// reactor weakly.
///
/// Its memory: `turnState` and, made when needed, `details`, which the reactor's isolation guards;
/// `concurrentState` (``ConcurrentState``), made when needed, which any thread may access except
/// for the fields marked there as the reactor's. There may be a million idle engines. So what few
/// of them need is made when first needed, and the fields are in an order that needs no padding.
@usableFromInline
final class Engine<R: Reactor>: EffectOwner, Sendable {
  @usableFromInline typealias Action = R.Action
  @usableFromInline typealias Mutation = R.Mutation
  @usableFromInline typealias Slot = LaneSlot
  @usableFromInline typealias Run = EffectRun<Engine<R>>
  @usableFromInline typealias Hooks = PipelineHooks<R.Action, R.Mutation, R.State>
  @usableFromInline typealias Sinks = StepSinks<R.Action, R.Mutation, R.State, R.Output>
  @usableFromInline typealias Step = Sinks.Step

  @usableFromInline let inbox: Inbox<R.Action>
  /// Set when `shared` contains a request that the reactor has to process before it continues.
  @usableFromInline let hasRequests = Atomic(false)
  @usableFromInline let isConnected = Atomic(false)
  /// The options of the initializer, as bits: with one more byte, the weak reference would begin
  /// eight bytes later, and each reactor take sixteen more.
  @usableFromInline let options: UInt8
  /// Whether actions carry task-local values.
  @inlinable var carries: Bool { options & 1 != 0 }
  /// Whether the reactor begins with an action that was not sent.
  @inlinable var hasFirst: Bool { options & 2 != 0 }
  /// The reactor.
  ///
  /// Guard: written once, under the inbox's lock, before `isConnected`; read only after that.
  @exclusivity(unchecked) @usableFromInline nonisolated(unsafe) weak var weakReactor: R?
  /// The ``ConcurrentState``, once it has been made.
  ///
  /// Guard: itself, atomic; of what it points to, each part has its own.
  @usableFromInline nonisolated(unsafe) let concurrentStatePointer =
    Atomic<UnsafeMutableRawPointer?>(nil)
  /// Guard: the reactor's isolation; after the reactor is released, the owner of the last
  /// reference.
  ///
  /// Once the reactor has ended nothing changes any more, and any thread may read the last state.
  @exclusivity(unchecked) @usableFromInline nonisolated(unsafe) var turnState = TurnState<R>()

  /// - Parameters:
  ///   - inbox: The inbox, in which the first action has its place.
  ///   - name: The reactor's name in reports.
  ///   - carried: The task-local values that actions carry.
  ///   - first: The action with which the reactor begins.
  @inlinable
  init(
    _ inbox: consuming Inbox<R.Action>, named name: String?, carrying carried: TaskLocals? = nil,
    first: R.Action?
  ) {
    self.inbox = inbox
    let carries = carried?.isEmpty == false
    options = (carries ? 1 : 0) | (first == nil ? 0 : 2)
    if let carried, carries {
      _ = ConcurrentState<R>.make(in: concurrentStatePointer, carrying: carried)
    }
    if let name { shared.withLock { $0.name(name) } }
    if let first { turnState.batch.append(Envelope(first, nil)) }
  }

  @inlinable
  deinit {
    // The lazily made blocks have no type here; each begins with its disposer.
    if let pointer = concurrentStatePointer.load(ordering: .acquiring) { Disposer.dispose(pointer) }
    if let details = turnState.details { Disposer.dispose(details.raw) }
  }

  // MARK: The reactor

  /// The reactor, if it has not been released.
  @inlinable var reactor: R? { isConnected.load(ordering: .acquiring) ? weakReactor : nil }

  /// Whether the reactor was connected and has been released.
  @inlinable var isReactorReleased: Bool {
    isConnected.load(ordering: .acquiring) && weakReactor == nil
  }

  /// The phase of the reactor's lifecycle.
  @inlinable var phase: LifecycleMachine.Phase { inbox.phase }

  /// The identity of the engine's reactor, also after that is released.
  @usableFromInline var identity: ReactorIdentity { shared.withLock { $0.identity } }

  /// Stores a weak reference to the engine's reactor.
  @inlinable
  func connect(_ reactor: R) {
    if !isConnected.load(ordering: .acquiring) { connectNow(reactor) }
  }

  @inlinable @inline(never)
  func connectNow(_ reactor: R) {
    guard reactor.pipeline.core === self else {
      preconditionFailure(
        "\(R.self): 'pipeline' makes a new pipeline each time; store one: let pipeline = Pipeline()"
      )
    }
    if SimulatedExecutor.isAny { SimulatedExecutor.reactorBegins(R.self) }
    inbox.contents.withLock { _ in
      guard !isConnected.load(ordering: .relaxed) else { return }
      weakReactor = reactor
      isConnected.store(true, ordering: .releasing)
    }
  }

  /// The reactor that an action is sent to, unless it is in its `deinit`: then it must not be
  /// retained.
  @inlinable
  func retainable(_ reactor: R) -> R? {
    if let retained = self.reactor, retained === reactor { return retained }
    weak let sent = reactor
    precondition(
      sent == nil,
      "\(R.self): two reactors share one pipeline; give each its own: let pipeline = Pipeline()")
    return nil
  }

  // MARK: Scheduling

  /// Makes the job that takes the waiting actions.
  @inlinable
  func wake(_ reactor: R) {
    let isFirst = !isConnected.load(ordering: .relaxed)
    connect(reactor)
    if let reactor = retainable(reactor) { _ReactorEngine.makeJob(of: reactor, isFirst: isFirst) }
  }

  /// Makes sure that there will be a job, if the reactor exists.
  @usableFromInline
  func requestJob() {
    if let reactor, inbox.requestJob() { wake(reactor) }
  }

  // MARK: Outcomes and reports

  /// Records how an action ended in another way than by finishing.
  @inlinable
  func note(_ end: ActionOutcome, of number: UInt64) {
    ledger.note(end, of: number)
    notifyOutcome(end, of: number)
  }

  /// An action, or the rest of it, is discarded.
  @inlinable
  func discard(
    _ action: R.Action, _ number: UInt64, as end: ActionOutcome, _ problem: ReactorReport.Problem?
  ) {
    note(end, of: number)
    if let problem { report(problem, action, number) }
  }

  /// Reports a problem; observers and sinks receive it first.
  ///
  /// If the sinks answer for reports, no line is written.
  @usableFromInline
  func report(_ problem: ReactorReport.Problem, _ action: R.Action?, _ number: UInt64? = nil) {
    let identity = identity
    let report = ReactorReport(
      of: R.self, identity: identity, action: action,
      actionNumber: number.map(ActionNumber.init), problem: problem)
    if ReactorObservers.isAny { ObserverEntry.notify(report, to: observers, in: identity) }
    let steps = steps
    steps?.receive(.report(report))
    ReactorReports.suppressingLines(steps?.handleReports == true) {
      if let reactor { reactor.report(report) } else { ReactorReports.deliver(report) }
    }
  }

  /// A piece of an action's work has ended.
  ///
  /// After the last one the action settles, once the sinks have been notified of its end.
  @inlinable
  func endWork(of number: UInt64, _ run: Run? = nil) {
    guard let settled = ledger.end(number, run) else { return }
    notify(.ended(number: number))
    settled.open()
  }

  /// Settles an action that never had a turn.
  @usableFromInline
  func settleUntaken(_ number: UInt64) {
    notify(.ended(number: number))
    settleIfIdle(number)
  }

  /// Settles an action that has left no work behind.
  ///
  /// Not inlined: few actions need it, and the code that the others run is shorter without it.
  @inlinable @inline(never)
  func settleIfIdle(_ number: UInt64) {
    let hasWaiters = ledger.settleIfIdle(number)
    // Actions are taken in order. So an earlier action that is still waited for has work in the
    // ledger.
    let concurrentState = concurrentState
    concurrentState.pointee.awaited =
      hasWaiters ? max(concurrentState.pointee.awaited, number &+ 1) : .max
    turnState.isAwaited = hasWaiters
  }

  /// Checks for waiters after each turn from this action's on.
  @inlinable
  func checkForWaiters(from number: UInt64) {
    concurrentState.pointee.awaited = min(concurrentState.pointee.awaited, number)
    turnState.isAwaited = true
  }

  // MARK: Lazily made state

  /// The concurrent state, if it has been needed.
  @inlinable var concurrentStateIfMade: LazyBlock<ConcurrentState<R>>? {
    @inline(__always) get {
      guard let raw = concurrentStatePointer.load(ordering: .acquiring) else { return nil }
      return LazyBlock(at: raw)
    }
  }

  @inlinable var concurrentState: LazyBlock<ConcurrentState<R>> {
    @inline(__always) get {
      concurrentStateIfMade ?? ConcurrentState.make(in: concurrentStatePointer)
    }
  }

  @inlinable var ledger: WorkLedger {
    @inline(__always) _read { yield concurrentState.pointee.ledger }
  }

  @inlinable var shared: Guarded<LockedState<R>> {
    @inline(__always) _read { yield concurrentState.pointee.shared }
  }

  /// The fields of `shared` that hardly any reactor has, if `shared` has been made.
  func rareIfMade<Value: Sendable>(_ body: (inout LockedState<R>.RareFields) -> Value) -> Value? {
    concurrentStateIfMade?.pointee.shared.withLock { body(&$0.rare) }
  }

  /// The hooks, once they have been called; for any thread.
  var sharedHooks: Hooks? { rareIfMade { $0.hooks } ?? nil }

  /// The streams of actions, outputs and restarts.
  @inlinable var events: PipelineEvents<R> {
    @inline(__always) get { PipelineEvents(concurrentState) }
  }

  /// The effect on the reactor whose body has not suspended yet.
  ///
  /// Guard: the reactor's isolation.
  @inlinable var starting: EffectRun<Engine<R>>? {
    get { concurrentStateIfMade?.pointee.starting }
    set { concurrentState.pointee.starting = newValue }
  }

  /// How many states have been made while there was a broadcast for them.
  ///
  /// Guard: the reactor's isolation; any thread's once the reactor has ended.
  @inlinable var version: UInt64 {
    get { concurrentStateIfMade?.pointee.version ?? 0 }
    _modify { yield &concurrentState.pointee.version }
  }

  /// The fields that few reactors need; made here if this one has not needed them yet.
  ///
  /// Guard: the reactor's isolation.
  @inlinable var details: IsolatedDetails<R> {
    @inline(__always) _read {
      let block = turnState.details ?? turnState.makeDetails()
      yield block.pointee
    }
    @inline(__always) _modify {
      let block = turnState.details ?? turnState.makeDetails()
      yield &block.pointee
    }
  }

  /// Frees the details if the reactor is idle and needs none of them.
  @inlinable
  func removeUnused(on reactor: isolated R) {
    guard let details = turnState.details, !turnState.isTaking else { return }
    if details.pointee.observersVersion != nil, !ReactorObservers.isAny {
      followObservers(on: reactor)
    }
    guard details.pointee.isEmpty else { return }
    turnState.details = nil
    details.free()
  }
}
