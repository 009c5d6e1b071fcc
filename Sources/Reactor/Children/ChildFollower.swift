/// Makes and ends the children of one kind, as the state has it.
///
/// Holds: `contents`, guarded by its own lock. Children are made, ended and let go outside it. Only
/// the parent adds and removes keys; what drains may be taken out from anywhere.
final class ChildFollower<
  State: Sendable, Mutation: Sendable, Keys: Sequence & Equatable & Sendable, Child: Reactor
>: ChildKeeper where Keys.Element: Hashable & Sendable {
  typealias ID = Keys.Element

  private let place: any ChildPlace<ID, Child>
  private let ending: StopMode
  private let keys: @Sendable (State) -> Keys
  private let make: @Sendable (ID, State) -> Child
  private let output: (@Sendable (ID, Child.Output) -> Mutation?)?
  /// What the parent was made with: children are made by the task that takes the parent's turn.
  private let inherited = InheritedLocals.captured()
  private let contents = Guarded(ChildTable<Keys, Child>())

  init(
    place: any ChildPlace<ID, Child>, ending: StopMode,
    keys: @escaping @Sendable (State) -> Keys,
    make: @escaping @Sendable (ID, State) -> Child,
    output: (@Sendable (ID, Child.Output) -> Mutation?)?
  ) {
    self.place = place
    self.ending = ending
    self.keys = keys
    self.make = make
    self.output = output
  }

  // MARK: Following

  func follow(_ state: State, of parent: any ChildParent<Mutation>) {
    let keys = keys(state)
    let (gone, come) = contents.withLock { $0.change(to: keys) }
    for (id, entry) in gone {
      place.remove(id)
      leave(entry, parent)
    }
    for id in come { begin(id, state, parent) }
  }

  private func begin(_ id: ID, _ state: State, _ parent: any ChildParent<Mutation>) {
    let child = InheritedLocals.bind(inherited) { make(id, state) }
    let outputs = bringOutputs(of: child, id, to: parent)
    contents.withLock { $0.put(child, at: id, outputs: outputs) }
    place.put(child, at: id)
    child.pipeline.core.startSoon(child)
  }

  /// Listens from before the child can have said anything.
  private func bringOutputs(
    of child: Child, _ id: ID, to parent: any ChildParent<Mutation>
  ) -> Task<Void, Never>? {
    guard let output, Child.Output.self != Never.self else { return nil }
    let outputs = child.outputs()
    return PipelineTasks.make {
      for await said in outputs {
        guard let mutation = output(id, said) else { continue }
        guard await parent.reduceFromChild(mutation) else { return }
      }
    }
  }

  // MARK: Ending

  private func leave(_ entry: ChildEntry<Child>, _ parent: any ChildParent<Mutation>) {
    let key = ObjectIdentifier(entry.child)
    contents.withLock { $0.leaving[key] = entry }
    let end = entry.end(ending)
    if ending == .cancel { entry.outputs?.cancel() }
    parent.willEnd(end) { [self] in
      let left = contents.withLock { $0.hasEnded(key) }
      withExtendedLifetime(left) {}
    }
  }

  func drain() -> [ChildEnd] {
    let children = contents.withLock { contents in
      contents.ordered.filter { !$0.entry.isDraining }.map { id, entry in
        contents.entries[id]?.isDraining = true
        return entry
      }
    }
    return children.map { $0.end(.drain) }
  }

  func end() -> [ChildEnd] {
    let (present, leaving) = contents.withLock { contents in
      defer { contents = ChildTable() }
      return (contents.ordered, contents.orderedLeaving)
    }
    for (id, _) in present { place.remove(id) }
    return (present.map(\.entry) + leaving).map { entry in
      entry.outputs?.cancel()
      return entry.end(.cancel)
    }
  }
}
