/// Keeps children of a reactor: all that a pipeline knows of them.
///
/// A pipeline shows it each state that has been reduced, before any observer sees it. Which
/// children there are to be is then the keeper's to find out, so that `reduce` need not say it.
protocol ChildKeeper<State, Mutation>: AnyObject, Sendable {
  associatedtype State
  associatedtype Mutation

  /// Ends the children whose part of the state has gone, and makes those whose part has come.
  ///
  /// Called on the parent, never twice at a time.
  func follow(_ state: State, of parent: any ChildParent<Mutation>)

  /// Has those children drained that have not been asked to yet.
  ///
  /// - Returns: What to wait for.
  func drain() -> [ChildEnd]

  /// Ends all children, also those that drain; there is none after that.
  ///
  /// - Returns: What to wait for.
  func end() -> [ChildEnd]
}

/// A pipeline to those who keep its reactor's children.
protocol ChildParent<Mutation>: AnyObject, Sendable {
  associatedtype Mutation

  /// Reduces a mutation that a child's output has become.
  ///
  /// - Returns: Whether there may be more; false once the reactor is ending, or gone.
  func reduceFromChild(_ mutation: Mutation) async -> Bool

  /// A child is ending on its own; the reactor has not ended before that has.
  func willEnd(_ end: ChildEnd, hasEnded: @escaping @Sendable () -> Void)
}

/// The end of a child, for whoever waits for it; keeps the child, which could else go before.
struct ChildEnd: Sendable {
  let child: any Actor
  let identity: ReactorIdentity
  /// Whether it had ended before it was asked to.
  let hadEnded: Bool
  let stopped: StopReceipt
  /// Brings the parent what the child says; ends when it has brought all.
  let outputs: Task<Void, Never>?

  /// Waits until everything of the child has ended, and its parent knows what it has said.
  func settled() async {
    await stopped.settled
    await outputs?.value
  }
}
