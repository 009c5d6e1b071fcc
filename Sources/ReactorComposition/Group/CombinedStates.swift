public import Reactor

/// The states of several reactors as one async sequence of tuples: the current ones first, then
/// every change.
///
/// ```swift
/// for await (login, list) in combining(login.state, list.state) {
///   render(login.user, list.items)
/// }
///
/// let title = combining(login.state, list.state).select { login, list in
///   "\(login.user ?? "nobody"): \(list.items.count)"
/// }
/// ```
///
/// Made by ``combining(_:)``. **Together**: what a ``ReactorGroup`` has sent to two or more of the
/// reactors changes all of them at once: no tuple has what one of them made of it beside what
/// another was before. Until the last of them has had its turn, all others' states are shown as
/// they were before. Everything else, of effects for one, is shown as it comes. The first tuple is
/// one that was true together, too. Where one of the reactors is journaled, its turn is over when
/// what it led to is kept: the others' states wait for the disk with its own.
///
/// Behind a `transform(action:)` that holds actions back, a turn counts as over when the hook has
/// taken the action in. Behind a `transform(state:)` it is not known which state has come of which
/// action: such states, and those of streams that are made of others, are shown as they come.
///
/// **Memory**: any number of observers share one of these; a tuple is kept until the slowest has
/// seen it. For few, see ``buffering(_:)``. One that comes late begins with the states at that
/// moment, as with ``/Reactor/StateStream/derived(_:)``, which also says how deeply they may be
/// nested. **Runs on** the observer's own task. **Ends** when the streams of all reactors have. It
/// keeps no reactor alive, and never fails.
public struct CombinedStates<each State: Sendable>: AsyncSequence, Sendable {
  /// The kind of element.
  public typealias Element = (repeat each State)
  /// Nothing goes wrong here.
  public typealias Failure = Never

  /// The same as a stream of states, for whatever takes one.
  public let stream: StateStream<(repeat each State)>

  init(stream: StateStream<(repeat each State)>) { self.stream = stream }

  /// Begins to observe.
  ///
  /// - Returns: An iterator with a place of its own; to release it ends the observation.
  public func makeAsyncIterator() -> StateStream<(repeat each State)>.Iterator {
    stream.makeAsyncIterator()
  }

  /// The same tuples, with another choice of what a slow observer gets.
  ///
  /// - Parameter policy: Every tuple, the newest only, or the last few.
  /// - Returns: A sequence for any number of observers.
  public func buffering(_ policy: StateBuffering) -> CombinedStates {
    CombinedStates(stream: stream.buffering(policy))
  }

  /// Watches one value that is made of all states; a value equal to the one before is left out.
  ///
  /// - Parameter value: Anything that can be made of the states; called in the observer's task.
  /// - Returns: The values, the current one first.
  public func select<Value: Equatable & Sendable>(
    _ value: @escaping @Sendable (repeat each State) -> Value
  ) -> StateSelection<Element, Value> {
    stream.select(Self.spread(value))
  }

  /// One value that is made of all states, once for all observers; see
  /// ``/Reactor/StateStream/derived(_:)``.
  ///
  /// - Parameter value: Anything that can be made of the states.
  /// - Returns: The values, to be shared.
  public func derived<Value: Equatable & Sendable>(
    _ value: @escaping @Sendable (repeat each State) -> Value
  ) -> StateStream<Value> {
    stream.derived(Self.spread(value))
  }

  /// What takes the states one by one, as what takes them all.
  private static func spread<Value>(
    _ value: @escaping @Sendable (repeat each State) -> Value
  ) -> @Sendable (Element) -> Value {
    { states in value(repeat each states) }
  }
}

/// Combines the states of several reactors; see ``CombinedStates``.
///
/// Every state counts, whatever ``/Reactor/StateStream/buffering(_:)`` the streams have; the choice
/// is made for the tuples.
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
  /// What is shown; only once the book has begun.
  fileprivate func shown() -> State {
    guard let current else { preconditionFailure("states were combined before all had come") }
    return current
  }
}
