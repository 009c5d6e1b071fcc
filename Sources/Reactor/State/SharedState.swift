import ReactorRuntime

/// A value that several reactors have in common: read, changed and observed in one place.
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
/// For what belongs to no reactor alone, and changes without effects: who is logged in, settings.
/// What has actions and effects of its own is a reactor, whose `state` is merged the same way.
///
/// **Runs on** any thread, without `await`. **Order**: changes are made one after another, each by
/// itself, and observers see them in that order. A reactor that merges it takes each as a mutation
/// in its own time: until then its state has the value before.
///
/// **Ends** never: a stream of it keeps it, and ends with the task that observes.
public final class SharedState<Value: Sendable>: Sendable {
  private struct Contents: Sendable {
    var value: Value
    var version: UInt64 = 0
  }

  /// Guard: its own lock, outside the broadcast's; observers are resumed outside both.
  private let contents: Guarded<Contents>
  private let broadcast = Broadcast<Value>(hasValues: true)

  /// A value to be shared.
  ///
  /// - Parameter value: What it is to begin with.
  public init(_ value: Value) { contents = Guarded(Contents(value: value)) }

  /// The value at this moment.
  public var value: Value { contents.withLock { $0.value } }

  /// Changes the value in place, and shows it to everybody who observes.
  ///
  /// **If the closure throws**, what it has changed until then stands, and is shown.
  ///
  /// - Parameter change: Makes the change. It is called under a lock: it must be quick, and must
  ///   not touch this shared state otherwise.
  /// - Returns: What the closure returns.
  /// - Throws: What the closure throws.
  @discardableResult
  public func change<Result: Sendable, Failure: Error>(
    _ change: (inout Value) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    let (result, delivery) = contents.withLock { contents in
      let result = Swift.Result { () throws(Failure) in try change(&contents.value) }
      contents.version += 1
      return (result, broadcast.put(contents.value, number: contents.version))
    }
    broadcast.deliver(delivery)
    return try result.get()
  }

  /// The values as a stream: the current one first, then every one after it.
  public var state: StateStream<Value> { StateStream(source: self) }
}

extension SharedState: StateSource, StateOwner {
  @usableFromInline typealias State = Value

  @usableFromInline
  func subscribe(_ policy: StateBuffering) -> StateSubscription<Value> {
    StateSubscription(broadcast, of: self, policy)
  }

  @usableFromInline
  func newcomer() { offer(to: nil) }

  @usableFromInline
  nonisolated(nonsending) func answer(_ subscription: StateSubscription<Value>) async {
    offer(to: subscription.slot)
  }

  private func offer(to asking: Int?) {
    broadcast.deliver(
      contents.withLock { broadcast.offer($0.value, number: $0.version, to: asking) })
  }

  @usableFromInline
  func giveBack(_ deserted: Broadcast<Value>) {}
}
