/// The states of a reactor as an async sequence: the current one first, then every later one.
///
/// ```swift
/// for await state in counter.state { render(state) }
/// ```
///
/// Any number of subscribers iterate the same stream, each at its own pace. None of them delays the
/// reactor or another subscriber. A subscription begins with `makeAsyncIterator()`, which a `for
/// await` loop calls first. The first element is the state at that moment. From there on, no state
/// is left out and none is repeated.
///
/// **Runs on** the subscriber's own task. A stream does not keep its reactor alive.
///
/// **Order**: as reduced. A state can be read through `currentState` before it is delivered to any
/// subscriber.
///
/// **Memory**: a state is kept until the slowest subscriber has read it. With ``buffering(_:)``, a
/// subscriber receives only the newest state, and none is kept for it.
///
/// **Ends** when the reactor is stopped or released, after the unread states, or when the
/// subscriber's task is cancelled. It never fails.
public struct StateStream<State: Sendable>: AsyncSequence, Sendable {
  /// The type of element.
  public typealias Element = State
  /// It never fails.
  public typealias Failure = Never

  let source: any StateSource<State>
  let policy: StateBuffering
  /// A subscription made in advance, for the first iterator; the others begin when they are made.
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

  /// Returns the same states with another policy for slow subscribers.
  ///
  /// - Parameter policy: Every state, the newest only, or the last few.
  /// - Returns: A stream for any number of subscribers.
  public func buffering(_ policy: StateBuffering) -> StateStream {
    StateStream(source: source, policy: policy, reserved: reserved)
  }

  /// Starts to observe.
  ///
  /// - Returns: An iterator with a position of its own; when it is released, the observation ends.
  public func makeAsyncIterator() -> Iterator {
    if policy.isEveryState, let subscription = reserved?.take() {
      return Iterator(subscription: subscription)
    }
    return Iterator(subscription: source.subscribe(policy))
  }

  /// The position of one subscriber in the stream.
  public struct Iterator: AsyncIteratorProtocol {
    @usableFromInline let subscription: StateSubscription<State>

    /// The version of the state that was returned last; `nil` before the first.
    ///
    /// It increases with every state while there is a subscriber, also across a restart, and is the
    /// same for all subscribers. While there is none, states are not counted. The states of a hook
    /// over the states, or of ``StateStream/derived(_:)``, are counted separately.
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
    /// - Parameter actor: The isolation of the caller.
    /// - Returns: The state; `nil` at the end, or when the task is cancelled.
    @inlinable
    public mutating func next(isolation actor: isolated (any Actor)?) async -> State? {
      await subscription.next()
    }
  }
}
