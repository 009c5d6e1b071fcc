public import ReactorRuntime

/// The fields of an engine that any thread may access under one common lock.
///
/// Guard: the lock around it, in ``ConcurrentState``.
@usableFromInline
struct LockedState<R: Reactor>: Sendable {
  /// Fields that hardly any reactor needs.
  @usableFromInline
  struct RareFields: EmptyInitializable {
    /// The hooks, once they have been called; their inputs may be closed from any thread.
    @usableFromInline var hooks: PipelineHooks<R.Action, R.Mutation, R.State>?
    /// The pending requests of other threads.
    @usableFromInline var requests = Requests()
    /// The observers of this reactor alone.
    var observers = IdentityList<ObserverEntry>()
    /// The streams of the reactor's restarts.
    var restarts = EventListeners<Void>.none
    /// The objects outside the target that follow the engine.
    var followers: [any EngineFollower<R.State>] = []
    /// The asks that wait.
    var asks = PendingAsks()
    /// The work that the last end of the reactor has cut short, and the generation that it ended.
    var abandoned: (generation: UInt32, actions: [OpenAction])?
    /// The stage that everything passes that leaves a journaled reactor; set once, before anything
    /// leaves.
    var outputStage: PipelineOutputStage<R>?

    @usableFromInline
    init() {}

    @usableFromInline var isEmpty: Bool {
      hooks == nil && requests.isEmpty && outputStage == nil && restarts.isNone && observers.isEmpty
        && followers.isEmpty && abandoned == nil && asks.isUnused
    }
  }

  /// The requests of other threads that the reactor processes before it continues.
  @usableFromInline
  struct Requests: Sendable {
    /// Actions whose receipts were cancelled.
    var cancelled: [UInt64] = []
    /// Lanes that were cancelled, each before an action.
    var cancelledLanes: [(key: LaneKey, before: UInt64)] = []
    /// Marked positions that have not been reached yet.
    @usableFromInline var marks: [EngineMark] = []
    /// Actions that were sent together.
    var batches: [PipelineBatch] = []

    var isEmpty: Bool {
      cancelled.isEmpty && cancelledLanes.isEmpty && marks.isEmpty && batches.isEmpty
    }
  }

  // In an order that needs no padding.

  private var label = InstanceLabel.none
  /// Whether any thread may read the last state: the reactor makes no state before it has reset
  /// this.
  @usableFromInline var hasEnded = false
  /// The broadcast of states to subscribers; made for the first one, and removed after the last
  /// one.
  @usableFromInline var outlet: Broadcast<R.State>?
  private var boxed = Boxed<RareFields>()
  /// The streams of taken actions and of outputs.
  @usableFromInline var actions = EventListeners<R.Action>.none
  @usableFromInline var outputs = EventListeners<R.Output>.none
  /// The sinks that receive the steps.
  @usableFromInline var sinks: StepSinks<R.Action, R.Mutation, R.State, R.Output>?

  @usableFromInline
  init() {}

  @usableFromInline var rare: RareFields {
    get { boxed.value }
    _modify { yield &boxed.value }
  }

  // MARK: The broadcast of states

  /// Returns the broadcast of states, made for the first subscriber; after the end, it has only the
  /// last state.
  mutating func openOutlet(
    last: @autoclosure () -> (R.State, UInt64)?
  ) -> Broadcast<R.State> {
    if let outlet { return outlet }
    let opened = Broadcast<R.State>(hasValues: true)
    if hasEnded { opened.finish(with: last()) }
    outlet = opened
    return opened
  }

  /// Removes a broadcast that has reported that its last subscriber is gone.
  ///
  /// - Returns: Whether it has no subscriber, and was removed.
  mutating func removeOutlet(ifUnneeded broadcast: Broadcast<R.State>) -> Bool {
    guard outlet === broadcast, broadcast.isUnneeded else { return false }
    outlet = nil
    return true
  }

  /// The reactor has ended.
  ///
  /// - Returns: The broadcast of states, which has to be finished.
  @usableFromInline
  mutating func closeOutlet() -> Broadcast<R.State>? {
    hasEnded = true
    return outlet.take()
  }

  /// The reactor begins again.
  ///
  /// - Returns: The objects of the earlier generation, to be released outside the lock, as they may
  ///   contain a state.
  mutating func reopen() -> some Any {
    defer {
      (outlet, hasEnded, rare.hooks) = (nil, false, nil)
      (actions, outputs) = (.none, .none)
    }
    return (outlet, rare.hooks, actions, outputs)
  }

  // MARK: Requests for the reactor

  /// Removes and returns the requests of other threads.
  mutating func takeRequests() -> Requests {
    let requests = boxed.isEmpty ? Requests() : rare.requests
    if !requests.isEmpty { rare.requests = Requests() }
    return requests
  }

  // MARK: Identity

  @usableFromInline
  mutating func name(_ name: String) { label = .named(NamedInstance(name)) }

  /// The identity of the reactor, which gets its number when it is first read.
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
