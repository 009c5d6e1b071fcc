import ReactorMachines
public import ReactorRuntime

/// The engine's state between two turns, which only the reactor's isolation accesses.
///
/// Every reactor has this for its whole life. So it contains only what each of them needs; the rest
/// is in ``IsolatedDetails``.
@usableFromInline
struct TurnState<R: Reactor> {
  /// The actions taken out of the inbox that have not had their turns yet.
  @usableFromInline var batch = Inbox<R.Action>.Queue()
  /// How many actions have been taken, which is the number of the next.
  @usableFromInline var taken: UInt64 = 0
  /// The fields that few reactors need, or that are needed rarely; `nil` until first needed.
  @usableFromInline var details: LazyBlock<IsolatedDetails<R>>?
  /// The state; `nil` before the engine starts, and while `reduce` has it.
  @usableFromInline var state: R.State?
  /// Whether an action is being taken now.
  @usableFromInline var isTaking = false
  /// Whether each action has to be checked before it is taken, because waiting ones were cancelled
  /// or there is middleware.
  @usableFromInline var checksEachAction = false
  /// Whether an action is waited for.
  @usableFromInline var isAwaited = false
  /// The features that turns have to check for; usually none.
  @usableFromInline var features = TurnFeatures()
  /// Whether turns are taken in a task that waits for one, and has task-local values of its own.
  @usableFromInline var isInWaitingTask = false

  @inlinable
  init() {}

  @inlinable @inline(never)
  mutating func makeDetails() -> LazyBlock<IsolatedDetails<R>> {
    let made = LazyBlock(
      IsolatedDetails<R>(disposer: Disposer { LazyBlock<IsolatedDetails<R>>(at: $0).free() }))
    details = made
    return made
  }
}

/// The features of a reactor that a turn has to check for.
@usableFromInline
struct TurnFeatures: OptionSet, Sendable {
  @usableFromInline var rawValue: UInt8

  @inlinable
  init(rawValue: UInt8) { self.rawValue = rawValue }

  /// Actions pass stages before `mutate`.
  @inlinable static var stages: Self { Self(rawValue: 1) }
  /// There is a sink for observers of the reactor.
  @inlinable static var observers: Self { Self(rawValue: 2) }
  /// The reactor is a stub, which records its actions.
  @inlinable static var stub: Self { Self(rawValue: 4) }
}

/// The fields that only the reactor's isolation accesses and few reactors need; made when first
/// needed, and freed when empty.
///
/// They are stored behind a pointer, and freed by a closure that is made where the reactor's type
/// is known. An object of a generic class would be released by code that has to look up each type.
@usableFromInline
struct IsolatedDetails<R: Reactor>: ~Copyable {
  /// First, so that it can be found without knowing the type.
  @usableFromInline let disposer: Disposer

  // MARK: Actions

  /// The actions that were cancelled before they were taken, or while.
  @usableFromInline var skipped: Set<UInt64> = []
  /// The action being taken now; used only if it may not be the last one dequeued.
  @usableFromInline var taking: UInt64?
  /// The middleware that actions pass before the first hook.
  @usableFromInline var middleware: MiddlewareChain<R.Action, R.State>?
  /// How many numbers were created for actions that a hook made.
  @usableFromInline var hookActionCount: UInt64 = 0
  /// Whether the turn is inside `mutate`; used only if turns suspend.
  @usableFromInline var isInsideMutate = false
  /// The latches of turns that wait for the current one; used only if turns suspend.
  @usableFromInline var waitingTurns: [Latch] = []
  /// The immediate mutations of the action that is being taken, which have to pass the hook.
  @usableFromInline var mutationsForHook: [R.Mutation] = []
  /// Receives the actions of a stub.
  @usableFromInline var recordAction: (@Sendable (R.Action) -> Void)?

  // MARK: Context

  /// The context of the action that is being taken.
  @usableFromInline var turnContext: ActionContext?

  /// The stages before `mutate`.
  @usableFromInline var stages: [PipelineStage<R, R.Action, R.Mutation>] = []
  /// Whether an action is not passed directly to `mutate`.
  @inlinable var hasStage: Bool { !stages.isEmpty || recordAction != nil }

  // MARK: Marks and followers

  /// Positions that the reactor has not reached yet, in order.
  @usableFromInline var marks: ArraySlice<EngineMark> = []
  /// The followers that get each state.
  @usableFromInline var followers: [any EngineFollower<R.State>] = []

  // MARK: Batches

  /// Actions that were sent together and have not all been taken, or are being taken.
  @usableFromInline var batches: ArraySlice<PipelineBatch> = []

  /// Whether states are held back, because more actions that were sent together have to be taken.
  @usableFromInline var isHolding: Bool { batches.first?.isHeld == true }

  /// Notes that a state has been made that has to be shown later.
  @usableFromInline
  mutating func noteState() { batches[batches.startIndex].hasStates = true }

  /// Returns a latch that opens when states are shown again; `nil` while they are shown.
  mutating func latchUntilShown() -> Latch? {
    guard isHolding else { return nil }
    let latch = Latch()
    batches[batches.startIndex].waitingSubscribers.append(latch)
    return latch
  }

  // MARK: Lanes

  @usableFromInline var lanes = LaneTable<R.Action>()

  // MARK: States

  /// The broadcast that receives reduced states: the outlet, or the input of the hook before it;
  /// `nil` while there is no subscriber.
  @usableFromInline var reducedStates: Broadcast<R.State>?
  /// The stage that everything passes that leaves a journaled reactor.
  @usableFromInline var outputStage: PipelineOutputStage<R>?
  /// The sink of the reactor's observers, if there are any.
  @usableFromInline var observers: ObserverSink<R.Action, R.Mutation, R.State, R.Output>?
  /// The version of the observers in use; `nil` while there are none in the process.
  @usableFromInline var observersVersion: UInt64?
  /// The effect whose mutation is being reduced, if there are observers.
  @usableFromInline var emitting: ObjectIdentifier?
  /// The hooks that the author wrote; `nil` if there are none.
  @usableFromInline var hooks: PipelineHooks<R.Action, R.Mutation, R.State>?

  @inlinable
  init(disposer: Disposer) { self.disposer = disposer }

  /// Whether it contains nothing that the reactor needs while it is idle.
  @usableFromInline var isEmpty: Bool {
    reducedStates == nil && outputStage == nil && hooks == nil && observersVersion == nil
      && recordAction == nil && skipped.isEmpty && waitingTurns.isEmpty && mutationsForHook.isEmpty
      && marks.isEmpty && batches.isEmpty && stages.isEmpty
      && turnContext == nil
      && lanes.isEmpty && followers.isEmpty && middleware == nil
  }
}
