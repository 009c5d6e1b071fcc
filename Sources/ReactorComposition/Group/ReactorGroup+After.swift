public import Reactor

/// Members that receive an action after the turns of other members have ended.
extension ReactorGroup {
  /// Adds a reactor that comes after another reactor.
  ///
  /// **Order**: an action that both take reaches the reactor when the other's turn has ended. The
  /// reactor may then read the other's state, which has the changes made in that turn. This holds
  /// in every group in which both are members. It also holds if other members are ordered in
  /// between, whether or not those take the action. The other reactor need not be a member yet.
  ///
  /// The turn of a journaled reactor ends when the mutations of that turn are durable: a reactor
  /// after it waits for the disk, and receives the action even if writing has failed.
  ///
  /// - Parameters:
  ///   - reactor: The reactor.
  ///   - other: The reactor that it comes after.
  ///   - isKept: Whether the group keeps the reactor alive.
  ///   - action: Maps the group's action to an action of the reactor; `nil` if there is none.
  /// - Throws: ``CyclicOrderError`` if the other comes after the reactor, in any group; then
  ///   nothing has changed.
  @inlinable
  public func add<R: Reactor>(
    _ reactor: R, after other: any Reactor, keeping isKept: Bool = false,
    _ action: @escaping @Sendable (Action) -> R.Action?
  ) throws(CyclicOrderError) {
    try add(reactor, after: [other], keeping: isKept, action)
  }

  /// Adds a reactor that comes after each of some other reactors.
  ///
  /// See `add(_:after:keeping:_:)` with one other reactor.
  ///
  /// - Parameters:
  ///   - reactor: The reactor.
  ///   - others: The reactors that it comes after.
  ///   - isKept: Whether the group keeps the reactor alive.
  ///   - action: Maps the group's action to an action of the reactor; `nil` if there is none.
  /// - Throws: ``CyclicOrderError`` if one of the others comes after the reactor, in any group;
  ///   then nothing has changed.
  @inlinable
  public func add<R: Reactor>(
    _ reactor: R, after others: [any Reactor], keeping isKept: Bool = false,
    _ action: @escaping @Sendable (Action) -> R.Action?
  ) throws(CyclicOrderError) {
    let cycle = withExtendedLifetime(reactor) {
      admit(entry(for: reactor, keeping: isKept, action), after: others)
    }
    if let cycle { throw cycle }
  }

  /// Adds a reactor that comes after another, and takes the group's actions unchanged.
  ///
  /// - Parameters:
  ///   - reactor: The reactor.
  ///   - other: The reactor that it comes after.
  ///   - isKept: Whether the group keeps the reactor alive.
  /// - Throws: ``CyclicOrderError`` if the other comes after the reactor.
  @inlinable
  public func add<R: Reactor>(
    _ reactor: R, after other: any Reactor, keeping isKept: Bool = false
  ) throws(CyclicOrderError) where R.Action == Action {
    try add(reactor, after: [other], keeping: isKept) { $0 }
  }

  /// Adds a reactor that comes after others, and takes the group's actions unchanged.
  ///
  /// - Parameters:
  ///   - reactor: The reactor.
  ///   - others: The reactors that it comes after.
  ///   - isKept: Whether the group keeps the reactor alive.
  /// - Throws: ``CyclicOrderError`` if one of the others comes after the reactor.
  @inlinable
  public func add<R: Reactor>(
    _ reactor: R, after others: [any Reactor], keeping isKept: Bool = false
  ) throws(CyclicOrderError) where R.Action == Action {
    try add(reactor, after: others, keeping: isKept) { $0 }
  }
}
