import Synchronization

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
  ///     whoever sends, on any thread; it should be quick, and may do whatever it likes.
  @inlinable
  public func add<R: Reactor>(
    _ reactor: R, keeping isKept: Bool = false, _ action: @escaping @Sendable (Action) -> R.Action?
  ) {
    admit(entry(for: reactor, keeping: isKept, action))
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
  public func remove(_ reactor: some Reactor) { forget(ObjectIdentifier(reactor.pipeline.core)) }

  /// The members, by name.
  ///
  /// **Runs on** any thread.
  public var members: [ReactorIdentity] { cores.filter { !$0.isGone }.map(\.identity) }

  // MARK: Inside

  var cores: [any GroupedPipeline] {
    var seen: Set<ObjectIdentifier> = []
    return entries.map(\.member.core).filter { seen.insert(ObjectIdentifier($0)).inserted }
  }

  /// The members as they are kept; one that stands under several keys as often.
  var entries: [GroupEntry<Action>] {
    let (everyAction, indexes) = contents.withLock { ($0.everyAction, $0.indexes) }
    return everyAction + indexes.flatMap { $0.members() }
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

  /// Takes a member in, or anew.
  ///
  /// - Parameters:
  ///   - entry: The member.
  ///   - others: Whom it comes after.
  ///   - index: Puts it into an index; `nil` if it is to be asked about every action.
  /// - Returns: The circle that the order would be; then nothing has changed.
  @usableFromInline @discardableResult
  func admit(
    _ entry: GroupEntry<Action>, after others: [any Reactor] = [], into index: (() -> Void)? = nil
  ) -> GroupCircle? {
    let seats = others.map { seat(of: $0) }
    var circle: [GroupSeat]?
    // Let go outside the locks.
    var left: (seats: [GroupSeat], entry: GroupEntry<Action>?) = ([], nil)
    changing.withLock { _ in
      order.withLock {
        circle = entry.seat.come(after: seats, in: ObjectIdentifier(self), &left.seats)
      }
      if circle == nil { left.entry = put(entry, into: index) }
    }
    withExtendedLifetime(left) {}
    return circle.map { GroupCircle(members: $0.map(\.identity)) }
  }

  /// Puts a member where it belongs, and takes it out of where it has been.
  ///
  /// - Returns: What it was added with before.
  private func put(_ entry: GroupEntry<Action>, into index: (() -> Void)?) -> GroupEntry<Action>? {
    let core = entry.member.id
    // The reactor is there, being added: it cannot have gone before this.
    entry.seat.whenGone(leave: ObjectIdentifier(self)) { [weak self] in self?.forget(core) }
    if index == nil, let before = contents.withLock({ $0.replace(entry) }) { return before }
    moves.add(1, ordering: .acquiringAndReleasing)
    defer { moves.add(1, ordering: .acquiringAndReleasing) }
    let before = takeOut(core)
    if let index { index() } else { contents.withLock { $0.append(entry) } }
    return before
  }

  private func seat(of reactor: some Reactor) -> GroupSeat {
    let core = reactor.pipeline.core
    core.connect(reactor)
    let seat = core.seat(in: order)
    order.merge(seat.order)
    return seat
  }

  func forget(_ core: ObjectIdentifier) {
    var left: (seats: [GroupSeat], entry: GroupEntry<Action>?) = ([], nil)
    changing.withLock { _ in
      left.entry = takeOut(core)
      if let seat = left.entry?.seat { left.seats = leave(seat) }
    }
    withExtendedLifetime(left) {}
  }

  /// Takes back what was declared of a member.
  ///
  /// - Returns: Seats to be let go outside the locks.
  func leave(_ seat: GroupSeat) -> [GroupSeat] {
    var left: [GroupSeat] = []
    seat.forget(ObjectIdentifier(self))
    order.withLock { left = seat.comeAfterNobody(in: ObjectIdentifier(self)) }
    return left
  }

  /// Takes a member out of the lists; what it keeps is let go by the caller, outside the locks.
  private func takeOut(_ core: ObjectIdentifier) -> GroupEntry<Action>? {
    let (entry, indexes) = contents.withLock { ($0.remove(core), $0.indexes) }
    if let entry { return entry }
    for index in indexes {
      if let entry = index.takeOut(core) { return entry }
    }
    return nil
  }
}
