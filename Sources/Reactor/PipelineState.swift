/// What only the reactor's isolation touches: the pipeline's state between two turns.
@usableFromInline
struct PipelineState<R: Reactor> {
  @usableFromInline
  enum Phase: Sendable { case idle, running, stubbed, stopping, stopped }

  @usableFromInline var phase = Phase.idle
  // MARK: Actions

  /// The actions taken out of the inbox, and how far they have been worked off.
  @usableFromInline var batch: [R.Action] = []
  @usableFromInline var position = 0
  /// How many actions have been taken: the number of the next.
  @usableFromInline var taken: UInt64 = 0
  /// Cancelled before they were taken, or while.
  @usableFromInline var skipped: Set<UInt64> = []
  /// The action being taken now.
  @usableFromInline var taking: UInt64?
  /// Whether everything has been taken that ever will be.
  @usableFromInline var hasReachedEnd = false
  /// Nobody waits for an action before this one, unless it has work in the ledger.
  @usableFromInline var awaited = UInt64.max
  /// The last action that came out of a hook under the number it was sent with.
  @usableFromInline var lastFromHook: UInt64?
  /// How many actions a hook made out of nothing.
  @usableFromInline var unsent: UInt64 = 0
  /// Whether the turn is inside `mutate`; only where turns take a while.
  @usableFromInline var isInsideMutate = false
  /// Turns that wait for the one under way; only where turns take a while.
  @usableFromInline var waitingTurns: [Latch] = []

  /// Taken, and not told to those who listen; only in a simulation.
  @usableFromInline var untold: [(action: R.Action, openedUpTo: UInt64)] = []

  // MARK: Lanes

  @usableFromInline var lanes = LaneBook<R.Action>()

  // MARK: Mutations

  /// The effect that is being started in this very turn, and those that start together with it.
  @usableFromInline var opening: EffectRun<PipelineCore<R>>?
  @usableFromInline var openingTogether: [EffectRun<PipelineCore<R>>] = []

  /// Whether the turn is inside the body of the effect that is being started.
  @usableFromInline var isInsideEffect = false

  // MARK: States

  /// The state; `nil` before the pipeline starts, and while `reduce` has it in its hands.
  @usableFromInline var state: R.State?
  /// How many mutations have been reduced.
  @usableFromInline var version: UInt64 = 0
  /// Where reduced states go: to the output, or into the hook before it; `nil` while nobody looks.
  @usableFromInline var live: StateBroadcaster<R.State>?

  /// Whom to tell what happens, in a test.
  @usableFromInline var journal: PipelineJournal<R>?

  /// Where the actions of a stub go.
  @usableFromInline var recordAction: (@Sendable (R.Action) -> Void)?

  /// The hooks that the author wrote; `nil` where there are none.
  @usableFromInline var hooks: PipelineHooks<R>?

  @inlinable
  init() {}
}
