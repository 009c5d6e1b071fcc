import Reactor
import ReactorRuntime

/// Creates and ends the children of one kind, so that they match the keys in the parent's state.
///
/// Holds: `contents`, guarded by its own lock. Children are created, ended and released outside the
/// lock. Only the parent adds and removes keys; a child that drains may be removed from any thread.
final class ChildFollower<
  Parent: Reactor, Keys: Sequence & Equatable & Sendable, Child: Reactor
>: EngineFollower where Keys.Element: Hashable & Sendable {
  typealias State = Parent.State
  typealias ID = Keys.Element

  /// The parent's engine, which holds a strong reference to this object.
  private weak let engine: (any EngineAccess<Parent>)?
  private let storage: any ChildStorage<ID, Child>
  private let ending: StopMode
  private let keys: @Sendable (State) -> Keys
  private let make: @Sendable (ID, State) -> Child
  private let output: (@Sendable (ID, Child.Output) -> Parent.Mutation?)?
  /// The task-local values that were bound when the parent was created.
  ///
  /// Children are created in the task that runs the parent's turn, which has other values.
  private let inherited = InheritedLocals()
  private let contents = Guarded(ChildTable<Keys, Child>())
  /// The children that had not ended when the parent last ended.
  private let stops = Guarded(ChildStops())

  init(
    of engine: any EngineAccess<Parent>, at storage: any ChildStorage<ID, Child>, ending: StopMode,
    keys: @escaping @Sendable (State) -> Keys,
    make: @escaping @Sendable (ID, State) -> Child,
    output: (@Sendable (ID, Child.Output) -> Parent.Mutation?)?
  ) {
    self.engine = engine
    self.storage = storage
    self.ending = ending
    self.keys = keys
    self.make = make
    self.output = output
  }

  // MARK: Following

  var followsStates: Bool { true }

  func begin(with state: State) {
    stops.withLock { $0 = ChildStops() }
    follow(state)
  }

  func follow(_ state: State) {
    let keys = keys(state)
    let (removed, added) = contents.withLock { $0.change(to: keys) }
    for (id, entry) in removed {
      storage.remove(id)
      stop(entry)
    }
    for id in added { begin(id, state) }
  }

  private func begin(_ id: ID, _ state: State) {
    let child = inherited.bind { make(id, state) }
    let outputs = reduceOutputs(of: child, id)
    contents.withLock { $0.put(child, at: id, outputs: outputs) }
    storage.put(child, at: id)
    child.pipeline.engine.start(child)
  }

  /// Subscribes before the child starts, so that no output is missed.
  private func reduceOutputs(of child: Child, _ id: ID) -> Task<Void, Never>? {
    guard let engine, let output, Child.Output.self != Never.self else { return nil }
    let outputs = child.outputs()
    return PipelineTasks.make {
      for await value in outputs {
        guard let mutation = output(id, value) else { continue }
        guard await engine.reduceFromOutside(mutation) else { return }
      }
    }
  }

  // MARK: Ending

  private func stop(_ entry: ChildEntry<Child>) {
    let key = ObjectIdentifier(entry.child)
    contents.withLock { $0.stopping[key] = entry }
    let end = entry.end(ending)
    if ending == .cancel { entry.outputs?.cancel() }
    engine?.keepOpen { [self] in
      await end.settled()
      let removed = contents.withLock { $0.removeStopped(key) }
      withExtendedLifetime(removed) {}
    }
  }

  func drain() -> EngineWait? {
    let children = contents.withLock { contents in
      contents.ordered.filter { !$0.entry.isDraining }.map { id, entry in
        contents.entries[id]?.isDraining = true
        return entry
      }
    }
    let ends = children.map { $0.end(.drain) }
    if ends.isEmpty { return nil }
    return { for end in ends { await end.settled() } }
  }

  func end() -> EngineWait? {
    let (present, stopping) = contents.withLock { contents in
      defer { contents = ChildTable() }
      return (contents.ordered, contents.orderedStopping)
    }
    for (id, _) in present { storage.remove(id) }
    let ends = (present.map(\.entry) + stopping).map { entry in
      entry.outputs?.cancel()
      return entry.end(.cancel)
    }
    let stops = ChildStops(of: ends)
    self.stops.withLock { $0 = stops }
    if stops.isEmpty { return nil }
    return { for end in ends { await end.stopped.settled } }
  }

  nonisolated(nonsending) func abandoned() async -> [AbandonedWork] {
    await stops.withLock { $0 }.abandoned()
  }
}

/// The end of one child.
///
/// It keeps the child alive, which could otherwise be released earlier.
struct ChildEnd: Sendable {
  let child: any Actor
  let identity: ReactorIdentity
  /// Whether the child had already ended before it was stopped.
  let hadEnded: Bool
  let stopped: StopReceipt
  /// The task that reduces the child's outputs; it ends after the last output.
  let outputs: Task<Void, Never>?

  /// Waits until all work of the child has ended and the parent has received its outputs.
  func settled() async {
    await stopped.settled
    await outputs?.value
  }
}

/// The receipts of children that had not ended before; it keeps no child alive.
struct ChildStops: Sendable {
  private var stops: [(child: ReactorIdentity, stopped: StopReceipt)] = []

  init() {}

  init(of ends: [ChildEnd]) {
    stops = ends.filter { !$0.hadEnded }.map { ($0.identity, $0.stopped) }
  }

  var isEmpty: Bool { stops.isEmpty }

  /// The actions that were cut short in the children, and in their children.
  nonisolated(nonsending) func abandoned() async -> [AbandonedWork] {
    var abandoned: [AbandonedWork] = []
    for (_, stopped) in stops { abandoned += await stopped.abandoned }
    return abandoned
  }
}
