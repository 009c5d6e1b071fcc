public import Reactor
import ReactorRuntime

extension ReactorGroup {
  /// Adds a reactor.
  ///
  /// One that is a member already is added anew: what it was added with before is forgotten, and
  /// whatever is sent meanwhile reaches it once.
  ///
  /// **Runs on** any thread. **Order**: what is sent from now on reaches it.
  ///
  /// - Parameters:
  ///   - reactor: The reactor. It leaves by itself when it goes.
  ///   - isKept: Whether the group keeps it alive.
  ///   - action: What the group's action is to the reactor; `nil` if it does not want it. Called by
  ///     the sender, on any thread; it should be quick, and may do whatever it likes.
  @inlinable
  public func add<R: Reactor>(
    _ reactor: R, keeping isKept: Bool = false, _ action: @escaping @Sendable (Action) -> R.Action?
  ) {
    withExtendedLifetime(reactor) { _ = admit(entry(for: reactor, keeping: isKept, action)) }
  }

  /// Adds a reactor that takes the group's actions as they are.
  ///
  /// - Parameters:
  ///   - reactor: The reactor.
  ///   - isKept: Whether the group keeps it alive.
  @inlinable
  public func add<R: Reactor>(_ reactor: R, keeping isKept: Bool = false)
  where R.Action == Action {
    add(reactor, keeping: isKept) { $0 }
  }

  /// Lets a reactor leave, and forgets what was declared about it here.
  ///
  /// What was sent before still reaches it. Does nothing if it is no member.
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

  /// The members as they are kept; one with several keys in an index is in it as often.
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

  /// Takes a member in, or anew; its caller keeps the reactor meanwhile.
  ///
  /// - Parameters:
  ///   - entry: The member.
  ///   - others: What it comes after.
  ///   - index: Puts it into an index; `nil` if it is to be asked about every action.
  /// - Returns: The circle that the order would be; then nothing has changed.
  @usableFromInline
  func admit(
    _ entry: GroupEntry<Action>, after others: [any Reactor] = [], into index: (() -> Void)? = nil
  ) -> CyclicOrderError? {
    let others = others.map { Self.member(of: $0) }
    let id = entry.member.engine.id
    var circle: [GroupMember]?
    var deferred = DeferredWork()
    changing.withLock { _ in
      GroupOrder.withLock(&deferred) { deferred in
        circle = entry.member.setPredecessors(others, in: ObjectIdentifier(self), &deferred)
      }
      guard circle == nil else { return }
      // The reactor is kept by the caller: it has not been released before this.
      entry.member.whenReleased(leave: ObjectIdentifier(self)) { [weak self] in self?.forget(id) }
      let left = contents.withLock { $0.put(entry, into: index) }
      deferred.add { withExtendedLifetime(left) {} }
    }
    deferred.run()
    return circle.map { CyclicOrderError(members: $0.map(\.identity)) }
  }

  private static func member(of reactor: some Reactor) -> GroupMember {
    .of(reactor.pipeline.engine(of: reactor))
  }

  /// Takes a member out.
  ///
  /// - Parameter engine: Its engine's identity.
  func forget(_ engine: ObjectIdentifier) {
    var deferred = DeferredWork()
    changing.withLock { _ in
      guard let left = contents.withLock({ $0.takeOut(engine) }) else { return }
      leave(left.member, &deferred)
      deferred.add { withExtendedLifetime(left) {} }
    }
    deferred.run()
  }

  /// Takes back what was declared of a member.
  func leave(_ member: GroupMember, _ deferred: inout DeferredWork) {
    let group = ObjectIdentifier(self)
    member.forget(group)
    GroupOrder.withLock(&deferred) { member.removePredecessors(in: group, &$0) }
  }
}
