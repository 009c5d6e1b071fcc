public import Reactor
import ReactorRuntime

extension ReactorGroup {
  /// Adds a reactor.
  ///
  /// A reactor that is already a member is added again: its previous entry is replaced, and an
  /// action sent meanwhile reaches it once.
  ///
  /// **Runs on** any thread. **Order**: it receives what is sent from now on.
  ///
  /// - Parameters:
  ///   - reactor: The reactor. It is removed when it is released.
  ///   - isKept: Whether the group keeps the reactor alive.
  ///   - action: Maps the group's action to an action of the reactor; `nil` if there is none.
  ///     Called by the sender, on any thread. It should be fast; no lock is held, so it may use the
  ///     group.
  @inlinable
  public func add<R: Reactor>(
    _ reactor: R, keeping isKept: Bool = false, _ action: @escaping @Sendable (Action) -> R.Action?
  ) {
    withExtendedLifetime(reactor) { _ = admit(entry(for: reactor, keeping: isKept, action)) }
  }

  /// Adds a reactor that takes the group's actions unchanged.
  ///
  /// - Parameters:
  ///   - reactor: The reactor.
  ///   - isKept: Whether the group keeps the reactor alive.
  @inlinable
  public func add<R: Reactor>(_ reactor: R, keeping isKept: Bool = false)
  where R.Action == Action {
    add(reactor, keeping: isKept) { $0 }
  }

  /// Removes a reactor, and what was declared about it in this group.
  ///
  /// Actions sent before still reach it. Does nothing if the reactor is no member.
  ///
  /// - Parameter reactor: The reactor.
  public func remove(_ reactor: some Reactor) { forget(reactor.engineID) }

  /// The members, by name.
  ///
  /// **Runs on** any thread.
  public var members: [ReactorIdentity] {
    uniqueMembers.filter { !$0.engine.isReleased }.map(\.identity)
  }

  // MARK: Inside

  var uniqueMembers: [GroupMember] {
    var seen: Set<ObjectIdentifier> = []
    return entries.map(\.member).filter { seen.insert($0.id).inserted }
  }

  /// The entries of all members; a member with several keys in an index occurs once for each key.
  var entries: [GroupEntry<Action>] {
    contents.withLock { contents in
      contents.everyAction + contents.indexes.flatMap { $0.members() }
    }
  }

  @inlinable
  func entry<R: Reactor>(
    for reactor: R, keeping isKept: Bool, _ action: @escaping @Sendable (Action) -> R.Action?
  ) -> GroupEntry<Action> {
    GroupEntry(reactor.pipeline.engine(of: reactor), of: reactor, keeping: isKept, action)
  }

  /// Adds a member, or replaces its entry; the caller keeps the reactor alive meanwhile.
  ///
  /// - Parameters:
  ///   - entry: The member.
  ///   - others: The reactors that it comes after.
  ///   - index: Adds it to an index; `nil` for a member whose closure is called for every action.
  /// - Returns: The cycle that the order would be; then nothing has changed.
  @usableFromInline
  func admit(
    _ entry: GroupEntry<Action>, after others: [any Reactor] = [], into index: (() -> Void)? = nil
  ) -> CyclicOrderError? {
    let others = others.map { Self.member(of: $0) }
    let id = entry.member.engine.id
    var cycle: [GroupMember]?
    var deferred = DeferredWork()
    changing.withLock { _ in
      GroupOrder.withLock(&deferred) { deferred in
        cycle = entry.member.setPredecessors(others, in: ObjectIdentifier(self), &deferred)
      }
      guard cycle == nil else { return }
      // The caller keeps the reactor alive, so it cannot have been released before this.
      entry.member.whenReleased(leave: ObjectIdentifier(self)) { [weak self] in self?.forget(id) }
      let removed = contents.withLock { $0.insert(entry, into: index) }
      deferred.add { withExtendedLifetime(removed) {} }
    }
    deferred.run()
    return cycle.map { CyclicOrderError(members: $0.map(\.identity)) }
  }

  private static func member(of reactor: some Reactor) -> GroupMember {
    .of(reactor.pipeline.engine(of: reactor))
  }

  /// Removes a member.
  ///
  /// - Parameter engine: Its engine's identity.
  func forget(_ engine: ObjectIdentifier) {
    var deferred = DeferredWork()
    changing.withLock { _ in
      guard let removed = contents.withLock({ $0.removeMember(engine) }) else { return }
      leave(removed.member, &deferred)
      deferred.add { withExtendedLifetime(removed) {} }
    }
    deferred.run()
  }

  /// Removes what was declared for a member in this group.
  func leave(_ member: GroupMember, _ deferred: inout DeferredWork) {
    let group = ObjectIdentifier(self)
    member.forget(group)
    GroupOrder.withLock(&deferred) { member.removePredecessors(in: group, &$0) }
  }
}
