public import Reactor

extension ReactorPipeline {
  /// Declares children: one reactor for each key of a collection in the state.
  ///
  /// ```swift
  /// init(service: any RoomService) {
  ///   rooms = pipeline.children(\.rooms) { name, _ in
  ///     RoomReactor(name, service)
  ///   } output: { name, output in
  ///     .room(name, output)
  ///   }
  /// }
  /// ```
  ///
  /// Call it in the reactor's `init`, once for each kind of children, and store what it returns:
  /// the children are looked up there.
  ///
  /// **Begin and end**: the keys are compared after each mutation, before any observer receives the
  /// new state. A child is created and started for each new key. The child of a removed key is
  /// stopped and released. A key that is removed by one mutation and added by a later one gets a
  /// new child; if one mutation does both, the child stays. `reduce` only has to change the keys.
  ///
  /// **Outputs** of a child become mutations of the parent, in the order in which the child emitted
  /// them. Each is reduced on the parent as soon as the parent is free, and passes
  /// `transform(mutation:)`. Outputs that have not been reduced when the key is removed are
  /// dropped, unless `ending` is `.drain`: then all of them are reduced, even while a new child of
  /// the same key already runs.
  ///
  /// **When the parent stops**, its children stop. When it drains, they drain after its own work,
  /// and their outputs are still reduced. `settled` waits for them. When the parent is released,
  /// they are stopped. When it is restarted, they are created again.
  ///
  /// **If a child fails**, the parent is not affected; the failure is reported under the child's
  /// name. A child that stops by itself keeps its key, and should report its end with its last
  /// output. Outputs that a child emits after its own `restart()` are not reduced.
  ///
  /// **Cost**: two collections are compared after each mutation. The comparison takes constant time
  /// if the collection was not modified, and one pass over all keys if it was. An array or a set of
  /// keys is therefore better than the keys of a dictionary whose values change often. For very
  /// many reactors, see ``ReactorRegistry``.
  ///
  /// - Parameters:
  ///   - keys: Returns the keys for a state; a key that occurs twice counts once.
  ///   - ending: What happens to a child's work when its key is removed.
  ///   - make: Creates the child of a key. Called on the parent, with the state that has the key.
  ///     To start the child with an action, send it here.
  ///   - output: Converts a child's output to a mutation; `nil` if there is none.
  /// - Returns: The children, by key.
  public func children<Keys: Sequence & Equatable & Sendable, Child: Reactor>(
    _ keys: @escaping @Sendable (R.State) -> Keys, ending: StopMode = .cancel,
    make: @escaping @Sendable (Keys.Element, R.State) -> Child,
    output: (@Sendable (Keys.Element, Child.Output) -> R.Mutation?)? = nil
  ) -> ReactorChildren<Keys.Element, Child> {
    let children = ReactorChildren<Keys.Element, Child>()
    add(
      ChildFollower<R, Keys, Child>(
        of: engine, at: children, ending: ending, keys: keys, make: make, output: output))
    return children
  }

  /// Declares a child that belongs to an optional in the state, or to a case of an enum.
  ///
  /// ```swift
  /// editor = pipeline.child(\.draft?.id) { id, _ in EditorReactor(id, service) }
  ///
  /// home = pipeline.child { state in
  ///   if case .home(let user) = state.screen { user } else { nil }
  /// } make: { user, _ in
  ///   HomeReactor(user)
  /// }
  /// ```
  ///
  /// The child exists while there is a key; a different key gets a different child. Everything else
  /// is as for ``children(_:ending:make:output:)``, with at most one child.
  ///
  /// - Parameters:
  ///   - key: Returns the child's key for a state; `nil` for no child.
  ///   - ending: What happens to the child's work when its key is removed.
  ///   - make: Creates the child. Called on the parent, with the state that has the key.
  ///   - output: Converts an output to a mutation; `nil` if there is none.
  /// - Returns: The storage that holds the child.
  public func child<ID: Hashable & Sendable, Child: Reactor>(
    _ key: @escaping @Sendable (R.State) -> ID?, ending: StopMode = .cancel,
    make: @escaping @Sendable (ID, R.State) -> Child,
    output: (@Sendable (Child.Output) -> R.Mutation?)? = nil
  ) -> ReactorChild<Child> {
    let storage = SingleChildStorage<ID, Child>()
    let keys: @Sendable (R.State) -> AtMostOne<ID> = { AtMostOne(element: key($0)) }
    var mutation: (@Sendable (ID, Child.Output) -> R.Mutation?)?
    if let output { mutation = { _, value in output(value) } }
    add(
      ChildFollower<R, AtMostOne<ID>, Child>(
        of: engine, at: storage, ending: ending, keys: keys, make: make, output: mutation))
    return storage.child
  }

  private func add(_ children: any EngineFollower<R.State>) {
    precondition(
      engine.activity == .unused,
      "\(R.self): its children have to be declared in its init, before it is used")
    engine.withFollowers { $0.append(children) }
  }
}

/// A sequence of one key or none.
private struct AtMostOne<Element: Hashable & Sendable>: Sequence, Equatable, Sendable {
  let element: Element?

  func makeIterator() -> some IteratorProtocol<Element> {
    var rest = element
    return AnyIterator { rest.take() }
  }
}
