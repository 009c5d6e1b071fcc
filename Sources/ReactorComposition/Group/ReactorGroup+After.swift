public import Reactor

/// Members that get an action when the turn of others is over.
extension ReactorGroup {
  /// Adds a reactor that comes after another.
  ///
  /// Where an action is for both, the reactor gets it when the turn of the other is over: it may
  /// read the other's state, and finds there what the action has led to at once. That holds in
  /// every group in which both are members, and over those that come in between, whether or not
  /// those want the action. The other need not be a member yet.
  ///
  /// The turn of a journaled reactor is over when what it led to is kept: what comes after it waits
  /// for the disk, and gets the action also where keeping it has failed.
  ///
  /// - Parameters:
  ///   - reactor: The reactor.
  ///   - other: What it comes after.
  ///   - isKept: Whether the group keeps it alive.
  ///   - action: What the group's action is to the reactor; `nil` if it does not want it.
  /// - Throws: ``CyclicOrderError`` if the other comes after the reactor, in whatever group; then
  ///   nothing has changed.
  @inlinable
  public func add<R: Reactor>(
    _ reactor: R, after other: any Reactor, keeping isKept: Bool = false,
    _ action: @escaping @Sendable (Action) -> R.Action?
  ) throws(CyclicOrderError) {
    try add(reactor, after: [other], keeping: isKept, action)
  }

  /// Adds a reactor that comes after each of some others, as it would after one.
  ///
  /// - Parameters:
  ///   - reactor: The reactor.
  ///   - others: What it comes after.
  ///   - isKept: Whether the group keeps it alive.
  ///   - action: What the group's action is to the reactor; `nil` if it does not want it.
  /// - Throws: ``CyclicOrderError`` if one of the others comes after the reactor, in whatever
  ///   group; then nothing has changed.
  @inlinable
  public func add<R: Reactor>(
    _ reactor: R, after others: [any Reactor], keeping isKept: Bool = false,
    _ action: @escaping @Sendable (Action) -> R.Action?
  ) throws(CyclicOrderError) {
    let circle = withExtendedLifetime(reactor) {
      admit(entry(for: reactor, keeping: isKept, action), after: others)
    }
    if let circle { throw circle }
  }

  /// Adds a reactor that comes after another, and takes the group's actions as they are.
  ///
  /// - Parameters:
  ///   - reactor: The reactor.
  ///   - other: What it comes after.
  ///   - isKept: Whether the group keeps it alive.
  /// - Throws: ``CyclicOrderError`` if the other comes after the reactor.
  @inlinable
  public func add<R: Reactor>(
    _ reactor: R, after other: any Reactor, keeping isKept: Bool = false
  ) throws(CyclicOrderError) where R.Action == Action {
    try add(reactor, after: [other], keeping: isKept) { $0 }
  }

  /// Adds a reactor that comes after others, and takes the group's actions as they are.
  ///
  /// - Parameters:
  ///   - reactor: The reactor.
  ///   - others: What it comes after.
  ///   - isKept: Whether the group keeps it alive.
  /// - Throws: ``CyclicOrderError`` if one of the others comes after the reactor.
  @inlinable
  public func add<R: Reactor>(
    _ reactor: R, after others: [any Reactor], keeping isKept: Bool = false
  ) throws(CyclicOrderError) where R.Action == Action {
    try add(reactor, after: others, keeping: isKept) { $0 }
  }
}
