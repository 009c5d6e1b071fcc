public import ReactorRuntime

/// What of a pipeline any thread may touch that needs no lock of its own.
///
/// Guard: the lock around it, in ``AnyThreadParts``.
@usableFromInline
struct SharedNotes<R: Reactor>: Sendable {
  /// What hardly any reactor needs.
  @usableFromInline
  struct Rare: Emptiable {
    /// The hooks, once they have been called; their inputs may be closed from any thread.
    @usableFromInline var hooks: PipelineHooks<R.Action, R.Mutation, R.State>?
    /// What other threads have left for the reactor to look at.
    @usableFromInline var left = Left()
    /// The observers of this reactor and no other.
    var observers = IdentityList<ObserverEntry>()
    /// The streams of the reactor beginning again.
    var restarts = EventListeners<Void>.none
    /// What follows the engine from outside.
    var followers: [any EngineFollower<R.State>] = []
    /// The asks that wait.
    var asks = OpenAsks()
    /// What the last end of the reactor has cut short, and which of its generations it ended.
    var abandoned: (generation: UInt32, actions: [OpenAction])?
    /// What everything passes that leaves a journaled reactor; set once, before anything leaves.
    var outputStage: PipelineOutputStage<R>?

    @usableFromInline
    init() {}

    @usableFromInline var isEmpty: Bool {
      hooks == nil && left.isEmpty && outputStage == nil && restarts.isNone && observers.isEmpty
        && followers.isEmpty && abandoned == nil && asks.isUnused
    }
  }

  /// What other threads leave for the reactor to look at before it goes on.
  @usableFromInline
  struct Left: Sendable {
    /// Actions whose receipts were cancelled.
    var cancelled: [UInt64] = []
    /// Lanes that were cancelled, each before an action.
    var cutLanes: [(key: LaneKey, before: UInt64)] = []
    /// Positions that have been marked, and have yet to be reached.
    @usableFromInline var marks: [EngineMark] = []
    /// Actions that were sent as one.
    var batches: [PipelineBatch] = []

    var isEmpty: Bool {
      cancelled.isEmpty && cutLanes.isEmpty && marks.isEmpty && batches.isEmpty
    }
  }

  // In the order that needs no padding.

  private var label = InstanceLabel.none
  /// Whether the last state is there for any thread to read: the reactor makes none before it has
  /// taken this back.
  @usableFromInline var hasEnded = false
  /// What observers see; made when the first one comes, and given back when the last one has gone.
  @usableFromInline var outlet: Broadcast<R.State>?
  private var boxed = Boxed<Rare>()
  /// The streams of the actions that are taken, and of the outputs.
  @usableFromInline var actions = EventListeners<R.Action>.none
  @usableFromInline var outputs = EventListeners<R.Output>.none
  /// What receives the steps.
  @usableFromInline var sinks: StepSinks<R.Action, R.Mutation, R.State, R.Output>?

  @usableFromInline
  init() {}

  @usableFromInline var rare: Rare {
    get { boxed.value }
    _modify { yield &boxed.value }
  }

  // MARK: What observers see

  /// What observers see, made for the first of them; after the end, only the last state.
  mutating func openOutlet(
    last: @autoclosure () -> (R.State, UInt64)?
  ) -> Broadcast<R.State> {
    if let outlet { return outlet }
    let opened = Broadcast<R.State>(hasValues: true)
    if hasEnded { opened.finish(with: last()) }
    outlet = opened
    return opened
  }

  /// The last observer has gone, as far as it knew.
  ///
  /// - Returns: Whether that is so.
  mutating func giveBack(_ deserted: Broadcast<R.State>) -> Bool {
    guard outlet === deserted, deserted.isDeserted else { return false }
    outlet = nil
    return true
  }

  /// The reactor has ended.
  ///
  /// - Returns: What observers see, which is to be finished.
  @usableFromInline
  mutating func closeOutlet() -> Broadcast<R.State>? {
    hasEnded = true
    return outlet.take()
  }

  /// The reactor begins again.
  ///
  /// - Returns: What the life before had, to be released outside the lock: a state may be in it.
  mutating func reopen() -> some Any {
    defer {
      (outlet, hasEnded, rare.hooks) = (nil, false, nil)
      (actions, outputs) = (.none, .none)
    }
    return (outlet, rare.hooks, actions, outputs)
  }

  // MARK: Left for the reactor

  /// Hands over what other threads have left for the reactor to look at.
  mutating func takeLeft() -> Left {
    let left = boxed.isEmpty ? Left() : rare.left
    if !left.isEmpty { rare.left = Left() }
    return left
  }

  // MARK: Which reactor it is

  @usableFromInline
  mutating func name(_ name: String) { label = .named(NamedInstance(name)) }

  /// Which reactor it is; it gets its number when that is first asked for.
  @usableFromInline var identity: ReactorIdentity {
    mutating get {
      switch label {
      case .numbered(let number): return ReactorIdentity(type: R.self, number: number)
      case .named(let named):
        return ReactorIdentity(type: R.self, number: named.number, name: named.name)
      case .none:
        let number = InstanceNumbers.next()
        label = .numbered(number)
        return ReactorIdentity(type: R.self, number: number)
      }
    }
  }
}
