import ReactorRuntime

/// A value that several reactors share: read, changed and observed in one place.
///
/// ```swift
/// let session = SharedState(Session())
///
/// session.change { $0.user = user }              // from anywhere
/// let name = session.value.user?.name            // from anywhere, now
/// for await session in session.state { … }       // as the state of a reactor
///
/// func transform(mutation: Mutations) -> some AsyncSequence<Mutation, Never> {
///   mutation.merging(session.state.select(\.user).map { .setUser($0) })
/// }
/// ```
///
/// Use it for a value that belongs to no single reactor, and that changes without effects: the
/// logged-in user, settings. If it needs actions and effects, make it a reactor; its `state` can be
/// merged in the same way.
///
/// **Runs on** any thread, without `await`.
///
/// **Order**: changes are made one after another, each atomically, and subscribers receive them in
/// that order. A reactor that merges them takes each one as a mutation later. Until then its state
/// has the old value.
///
/// **Never ends**: a stream retains the shared state, and ends with the task that iterates it.
public final class SharedState<Value: Sendable>: Sendable {
  private struct Contents: Sendable {
    var value: Value
    var version: UInt64 = 0
  }

  /// Guard: its own lock, outside the broadcast's; subscribers are resumed outside both.
  private let contents: Guarded<Contents>
  private let broadcast = Broadcast<Value>(hasValues: true)

  /// Creates a shared value.
  ///
  /// - Parameter value: The first value.
  public init(_ value: Value) { contents = Guarded(Contents(value: value)) }

  /// The value at this moment.
  public var value: Value { contents.withLock { $0.value } }

  /// Changes the value in place, and publishes it to all subscribers.
  ///
  /// **If the closure throws**, the changes that it has made until then remain, and are published.
  ///
  /// - Parameter change: Makes the change. It is called under a lock: it must be quick, and must
  ///   not use this shared state in any other way.
  /// - Returns: The result of the closure.
  /// - Throws: The error of the closure.
  @discardableResult
  public func change<Result: Sendable, Failure: Error>(
    _ change: (inout Value) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    let (result, delivery) = contents.withLock { contents in
      let result = Swift.Result { () throws(Failure) in try change(&contents.value) }
      contents.version += 1
      return (result, broadcast.enqueue(contents.value, number: contents.version))
    }
    broadcast.deliver(delivery)
    return try result.get()
  }

  /// The values as a stream: the current one first, then every later one.
  public var state: StateStream<Value> { StateStream(source: self) }
}

extension SharedState: StateSource, StateOwner {
  @usableFromInline typealias State = Value

  @usableFromInline
  func subscribe(_ policy: StateBuffering) -> StateSubscription<Value> {
    StateSubscription(broadcast, of: self, policy)
  }

  @usableFromInline
  func subscriberAdded() { offer(to: nil) }

  @usableFromInline
  nonisolated(nonsending) func offerCurrentState(to subscription: StateSubscription<Value>) async {
    offer(to: subscription.slot)
  }

  private func offer(to asking: Int?) {
    broadcast.deliver(
      contents.withLock { broadcast.offer($0.value, number: $0.version, to: asking) })
  }

  @usableFromInline
  func lastSubscriberReleased(_ broadcast: Broadcast<Value>) {}
}
