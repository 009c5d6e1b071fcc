/// What only the reactor's isolation touches: the pipeline's state between two turns.
///
/// Every reactor has this for as long as it lives. So here is only what each of them needs; the
/// rest stands in ``PipelineDetails``.
@usableFromInline
struct PipelineState<R: Reactor> {
  @usableFromInline
  enum Phase: Sendable { case idle, running, stubbed, stopping, stopped }

  /// The actions taken out of the inbox that have yet to be worked off.
  @usableFromInline var batch = ActionBuffer()
  /// How many actions have been taken: the number of the next.
  @usableFromInline var taken: UInt64 = 0
  /// What few reactors need, and what they need seldom; `nil` until it is first needed.
  @usableFromInline var details: UnsafeMutablePointer<PipelineDetails<R>>?
  /// The state; `nil` before the pipeline starts, and while `reduce` has it in its hands.
  @usableFromInline var state: R.State?
  @usableFromInline var phase = Phase.idle
  /// Whether an action is being taken now.
  @usableFromInline var isTaking = false
  /// Whether there are cancelled actions that have yet to be taken, or are being taken.
  @usableFromInline var hasSkipped = false
  /// Whether somebody waits for an action.
  @usableFromInline var isAwaited = false
  /// Whether actions that have left the inbox bring something along.
  @usableFromInline var hasContexts = false
  /// Whether turns are taken in the task of somebody who waits, and has task-local values of its
  /// own.
  @usableFromInline var isBorrowed = false
  /// Whether actions bring task-local values along.
  @usableFromInline var carries = false

  @inlinable
  init() {}
}

/// What only the reactor's isolation touches, and few reactors need: made when it is first needed.
///
/// It stands behind a pointer, and is let go by a closure that is made where the reactor's type is
/// known: an object of a generic class is let go by code that has to look up each type.
@usableFromInline
struct PipelineDetails<R: Reactor> {
  /// First, where it can be found by somebody who knows no types.
  @usableFromInline let letGo: LetGo

  // MARK: Actions

  /// Cancelled before they were taken, or while.
  @usableFromInline var skipped: Set<UInt64> = []
  /// The action being taken now; only where it need not be the last one out of the inbox.
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
  /// Where the actions of a stub go.
  @usableFromInline var recordAction: (@Sendable (R.Action) -> Void)?

  // MARK: What comes along

  /// What the actions that have left the inbox, and have yet to be performed, bring along.
  @usableFromInline var contexts = ActionContextQueue()
  /// The same for the action that is to be performed next, where it comes from a lane or a hook.
  @usableFromInline var nextContext: (number: UInt64, context: ActionContext)?
  /// What the action that is being taken has brought along.
  @usableFromInline var turnContext: ActionContext?

  // MARK: Lanes

  @usableFromInline var lanes = LaneBook<R.Action>()

  // MARK: Mutations

  /// The effect that is being started in this very turn, and those that start together with it.
  @usableFromInline var opening: EffectRun<PipelineCore<R>>?
  @usableFromInline var openingTogether: [EffectRun<PipelineCore<R>>] = []
  /// Whether the turn is inside the body of the effect that is being started.
  @usableFromInline var isInsideEffect = false

  // MARK: States

  /// How many states have been made since there is somewhere for them to go.
  @usableFromInline var version: UInt64 = 0
  /// Where reduced states go: to the output, or into the hook before it; `nil` while nobody looks.
  @usableFromInline var live: StateBroadcaster<R.State>?
  /// Whom to tell what happens, in a test.
  @usableFromInline var journal: PipelineJournal<R>?
  /// The hooks that the author wrote; `nil` where there are none.
  @usableFromInline var hooks: PipelineHooks<R>?

  @inlinable
  init(letGo: LetGo) { self.letGo = letGo }
}

/// Lets go what stands behind a pointer, and its memory.
@usableFromInline
struct LetGo: Sendable {
  @usableFromInline let it: @Sendable (UnsafeMutableRawPointer) -> Void

  @inlinable
  init(_ it: @escaping @Sendable (UnsafeMutableRawPointer) -> Void) { self.it = it }

  /// - Parameter pointer: To something that begins with one of these.
  @inlinable
  static func of(_ pointer: UnsafeMutableRawPointer) { pointer.load(as: LetGo.self).it(pointer) }
}
