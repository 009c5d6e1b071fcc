public import Synchronization

/// The storage of a reactor: everything between `send` and `state`.
///
/// An author declares one, `let pipeline = Pipeline()`, and never touches it again. It belongs to one
/// reactor; when the reactor goes, so does the pipeline, and that ends its effects and streams.
public final class ReactorPipeline<R: Reactor>: Sendable {
  @usableFromInline let core: PipelineCore<R>
  /// Called rather than the method, which in a `deinit` of a generic class would be one that does not
  /// know the reactor's type.
  @usableFromInline let ending: @Sendable (PipelineCore<R>) -> Void

  /// Storage for one reactor; the pipeline starts when it is first needed.
  ///
  /// - Parameter limit: How many actions may wait, and what becomes of one that comes when they do.
  @inlinable
  public init(inbox limit: InboxLimit = .unlimited) {
    core = PipelineCore(inbox: limit)
    ending = { $0.reactorIsGone() }
  }

  @inlinable
  deinit { ending(core) }
}

/// The wiring: the only type that knows every stage.
///
/// ```
/// inbox ─▶ transform(action:) ─▶ mutate ─▶ transform(mutation:) ─▶ reduce ─▶ transform(state:) ─▶ output
/// ```
///
/// Receipts, effects and streams hold this, never the reactor; the reactor is held weakly here.
///
/// Holds: what any thread may touch, each with its own lock or atomic; and what only the reactor's
/// isolation touches, marked so. When the reactor is gone, its last reference has it all to itself.
@usableFromInline
final class PipelineCore<R: Reactor>: EffectOwner, Sendable {
  @usableFromInline typealias Action = R.Action
  @usableFromInline typealias Mutation = R.Mutation
  @usableFromInline typealias Place = LaneSlot
  @usableFromInline typealias Run = EffectRun<PipelineCore<R>>

  /// Guard: of each part, its own; made with this, and let go with it.
  @usableFromInline nonisolated(unsafe) let parts: UnsafeMutablePointer<PipelineParts<R>>
  /// Guard: the reactor's isolation.
  @usableFromInline nonisolated(unsafe) let owned: UnsafeMutablePointer<PipelineState<R>>
  /// Lets both go.
  @usableFromInline let letGo:
    @Sendable (UnsafeMutablePointer<PipelineParts<R>>, UnsafeMutablePointer<PipelineState<R>>) ->
      Void
  /// Set when there is something in `shared` that the reactor should look at before it goes on.
  @usableFromInline let attention = Atomic(false)
  @usableFromInline let isConnected = Atomic(false)

  @usableFromInline
  struct Shared: Sendable {
    @usableFromInline weak var reactor: R?
    /// What observers see; made when the first one comes.
    @usableFromInline var output: StateBroadcaster<R.State>?
    /// The hooks, once they have been called; their inputs may be closed from any thread.
    @usableFromInline var hooks: PipelineHooks<R>?
    /// How often the reactor has begun again.
    @usableFromInline var life: UInt64 = 0
    /// Whether `stop()` has been called again, and what to open then.
    @usableFromInline var isHurried = false
    @usableFromInline var stopLatch: Latch?
    /// Actions whose receipts were cancelled.
    @usableFromInline var cancelled: [UInt64] = []
    /// Lanes that were cancelled, each before an action.
    @usableFromInline var cutLanes: [(key: LaneKey, before: UInt64)] = []
    /// Whom to tell what happens, in a test.
    @usableFromInline var journal: PipelineJournal<R>?
    /// The last state, once there is one, for an output that is made after the end.
    @usableFromInline var last: (state: R.State?, version: UInt64)?

    @inlinable
    init() {}
  }

  @inlinable
  init(inbox limit: InboxLimit) {
    parts = .allocate(capacity: 1)
    parts.initialize(to: PipelineParts(inbox: limit))
    owned = .allocate(capacity: 1)
    owned.initialize(to: PipelineState())
    letGo = { parts, owned in
      parts.deinitialize(count: 1)
      parts.deallocate()
      owned.deinitialize(count: 1)
      owned.deallocate()
    }
  }

  @inlinable
  deinit { letGo(parts, owned) }

  /// Which actor is the reactor, to recognise it as an emitter's isolation.
  ///
  /// Guard: written once, by the reactor, before the first effect is made; effects only read it.
  @exclusivity(unchecked) @usableFromInline nonisolated(unsafe) var identity: ObjectIdentifier?

  // MARK: The diagram

  /// Starts the pipeline, unless it has been; calls the hooks in flow order, each once.
  @inlinable
  func start(on reactor: isolated R) {
    if own.phase == .idle { startNow(on: reactor) }
  }

  @inlinable
  func startNow(on reactor: isolated R) {
    own.phase = .running
    identity = ObjectIdentifier(reactor)
    connect(reactor)
    if own.state == nil { own.state = reactor.initialState }
    if Self.hasActionHook || Self.hasMutationHook || Self.hasStateHook {
      hook(on: reactor)
    } else {
      callUnwrittenHooks(on: reactor)
    }
  }

  @inlinable
  func hook(on reactor: isolated R) {
    let hooks = PipelineHooks<R>()
    hookActions(on: reactor, in: hooks)  // inbox ─▶ transform(action:)    ─▶ mutate
    hookMutations(on: reactor, in: hooks)  // mutate ─▶ transform(mutation:) ─▶ reduce
    hookStates(on: reactor, in: hooks)  // reduce ─▶ transform(state:)    ─▶ output
    own.hooks = hooks
    shared.withLock { $0.hooks = hooks }
  }

  /// Lets an action out of the inbox: into the hook, or straight to `mutate`.
  @inlinable
  func enter(_ action: R.Action, number: UInt64, on reactor: isolated R) {
    if Self.hasActionHook, let input = own.hooks?.actionInput {
      ledger.begin(number)
      input.push(action, ticket: .action(number))
    } else {
      take(action, number: number, on: reactor)
    }
  }

  /// Lets an action into its lane, and does what it leads to, unless it has to wait.
  @inlinable
  func take(_ action: R.Action, number: UInt64, on reactor: isolated R) {
    own.taking = number
    let listening = listeners.latest.load(ordering: .acquiring)
    if enterLane(action, number: number, on: reactor) {
      perform(action, number: number, on: reactor)
    }
    finishTaking(number)
    leaveLane(on: reactor)
    if listening != 0 { tell(action, openedUpTo: listening) }
  }

  /// Asks `mutate` what an action leads to, and does it: as part of what the action is tracked by, and
  /// of nothing else.
  @inlinable
  func perform(_ action: R.Action, number: UInt64, on reactor: isolated R) {
    if ActionChain.isAnyOpen {
      performInChain(action, number: number, on: reactor)
    } else {
      performNow(action, number: number, on: reactor)
    }
  }

  @usableFromInline
  func performInChain(_ action: R.Action, number: UInt64, on reactor: isolated R) {
    ActionChain.$current.withValue(ledger.chain(of: number)) {
      performNow(action, number: number, on: reactor)
    }
  }

  @inlinable
  func performNow(_ action: R.Action, number: UInt64, on reactor: isolated R) {
    let stream = reactor.mutate(action: action)
    switch stream.storage {
    case .empty: break
    case .just(let mutation):
      if isStillWanted(number, on: reactor) { reduce(mutation, on: reactor) }
    case .several(let mutations):
      for mutation in mutations where isStillWanted(number, on: reactor) {
        reduce(mutation, on: reactor)
      }
    case .run, .concat, .merge: begin(stream, for: action, number: number, on: reactor)
    }
  }

  /// Whether the action that is being taken has not been cancelled meanwhile.
  @inlinable
  func isStillWanted(_ number: UInt64, on reactor: isolated R) -> Bool {
    if attention.load(ordering: .acquiring) { attend(on: reactor) }
    return own.skipped.isEmpty || !own.skipped.contains(number)
  }

  @inlinable
  func finishTaking(_ number: UInt64) {
    own.taking = nil
    if !own.skipped.isEmpty { own.skipped.remove(number) }
    if number >= own.awaited { settleIfIdle(number) }
  }

  @usableFromInline
  func reentered() {
    preconditionFailure(
      "\(R.self): a mutation was emitted inside reduce(state:mutation:); send an action instead")
  }

  /// Folds a mutation into the state, and then shows the state to whoever looks.
  @inlinable
  func reduce(_ mutation: R.Mutation, on reactor: isolated R) {
    // Moved out and in again, so that `reduce` edits it in place and nobody sees it half done.
    guard var state = own.state.take() else { return reentered() }
    reactor.reduce(state: &state, mutation: mutation)
    own.version &+= 1
    guard let live = own.live, live.isWatched.load(ordering: .relaxed) else {
      own.state = consume state
      return
    }
    own.state = state
    if let journal = own.journal { journal.record(.reduced(mutation, state)) }
    live.publish(state, version: own.version)
  }
}
