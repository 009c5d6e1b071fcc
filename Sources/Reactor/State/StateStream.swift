/// The states of a reactor as an async sequence: the current one first, then every one after it.
///
/// Any number of observers iterate the same stream, each at its own pace; none holds up the reactor
/// or another observer. Observation begins at `makeAsyncIterator()`, which is where a `for await`
/// loop starts: the first element is the state at that moment, and from there nothing is left out
/// and nothing comes twice.
///
/// ```swift
/// for await state in counter.state { render(state) }
/// ```
///
/// **Runs on** the observer's own task. **Order**: as reduced. A state can be read through
/// `currentState` before any observer is given it.
///
/// **Memory**: a state is kept until the slowest observer has seen it. An observer that only wants
/// the newest one says so with ``buffering(_:)`` and keeps none.
///
/// **Ends** when the reactor is stopped or goes away, after the states that were still to be seen,
/// or when the observer's task is cancelled. A stream does not keep its reactor alive. It never
/// fails.
public struct StateStream<State: Sendable>: AsyncSequence, Sendable {
  /// The kind of element.
  public typealias Element = State
  /// Nothing goes wrong here.
  public typealias Failure = Never

  let source: any StateSource<State>
  let policy: StateBuffering
  /// A place taken beforehand, for the first iterator; the others begin where they come in.
  let reserved: StateSubscription<State>?

  @usableFromInline
  init(
    source: any StateSource<State>, policy: StateBuffering = .everyState,
    reserved: StateSubscription<State>? = nil
  ) {
    self.source = source
    self.policy = policy
    self.reserved = reserved
  }

  /// The same states, with another choice of what a slow observer gets.
  ///
  /// - Parameter policy: Every state, the newest only, or the last few.
  /// - Returns: A stream for any number of observers.
  public func buffering(_ policy: StateBuffering) -> StateStream {
    StateStream(source: source, policy: policy, reserved: reserved)
  }

  /// Begins to observe.
  ///
  /// - Returns: An iterator with a place of its own; letting go of it ends the observation.
  public func makeAsyncIterator() -> Iterator {
    if policy.isEveryState, let subscription = reserved?.take() {
      return Iterator(subscription: subscription)
    }
    return Iterator(subscription: source.subscribe(policy))
  }

  /// One observer's place in the stream.
  public struct Iterator: AsyncIteratorProtocol {
    @usableFromInline let subscription: StateSubscription<State>

    /// Which state it has returned last; `nil` before the first.
    ///
    /// It counts up with every state that an observer looks at, also over a restart, and is the
    /// same for all of them; while there is none, states are not counted. What a hook over the
    /// states gives, or ``StateStream/derived(_:)``, is counted for itself.
    package var version: UInt64? { subscription.broadcast.seen(subscription.slot) }

    /// Waits for the next state.
    ///
    /// - Returns: The state; `nil` at the end, or when the task is cancelled.
    @inlinable
    nonisolated(nonsending) public mutating func next() async -> State? {
      await subscription.next()
    }

    /// Waits for the next state.
    ///
    /// - Parameter actor: Where the caller runs.
    /// - Returns: The state; `nil` at the end, or when the task is cancelled.
    @inlinable
    public mutating func next(isolation actor: isolated (any Actor)?) async -> State? {
      await subscription.next()
    }
  }
}
