import ReactorMachines
public import ReactorRuntime

/// What only the reactor's isolation touches: the pipeline's state between two turns.
///
/// Every reactor has this for as long as it lives. So here is only what each of them needs; the
/// rest stands in ``IsolatedExtras``.
@usableFromInline
struct TurnState<R: Reactor> {
  /// The actions taken out of the inbox that have yet to be worked off.
  @usableFromInline var batch = Inbox<R.Action>.Queue()
  /// How many actions have been taken: the number of the next.
  @usableFromInline var taken: UInt64 = 0
  /// What few reactors need, and what they need seldom; `nil` until it is first needed.
  @usableFromInline var details: LazyBlock<IsolatedExtras<R>>?
  /// The state; `nil` before the pipeline starts, and while `reduce` has it in its hands.
  @usableFromInline var state: R.State?
  /// Whether an action is being taken now.
  @usableFromInline var isTaking = false
  /// Whether each action has to be looked at before it is taken: some that wait were cancelled, or
  /// there is middleware.
  @usableFromInline var looksAtEach = false
  /// Whether an action is waited for.
  @usableFromInline var isAwaited = false
  /// What may be around turns: mostly nothing.
  @usableFromInline var around = TurnSurroundings()
  /// Whether turns are taken in a task that waits for one, and has task-local values of its own.
  @usableFromInline var isBorrowed = false

  @inlinable
  init() {}

  @inlinable @inline(never)
  mutating func makeDetails() -> LazyBlock<IsolatedExtras<R>> {
    let made = LazyBlock(
      IsolatedExtras<R>(disposer: Disposer { LazyBlock<IsolatedExtras<R>>(at: $0).free() }))
    details = made
    return made
  }
}

/// What may be around a turn.
@usableFromInline
struct TurnSurroundings: OptionSet, Sendable {
  @usableFromInline var rawValue: UInt8

  @inlinable
  init(rawValue: UInt8) { self.rawValue = rawValue }

  /// Actions pass stages before `mutate`.
  @inlinable static var stages: Self { Self(rawValue: 1) }
  /// A sink stands for observers of the reactor.
  @inlinable static var observers: Self { Self(rawValue: 2) }
  /// The reactor is a stub, which records its actions.
  @inlinable static var stub: Self { Self(rawValue: 4) }
}

/// What only the reactor's isolation touches, and few reactors need: made when it is first needed,
/// and given back when there is nothing in it.
///
/// It stands behind a pointer, and is let go by a closure that is made where the reactor's type is
/// known: an object of a generic class is let go by code that has to look up each type.
@usableFromInline
struct IsolatedExtras<R: Reactor>: ~Copyable {
  /// First, where it can be found without knowing the type.
  @usableFromInline let disposer: Disposer

  // MARK: Actions

  /// Cancelled before they were taken, or while.
  @usableFromInline var skipped: Set<UInt64> = []
  /// The action being taken now; only where it need not be the last one out of the inbox.
  @usableFromInline var taking: UInt64?
  /// The middleware that actions pass before the first hook.
  @usableFromInline var middleware: MiddlewareChain<R.Action, R.State>?
  /// How many actions a hook made out of nothing.
  @usableFromInline var unsent: UInt64 = 0
  /// Whether the turn is inside `mutate`; only where turns take a while.
  @usableFromInline var isInsideMutate = false
  /// Turns that wait for the one under way; only where turns take a while.
  @usableFromInline var waitingTurns: [Latch] = []
  /// What the action that is being taken has led to at once, and the hook is to be given.
  @usableFromInline var forHook: [R.Mutation] = []
  /// Where the actions of a stub go.
  @usableFromInline var recordAction: (@Sendable (R.Action) -> Void)?

  // MARK: What comes along

  /// What the action that is being taken has brought along.
  @usableFromInline var turnContext: ActionContext?

  /// What stands before `mutate`.
  @usableFromInline var stages: [PipelineStage<R, R.Action, R.Mutation>] = []
  /// Whether an action is not simply given to `mutate`.
  @inlinable var hasStage: Bool { !stages.isEmpty || recordAction != nil }

  // MARK: Access from outside

  /// Positions that the reactor has yet to reach, in their order.
  @usableFromInline var marks: ArraySlice<EngineMark> = []
  /// What is shown each state.
  @usableFromInline var followers: [any EngineFollower<R.State>] = []

  // MARK: Batches

  /// Actions that were sent as one, and have yet to be taken, or are being taken.
  @usableFromInline var batches: ArraySlice<PipelineBatch> = []

  /// Whether states are kept back, as more of what was sent as one is to come.
  @usableFromInline var isHolding: Bool { batches.first?.isHeld == true }

  /// A state has been made that is to be shown later.
  @usableFromInline
  mutating func noteState() { batches[batches.startIndex].hasStates = true }

  /// What opens when states are shown again; `nil` while they are.
  mutating func shownAgain() -> Latch? {
    guard isHolding else { return nil }
    let latch = Latch()
    batches[batches.startIndex].newcomers.append(latch)
    return latch
  }

  // MARK: Lanes

  @usableFromInline var lanes = LaneBook<R.Action>()

  // MARK: States

  /// Where reduced states go: to the output, or into the hook before it; `nil` while nothing looks.
  @usableFromInline var live: Broadcast<R.State>?
  /// What everything passes that leaves a journaled reactor.
  @usableFromInline var outputStage: PipelineOutputStage<R>?
  /// The sink that stands for the observers of the reactor, if there are any.
  @usableFromInline var observers: ObserverSink<R.Action, R.Mutation, R.State, R.Output>?
  /// As of when the observers are known; `nil` while there are none in the process.
  @usableFromInline var observersVersion: UInt64?
  /// The effect whose mutation is being reduced, where there are observers.
  @usableFromInline var emitting: ObjectIdentifier?
  /// The hooks that the author wrote; `nil` where there are none.
  @usableFromInline var hooks: PipelineHooks<R.Action, R.Mutation, R.State>?

  @inlinable
  init(disposer: Disposer) { self.disposer = disposer }

  /// Whether nothing is in it that the reactor needs while it does nothing.
  @usableFromInline var isEmpty: Bool {
    live == nil && outputStage == nil && hooks == nil && observersVersion == nil
      && recordAction == nil && skipped.isEmpty && waitingTurns.isEmpty && forHook.isEmpty
      && marks.isEmpty && batches.isEmpty && stages.isEmpty
      && turnContext == nil
      && lanes.isEmpty && followers.isEmpty && middleware == nil
  }
}
