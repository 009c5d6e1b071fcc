extension ReactorGroup {
  /// Adds a reactor.
  ///
  /// One that is a member already is added anew: what it was added with before is forgotten.
  ///
  /// **Runs on** any thread. **Order**: what is sent from now on reaches it.
  ///
  /// - Parameters:
  ///   - reactor: The reactor. It leaves by itself when it goes.
  ///   - isKept: Whether the group keeps it alive.
  ///   - action: What the group's action is to the reactor; `nil` if it does not want it. Called by
  ///     whoever sends, on any thread; it should be quick, and may do whatever it likes.
  @inlinable
  public func add<R: Reactor>(
    _ reactor: R, keeping isKept: Bool = false, _ action: @escaping @Sendable (Action) -> R.Action?
  ) {
    let entry = entry(for: reactor, keeping: isKept, action)
    forget(entry.member.id)
    admit(entry)
    contents.withLock { $0.append(entry) }
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

  /// Adds a reactor that comes after others.
  ///
  /// Where an action is for it and for one of those, it gets it when the turn of the other is over:
  /// it may read the other's state, and finds there what the action has led to at once. That holds
  /// in every group in which they are members, and over those that come in between, whether or not
  /// those want the action. The others need not be members yet.
  ///
  /// - Parameters:
  ///   - reactor: The reactor.
  ///   - others: Whom it comes after.
  ///   - isKept: Whether the group keeps it alive.
  ///   - action: What the group's action is to the reactor; `nil` if it does not want it.
  /// - Throws: ``GroupCircle`` if one of the others comes after the reactor, in whatever group;
  ///   then nothing has changed.
  @inlinable
  public func add<R: Reactor>(
    _ reactor: R, after others: any Reactor..., keeping isKept: Bool = false,
    _ action: @escaping @Sendable (Action) -> R.Action?
  ) throws(GroupCircle) {
    let entry = entry(for: reactor, keeping: isKept, action)
    try declare(entry, after: others)
    admit(entry)
    contents.withLock { $0.append(entry) }
  }

  /// Lets a reactor leave, and forgets what was declared about it here.
  ///
  /// What was sent before still reaches it. Does nothing if it is no member.
  ///
  /// - Parameter reactor: The reactor.
  public func remove(_ reactor: some Reactor) { forget(ObjectIdentifier(reactor.pipeline.core)) }

  /// The members, by name.
  ///
  /// **Runs on** any thread.
  public var members: [ReactorIdentity] { cores.filter { !$0.isGone }.map(\.identity) }

  // MARK: Inside

  var cores: [any GroupedPipeline] {
    let (everyAction, indexes) = contents.withLock { ($0.everyAction, $0.indexes) }
    var seen: Set<ObjectIdentifier> = []
    return (everyAction + indexes.flatMap { $0.members }).map(\.member.core)
      .filter { seen.insert(ObjectIdentifier($0)).inserted }
  }

  @inlinable
  func entry<R: Reactor>(
    for reactor: R, keeping isKept: Bool, _ action: @escaping @Sendable (Action) -> R.Action?
  ) -> GroupEntry<Action> {
    let core = reactor.pipeline.core
    core.connect(reactor)
    let seat = core.seat(in: order)
    order.merge(seat.order)
    return GroupEntry(core, seat, keeping: isKept ? reactor : nil, map: action)
  }

  /// Sees to it that the member leaves when its reactor goes.
  @usableFromInline
  func admit(_ entry: GroupEntry<Action>) {
    let core = entry.member.id
    entry.seat.whenGone(leave: ObjectIdentifier(self)) { [weak self] in
      _ = self?.takeOut(core)
    }
  }

  @usableFromInline
  func declare(_ entry: GroupEntry<Action>, after others: [any Reactor]) throws(GroupCircle) {
    let seats = others.map { seat(of: $0) }
    var circle: [GroupSeat]?
    var left: [GroupSeat] = []
    order.withLock {
      let before = entry.seat.predecessors
      left = entry.seat.comeAfterNobody(in: ObjectIdentifier(self))
      circle = entry.seat.come(after: seats, in: ObjectIdentifier(self))
      if circle != nil { entry.seat.restore(before) }
    }
    withExtendedLifetime(left) {}
    if let circle { throw GroupCircle(members: circle.map(\.identity)) }
    _ = takeOut(entry.member.id)
  }

  private func seat(of reactor: some Reactor) -> GroupSeat {
    let core = reactor.pipeline.core
    core.connect(reactor)
    let seat = core.seat(in: order)
    order.merge(seat.order)
    return seat
  }

  @usableFromInline
  func forget(_ core: ObjectIdentifier) {
    guard let entry = takeOut(core) else { return }
    entry.seat.forget(ObjectIdentifier(self))
    var left: [GroupSeat] = []
    order.withLock { left = entry.seat.comeAfterNobody(in: ObjectIdentifier(self)) }
    withExtendedLifetime(left) {}
  }

  /// Takes a member out of the lists; what it keeps is let go by the caller, outside the lock.
  func takeOut(_ core: ObjectIdentifier) -> GroupEntry<Action>? {
    let (entry, indexes) = contents.withLock { ($0.remove(core), $0.indexes) }
    if let entry { return entry }
    for index in indexes {
      if let entry = index.takeOut(core) { return entry }
    }
    return nil
  }
}

extension GroupSeat {
  /// Puts back what was declared; under the lock of the order.
  func restore(_ declared: [(seat: GroupSeat, group: ObjectIdentifier)]) {
    for (seat, _) in predecessors { seat.successors -= 1 }
    predecessors = declared
    for (seat, _) in predecessors { seat.successors += 1 }
    for (seat, _) in predecessors { seat.settle() }
    settle()
  }
}
