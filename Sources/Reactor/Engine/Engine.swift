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
/// | `Engine+Admit` | how an action enters: `send`, `ask`, groups and others |
/// | `Engine+Turn` | from the inbox to the state, in the order in which it happens |
/// | `Engine+Work` | what goes on beside turns: effects, and the three `transform` functions |
/// | `Engine+Lanes` | lanes, and what is cancelled or otherwise left by other threads |
/// | `Engine+Outlet` | what leaves: states, events, steps |
/// | `Engine+Wait` | waiting for an action, for how it ended, or for its answer |
/// | `Engine+Life` | the beginning and the end |
///
/// **Where ways meet**, for code that is to be put in between; what few need is looked at only
/// while a flag says so:
///
/// - **Before an action is accepted**: `admit` of `InboxMachine`, under the inbox's lock; a sender
///   that has waited for room gets its number in `dequeue`. What begins the reactor, and what a
///   hook makes or merges, does not come there.
/// - **All accepted actions**, before a hook: `passMiddleware`, only while `own.looksAtEach`.
/// - **All effects**: `start` in `Engine+Work`, before the body is made. Only an effect that has a
///   context runs in one, made by `contextOfEffect`. Around `mutate`: `performInContext`, only
///   where something may be around it.
/// - **All mutations**: `reduce(_:of:on:)`. Replaying a journal folds without a pipeline.
/// - **All states that are made while they are observed**, each once: `show`.
/// - **A field that is to stay** while the reactor does nothing is named in `isEmpty`, in
///   ``IsolatedExtras``.
///
/// Receipts, effects and streams hold this, never the reactor; the reactor is held weakly here.
///
/// Its memory: `own` and, made when needed, `details`, which the reactor's isolation guards;
/// `parts` (``AnyThreadParts``), made when needed, which any thread may touch but for what is
/// marked there as the reactor's. There may be a million of these that do nothing. What few of them
/// need is made when it is first needed, and the fields are in the order that needs no padding.
@usableFromInline
final class Engine<R: Reactor>: EffectOwner, Sendable {
  @usableFromInline typealias Action = R.Action
  @usableFromInline typealias Mutation = R.Mutation
  @usableFromInline typealias Place = LaneSlot
  @usableFromInline typealias Run = EffectRun<Engine<R>>
  @usableFromInline typealias Hooks = PipelineHooks<R.Action, R.Mutation, R.State>
  @usableFromInline typealias Sinks = StepSinks<R.Action, R.Mutation, R.State, R.Output>
  @usableFromInline typealias Step = Sinks.Step

  @usableFromInline let inbox: Inbox<R.Action>
  /// Set when there is something in `shared` that the reactor should look at before it goes on.
  @usableFromInline let hasMail = Atomic(false)
  @usableFromInline let isConnected = Atomic(false)
  /// What was said when it was made, in bits: with one byte more the weak reference would begin
  /// eight bytes later, and each reactor take sixteen more.
  @usableFromInline let marks: UInt8
  /// Whether actions bring task-local values along.
  @inlinable var carries: Bool { marks & 1 != 0 }
  /// Whether an action waits that nothing has sent, for the reactor to begin with.
  @inlinable var hasFirst: Bool { marks & 2 != 0 }
  /// The reactor.
  ///
  /// Guard: written once, under the inbox's lock, before `isConnected`; read only after that.
  @exclusivity(unchecked) @usableFromInline nonisolated(unsafe) weak var weakReactor: R?
  /// The ``AnyThreadParts``, once they have been made.
  ///
  /// Guard: itself, atomic; of what it points to, each part has its own.
  @usableFromInline nonisolated(unsafe) let madeParts = Atomic<UnsafeMutableRawPointer?>(nil)
  /// Guard: the reactor's isolation; when the reactor is gone, whatever has the last reference.
  ///
  /// Once the reactor has ended nothing changes any more, and any thread may read the last state.
  @exclusivity(unchecked) @usableFromInline nonisolated(unsafe) var own = TurnState<R>()

  /// - Parameters:
  ///   - inbox: The inbox, in which the first action has its place.
  ///   - name: What the reactor is called in reports.
  ///   - carried: The task-local values that actions bring along.
  ///   - first: The action to begin with.
  @inlinable
  init(
    _ inbox: consuming Inbox<R.Action>, named name: String?, carrying carried: TaskLocals? = nil,
    first: R.Action?
  ) {
    self.inbox = inbox
    let carries = carried?.isEmpty == false
    marks = (carries ? 1 : 0) | (first == nil ? 0 : 2)
    if let carried, carries { _ = AnyThreadParts<R>.make(in: madeParts, carrying: carried) }
    if let name { shared.withLock { $0.name(name) } }
    if let first { own.batch.append(Envelope(first, nil)) }
  }

  @inlinable
  deinit {
    // The lazily made blocks have no type here; each begins with what can destroy it.
    if let parts = madeParts.load(ordering: .acquiring) { Disposer.dispose(parts) }
    if let details = own.details { Disposer.dispose(details.raw) }
  }

  // MARK: The reactor

  /// The reactor, if it is still there.
  @inlinable var reactor: R? { isConnected.load(ordering: .acquiring) ? weakReactor : nil }

  /// Whether the reactor was there and is no more.
  @inlinable var isGone: Bool { isConnected.load(ordering: .acquiring) && weakReactor == nil }

  /// How far its life has come.
  @inlinable var phase: LifeMachine.Phase { inbox.phase }

  /// Which reactor it is the engine of; also when that is gone.
  @usableFromInline var identity: ReactorIdentity { shared.withLock { $0.identity } }

  /// Remembers, weakly, whose engine this is.
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

  /// The reactor that an action is sent to, unless it is in its `deinit`: then it must not be held.
  @inlinable
  func living(_ reactor: R) -> R? {
    if let living = self.reactor, living === reactor { return living }
    weak let sent = reactor
    precondition(
      sent == nil,
      "\(R.self): two reactors share one pipeline; give each its own: let pipeline = Pipeline()")
    return nil
  }

  // MARK: Waking it

  /// Makes the job that takes what waits.
  @inlinable
  func wake(_ reactor: R) {
    let isFirst = !isConnected.load(ordering: .relaxed)
    connect(reactor)
    if let living = living(reactor) { _ReactorEngine.makeJob(of: living, isFirst: isFirst) }
  }

  /// Sees to it that a job comes, if the reactor is there.
  @usableFromInline
  func requestJob() {
    if let reactor, inbox.requestJob() { wake(reactor) }
  }

  // MARK: What becomes of actions

  /// Writes down how an action ended, other than by finishing.
  @inlinable
  func note(_ end: ActionOutcome, of number: UInt64) {
    ledger.note(end, of: number)
    tellNoted(end, of: number)
  }

  /// An action, or what is left of it, is given up.
  @inlinable
  func lose(
    _ action: R.Action, _ number: UInt64, as end: ActionOutcome, _ problem: ReactorReport.Problem?
  ) {
    note(end, of: number)
    if let problem { report(problem, action, number) }
  }

  /// Reports a problem; observers and sinks receive it first, of which one may answer for it.
  @usableFromInline
  func report(_ problem: ReactorReport.Problem, _ action: R.Action?, _ number: UInt64? = nil) {
    let identity = identity
    let report = ReactorReport(
      of: R.self, identity: identity, action: action,
      actionNumber: number.map(ActionNumber.init), problem: problem)
    if ReactorObservers.isAny { ObserverEntry.tell(report, to: observers, in: identity) }
    let steps = steps
    steps?.receive(.report(report))
    ReactorReports.withoutLines(steps?.answerForReports == true) {
      if let reactor { reactor.report(report) } else { ReactorReports.deliver(report) }
    }
  }

  /// A piece of an action's work has ended; with the last one the action settles, once sinks know
  /// that it has ended.
  @inlinable
  func endWork(of number: UInt64, _ run: Run? = nil) {
    guard let settled = ledger.end(number, run) else { return }
    tell(.ended(number: number))
    settled.open()
  }

  /// Settles an action that never had a turn.
  @usableFromInline
  func settleUntaken(_ number: UInt64) {
    tell(.ended(number: number))
    settleIfIdle(number)
  }

  /// Settles an action that has left no work behind.
  ///
  /// Not inlined: few actions come here, and the code that the others run is shorter for it.
  @inlinable @inline(never)
  func settleIfIdle(_ number: UInt64) {
    let hasWaiters = ledger.settleIfIdle(number)
    // Actions are taken in order; what was taken before and is still awaited has work in the
    // ledger.
    let parts = parts
    parts.pointee.awaited = hasWaiters ? max(parts.pointee.awaited, number &+ 1) : .max
    own.isAwaited = hasWaiters
  }

  /// Looks, after each turn from this action's on, for what waits.
  @inlinable
  func watch(for number: UInt64) {
    parts.pointee.awaited = min(parts.pointee.awaited, number)
    own.isAwaited = true
  }

  // MARK: What is made when it is needed

  /// The parts, if they have been needed yet.
  @inlinable var partsIfMade: LazyBlock<AnyThreadParts<R>>? {
    @inline(__always) get {
      guard let raw = madeParts.load(ordering: .acquiring) else { return nil }
      return LazyBlock(at: raw)
    }
  }

  @inlinable var parts: LazyBlock<AnyThreadParts<R>> {
    @inline(__always) get { partsIfMade ?? AnyThreadParts.make(in: madeParts) }
  }

  @inlinable var ledger: WorkLedger {
    @inline(__always) _read { yield parts.pointee.ledger }
  }

  @inlinable var shared: Guarded<SharedNotes<R>> {
    @inline(__always) _read { yield parts.pointee.shared }
  }

  /// What of `shared` hardly any reactor has, if `shared` has been made.
  func rareIfMade<Value: Sendable>(_ body: (inout SharedNotes<R>.Rare) -> Value) -> Value? {
    partsIfMade?.pointee.shared.withLock { body(&$0.rare) }
  }

  /// The streams of actions, outputs and restarts.
  @inlinable var events: PipelineEvents<R> {
    @inline(__always) get { PipelineEvents(parts) }
  }

  /// The effect on the reactor whose body has yet to suspend for the first time.
  ///
  /// Guard: the reactor's isolation.
  @inlinable var starting: EffectRun<Engine<R>>? {
    get { partsIfMade?.pointee.starting }
    set { parts.pointee.starting = newValue }
  }

  /// How many states have been made while there was somewhere for them to go.
  ///
  /// Guard: the reactor's isolation; any thread's once the reactor has ended.
  @inlinable var version: UInt64 {
    get { partsIfMade?.pointee.version ?? 0 }
    _modify { yield &parts.pointee.version }
  }

  /// What few reactors need; made here if this one has not needed it yet.
  ///
  /// Guard: the reactor's isolation.
  @inlinable var details: IsolatedExtras<R> {
    @inline(__always) _read {
      let block = own.details ?? own.makeDetails()
      yield block.pointee
    }
    @inline(__always) _modify {
      let block = own.details ?? own.makeDetails()
      yield &block.pointee
    }
  }

  /// Gives the details back, if the reactor does nothing and needs nothing of them.
  @inlinable
  func tidy(on reactor: isolated R) {
    guard let details = own.details, !own.isTaking else { return }
    if details.pointee.observersVersion != nil, !ReactorObservers.isAny {
      followObservers(on: reactor)
    }
    guard details.pointee.isEmpty else { return }
    own.details = nil
    details.free()
  }
}
