public import Synchronization

/// The storage of a reactor: everything between `send` and `state`.
///
/// An author declares one, `let pipeline = Pipeline()`, and never touches it again. It belongs to
/// one reactor, in which it stands; when the reactor goes, so does the pipeline, and that ends its
/// effects and streams.
public struct ReactorPipeline<R: Reactor>: ~Copyable, Sendable {
  @usableFromInline let core: PipelineCore<R>

  /// Storage for one reactor; the pipeline starts when it is first needed.
  ///
  /// - Parameters:
  ///   - name: What the reactor is called in reports, beside its type and number; it takes some
  ///     memory from the start, which other reactors take when they first need it.
  ///   - limit: How many actions may wait, and what becomes of one that comes when they do.
  ///   - first: An action that the reactor takes before any other, by itself, when it is first sent
  ///     to or looked at; not again after a ``Reactor/Reactor/restart(from:)``. A reactor that is
  ///     never needed, or is stopped before, does not take it.
  @inlinable
  public init(
    named name: String? = nil, inbox limit: InboxLimit = .unlimited, first: R.Action? = nil
  ) {
    core = PipelineCore(inbox: limit, hasFirst: first != nil)
    if let name { core.name(name) }
    if let first { core.putFirst(first) }
  }

  /// Storage for one reactor whose actions bring task-local values along from their senders.
  ///
  /// - Parameters:
  ///   - name: What the reactor is called in reports, beside its type and number.
  ///   - limit: How many actions may wait, and what becomes of one that comes when they do.
  ///   - carried: Which task-local values.
  ///   - first: An action that the reactor takes before any other; it brings none along.
  public init(
    named name: String? = nil, inbox limit: InboxLimit = .unlimited, carrying carried: TaskLocals,
    first: R.Action? = nil
  ) {
    core = PipelineCore(inbox: limit, carrying: carried, hasFirst: first != nil)
    if let name { core.name(name) }
    if let first { core.putFirst(first) }
  }

  @inlinable
  deinit { core.reactorIsGone() }
}

/// The wiring: the only type that knows every part of the flow.
///
/// ```
/// inbox → transform(action:) → mutate → transform(mutation:) → reduce → transform(state:) → outlet
/// ```
///
/// Each arrow is a function of this class, or of ``Broadcast`` on the way out; `+…` is the
/// file `PipelineCore+….swift`, wherever it is:
///
/// | arrow | function | file |
/// |---|---|---|
/// | `send` → inbox | `accept`, `admit`, `wakeOrRefuse` | `Reactor+Send`, `Inbox` |
/// | a job, where there is none | `wake`, `drainAtOnce`, `drain` | `+Reactor`, `+Drain` |
/// | or whoever waits takes turns itself | `takeUpTo`, `workInPlace` | `+Settling`, `+Drain` |
/// | inbox → turn | `takeTurns`: `nextAction`, `handOn` | `Turns/PlainTurns`, `Turns/NextAction` |
/// | what other threads have left | `readMail`, at each step | `Turns/Mail` |
/// | middleware, before the hook | `passMiddleware`, called by `lookForAction` | `+Middleware` |
/// | → `mutate` | `take`, then `perform` | `Turn` |
/// | code put before `mutate` | `mutateInStages`, while `hasContextOrStage` | `+Stages` |
/// | what it returned | `carryOut` | `Turn` |
/// | → effect | `begin`, `start`, which calls `contextOfEffect` | `+Effects`, `+Context` |
/// | effect → | `takeEmitted` at once, else `deliver`; then `reduceEmitted` | `+Emitting` |
/// | its end | `runToEnd`, then `ended`, or in its place `endsAlone` | `+Effects` |
/// | hooks → | `takeFromHook`, `reduceFromHook` | `+Hooks` |
/// | → `reduce` | `reduce` | `+Reducing` |
/// | → observers | `show`, `showToAll`, `publish` | `+Reducing`, `+Outlet`, ``Broadcast`` |
/// | an observer comes | `subscribe`, `answer`; by mail `takeUpOutlet` | `+States`, `+Newcomers` |
/// | its next state | `next` | `StateSubscription` |
/// | an action settles with its turn | `closeTurn`, then `settleIfIdle` | `Turn`, `+Outlet` |
/// | or with the last of its work | `endPiece`, or `endPieceAway`, then the ledger | `+Outlet` |
///
/// **Where ways meet**, for whoever puts something in; what few need is looked at only while a flag
/// says so:
///
/// - **Before an action is accepted**: `admit` of ``Inbox``, by which `send`, `ask`, groups and
///   `outcome(of:)` enter, each under the inbox's lock; several that are sent together, and senders
///   that wait for room, have a function each beside it. What refuses an action is the
///   `InboxMachine`. What begins the reactor, and what a hook makes or merges, does not come there.
/// - **All accepted actions**, before a hook: `passMiddleware`, above its guard; only while
///   `own.looksAtEach`, the reasons for which are in `decideWhetherToLook`, in `+Numbers`.
/// - **All effects**: `start` in `+Effects`. Around each that runs by itself (a whole `concat` is
///   one, each part of an outermost `merge` is): `contextOfEffect`, always. Around `mutate`:
///   `inContext` in `Turn`, only while `mayHaveContext`.
/// - **All mutations**: `reduce(_:of:on:)` in `+Reducing`, and there before the state is moved out;
///   there is no flag. Replaying a journal folds without a pipeline.
/// - **All states that are made while somebody looks**, each once, whoever looks: `show` in
///   `+Reducing`. Observers of the reactor, steps and followers are shown theirs there.
/// - **All states on their way to streams**, or into `transform(state:)`, each once for all of
///   them: `showToAll(_:version:of:)` in `+Outlet`, of several sent together only the last. A state
///   that is asked for, by one who wants only the newest, is offered by `answer` in `+States`, what
///   a newcomer begins with by `showToNewcomers` in `+Newcomers`; the final one is shown by
///   `finishShowing`. What the hook makes of them goes out in `+Hooks`. `currentState`,
///   middleware, a group's snapshot and the journal are given `own.state` itself.
/// - **A field that is to stay** while the reactor does nothing is named in `isEmpty`, in
///   ``IsolatedExtras``.
///
/// Hooks are wired in ``callHooks(_:on:)``, below, and only where the author has written one. Where
/// `transform(mutation:)` is written, turns are taken as `Turns/HookedTurns` has it.
///
/// Its memory: `own` and, made when needed, `details`, which the reactor's isolation guards
/// (``TurnState`` and ``IsolatedExtras``, in one file); `parts` (``AnyThreadParts``), made when
/// needed, which any thread may touch but for what is marked there as the reactor's; in them
/// `shared` (``SharedNotes``), under one lock, and of that `rare`, which hardly anybody has.
///
/// Receipts, effects and streams hold this, never the reactor; the reactor is held weakly here.
///
/// Holds: what any thread may touch, each with its own lock or atomic; and what only the reactor's
/// isolation touches, marked so. When the reactor is gone, whoever has the last reference is alone
/// with it.
///
/// There may be a million of these that do nothing. What few of them need is made when it is first
/// needed, and the fields are in the order that needs no padding.
@usableFromInline
final class PipelineCore<R: Reactor>: EffectOwner, Sendable {
  @usableFromInline typealias Action = R.Action
  @usableFromInline typealias Mutation = R.Mutation
  @usableFromInline typealias Place = LaneSlot
  @usableFromInline typealias Run = EffectRun<PipelineCore<R>>
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
  /// Whether an action waits that nobody has sent, for the reactor to begin with.
  @inlinable var hasFirst: Bool { marks & 2 != 0 }
  /// The reactor.
  ///
  /// Guard: written once, under the inbox's lock, before `isConnected`; read only after that.
  @exclusivity(unchecked) @usableFromInline nonisolated(unsafe) weak var weakReactor: R?
  /// The ``AnyThreadParts``, once they have been made.
  ///
  /// Guard: itself, atomic; of what it points to, each part has its own.
  @usableFromInline nonisolated(unsafe) let madeParts = Atomic<UnsafeMutableRawPointer?>(nil)
  /// Guard: the reactor's isolation; when the reactor is gone, whoever has the last reference.
  ///
  /// Once the reactor has ended nothing changes any more, and any thread may read the last state.
  @exclusivity(unchecked) @usableFromInline nonisolated(unsafe) var own = TurnState<R>()

  @inlinable
  init(inbox limit: InboxLimit, hasFirst: Bool = false) {
    inbox = Inbox(limit)
    marks = hasFirst ? 2 : 0
  }

  /// For a reactor whose actions bring task-local values along.
  init(inbox limit: InboxLimit, carrying carried: TaskLocals, hasFirst: Bool) {
    inbox = Inbox(limit)
    marks = (carried.isEmpty ? 0 : 1) | (hasFirst ? 2 : 0)
    _ = makeParts(carrying: carried)
  }

  @inlinable
  deinit {
    // The lazily made blocks have no type here; each begins with what can destroy it.
    if let parts = madeParts.load(ordering: .acquiring) { Disposer.dispose(parts) }
    if let details = own.details { Disposer.dispose(details.raw) }
  }

  // MARK: Starting

  /// Begins a life: with the initial state, with the last one after an end, or with what a journal
  /// has kept.
  @inlinable
  func startTaking(on reactor: isolated R) {
    _ = inbox.begin()
    connect(reactor)
    if own.state == nil { own.state = reactor.initialState }
    if Self.hasTurnHook || Self.hasStateHook {
      hook(on: reactor)
    } else {
      callUnwrittenHooks(on: reactor)
    }
    if let outputStage { begin(through: outputStage) }
    if partsIfMade != nil { beginFollowing(on: reactor) }
    if hasFirst { takeFirst(on: reactor) }
    if ReactorObservers.isAny { followObservers(on: reactor) }
  }

  /// Sees to it that the action is taken which the reactor is to begin with, if it has yet to be.
  ///
  /// Who is stopped before it was sent anything does not begin.
  @usableFromInline
  func takeFirst(on reactor: isolated R) {
    let isUnneeded = inbox.isClosed && inbox.nextNumber == 1
    if isUnneeded, own.taken == 0 { skip(0) }
    if own.taken == 0, inbox.requestJob() { wake(reactor) }
  }

  // MARK: Hooks, where the author has written one

  @inlinable
  func hook(on reactor: isolated R) {
    let hooks = Hooks()
    reactor.callHooks(of: self, hooks)
    details.hooks = hooks
    shared.withLock { $0.rare.hooks = hooks }
  }

  @inlinable
  func callHooks(_ hooks: Hooks, on reactor: isolated R) {
    if hooks.turns.areCalled { return }
    hooks.turns.areCalled = true
    hookActions(on: reactor, in: hooks)  // inbox ─▶ transform(action:)    ─▶ mutate
    hookMutations(on: reactor, in: hooks)  // mutate ─▶ transform(mutation:) ─▶ reduce
    hookStates(on: reactor, in: hooks)  // reduce ─▶ transform(state:)    ─▶ outlet
  }
}
