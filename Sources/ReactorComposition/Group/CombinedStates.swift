public import Reactor

/// The states of several reactors as one async sequence of tuples: the current states first, then
/// every change.
///
/// ```swift
/// for await (login, list) in combining(login.state, list.state) {
///   render(login.user, list.items)
/// }
///
/// let title = combining(login.state, list.state).select { login, list in
///   "\(login.user ?? "guest"): \(list.items.count)"
/// }
/// ```
///
/// Made by ``combining(_:)``.
///
/// **Together**: an action that a ``ReactorGroup`` has sent to two or more of the reactors changes
/// all of them at once. No tuple combines a state after that action with a state of another
/// receiver before it. Until the last receiver has had its turn, the states of the others are shown
/// as they were before. All other changes, such as those of effects, are shown as they arrive. The
/// states of the first tuple were also valid together. If one of the reactors is journaled, its
/// turn ends when the mutations of that turn are durable, so the others' states wait for the disk
/// as well.
///
/// Behind a `transform(action:)` that holds actions back, a turn counts as ended when the hook has
/// received the action. Behind a `transform(state:)`, it is not known which action a state results
/// from. Such states, and those of streams derived from other streams, are shown as they arrive.
///
/// **Runs on** the observer's own task. **Ends** when the streams of all reactors have ended. It
/// keeps no reactor alive, and never fails.
///
/// **Memory**: any number of observers share one sequence, and a tuple is kept until the slowest
/// observer has received it. To keep fewer, see ``buffering(_:)``. An observer that starts later
/// begins with the states at that moment, as with ``/Reactor/StateStream/derived(_:)``, which also
/// documents how deeply they may be nested.
public struct CombinedStates<each State: Sendable>: AsyncSequence, Sendable {
  /// The type of the elements.
  public typealias Element = (repeat each State)
  /// The sequence never fails.
  public typealias Failure = Never

  /// The same sequence as a `StateStream`, for functions that take one.
  public let stream: StateStream<(repeat each State)>

  init(stream: StateStream<(repeat each State)>) { self.stream = stream }

  /// Starts to observe.
  ///
  /// - Returns: An iterator with its own position; releasing it ends the observation.
  public func makeAsyncIterator() -> StateStream<(repeat each State)>.Iterator {
    stream.makeAsyncIterator()
  }

  /// The same tuples, with another buffering policy for slow observers.
  ///
  /// - Parameter policy: Every tuple, the newest only, or the last few.
  /// - Returns: A sequence for any number of observers.
  public func buffering(_ policy: StateBuffering) -> CombinedStates {
    CombinedStates(stream: stream.buffering(policy))
  }

  /// Observes one value that is computed from all states; a value equal to the previous one is
  /// skipped.
  ///
  /// - Parameter value: Computes the value from the states; called in the observer's task.
  /// - Returns: The values, the current one first.
  public func select<Value: Equatable & Sendable>(
    _ value: @escaping @Sendable (repeat each State) -> Value
  ) -> StateSelection<Element, Value> {
    stream.select(Self.spread(value))
  }

  /// One value that is computed from all states, once for all observers; see
  /// ``/Reactor/StateStream/derived(_:)``.
  ///
  /// - Parameter value: Computes the value from the states.
  /// - Returns: The values, as a stream that observers share.
  public func derived<Value: Equatable & Sendable>(
    _ value: @escaping @Sendable (repeat each State) -> Value
  ) -> StateStream<Value> {
    stream.derived(Self.spread(value))
  }

  /// Converts a function of the single states to a function of the tuple.
  private static func spread<Value>(
    _ value: @escaping @Sendable (repeat each State) -> Value
  ) -> @Sendable (Element) -> Value {
    { states in value(repeat each states) }
  }
}

/// Combines the states of several reactors; see ``CombinedStates``.
///
/// Every state is used, whatever ``/Reactor/StateStream/buffering(_:)`` the streams have; the
/// policy applies to the tuples.
///
/// - Parameter states: The reactors' `state`.
/// - Returns: Their states as tuples.
public func combining<each State: Sendable>(
  _ states: repeat StateStream<each State>
) -> CombinedStates<repeat each State> {
  let columns = (repeat StateColumn(each states))
  var all: [any CombinedColumn] = []
  for column in repeat each columns { all.append(column) }
  let combiner = StateCombiner<(repeat each State)>(all) {
    (repeat (each columns).shown())
  }
  return CombinedStates(stream: combiner.stream)
}

extension StateColumn {
  /// The state that is shown; called only after the combination has begun.
  fileprivate func shown() -> State {
    guard let current else { preconditionFailure("states were combined before all had come") }
    return current
  }
}
