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
  /// Called in the reactor's `init`, for each kind of children; what it returns is kept there, and
  /// is where the children are looked up.
  ///
  /// **Begin and end**: after each mutation the keys are looked at, and before any observer sees
  /// the new state. A child is made for a key that has come, and begins; one whose key has gone is
  /// stopped and released. One that goes and comes again with two mutations is another child; with
  /// one mutation, it is the same. `reduce` changes the keys, that is all.
  ///
  /// **Outputs** of a child become mutations of its parent, in their order, each when the parent
  /// has time for it; they pass `transform(mutation:)`. What it had said when its key went is
  /// dropped, unless `ending` is `.drain`: then the parent hears it to its end, beside the next
  /// child of the key if that has come again.
  ///
  /// **When the parent stops**, so do the children; when it drains, they drain after its own work,
  /// and what they say is still reduced. `settled` waits for them. When it goes, they are stopped.
  /// When it begins again, they are made anew.
  ///
  /// **If a child fails**, that is its own affair, and is reported with its own name. One that
  /// stops by itself keeps its key, and should say so with its last output. What one says after a
  /// `restart()` of its own is not heard.
  ///
  /// **Cost**: two collections are compared after each mutation, which is nothing where the
  /// collection has not been touched, and a pass over all keys where it has. An array or a set of
  /// keys is therefore better than the keys of a dictionary whose values change all the time. For
  /// very many, see ``ReactorRegistry``.
  ///
  /// - Parameters:
  ///   - keys: Which children there are to be, by the state; a key that comes twice counts once.
  ///   - ending: What becomes of a child's work when its key goes.
  ///   - make: Makes the child of a key; called on the reactor, with the state that has the key.
  ///     To have the child begin with something, send it here.
  ///   - output: The mutation that a child's output is; `nil` if it is none.
  /// - Returns: Where the children are looked up.
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
  /// It is there while there is a key, and is another one when the key is another one. For the rest
  /// it is ``children(_:ending:make:output:)`` with at most one.
  ///
  /// - Parameters:
  ///   - key: Which child there is to be, by the state.
  ///   - ending: What becomes of its work when its key goes.
  ///   - make: Makes the child; called on the reactor, with the state that has the key.
  ///   - output: The mutation that an output is; `nil` if it is none.
  /// - Returns: Where the child is found.
  public func child<ID: Hashable & Sendable, Child: Reactor>(
    _ key: @escaping @Sendable (R.State) -> ID?, ending: StopMode = .cancel,
    make: @escaping @Sendable (ID, R.State) -> Child,
    output: (@Sendable (Child.Output) -> R.Mutation?)? = nil
  ) -> ReactorChild<Child> {
    let place = OnlyChildPlace<ID, Child>()
    let keys: @Sendable (R.State) -> AtMostOne<ID> = { AtMostOne(element: key($0)) }
    var mutation: (@Sendable (ID, Child.Output) -> R.Mutation?)?
    if let output { mutation = { _, value in output(value) } }
    add(
      ChildFollower<R, AtMostOne<ID>, Child>(
        of: engine, at: place, ending: ending, keys: keys, make: make, output: mutation))
    return place.child
  }

  private func add(_ children: any EngineFollower<R.State>) {
    precondition(
      engine.activity == .unused,
      "\(R.self): its children have to be declared in its init, before it is used")
    engine.withFollowers { $0.append(children) }
  }
}

/// One key or none.
private struct AtMostOne<Element: Hashable & Sendable>: Sequence, Equatable, Sendable {
  let element: Element?

  func makeIterator() -> some IteratorProtocol<Element> {
    var rest = element
    return AnyIterator { rest.take() }
  }
}
