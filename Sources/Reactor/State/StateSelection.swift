import ReactorRuntime

extension StateStream {
  /// Observes one value in the state; a value equal to the last one is left out.
  ///
  /// ```swift
  /// for await name in reactor.state.select(\.name) { … }
  /// for await count in reactor.state.buffering(.newest).select({ $0.items.count }) { … }
  /// ```
  ///
  /// - Parameter value: A key path, or a closure that computes a value from a state; called in the
  ///   subscriber's task, for every state that it receives.
  /// - Returns: The values, the current one first.
  public func select<Value: Equatable & Sendable>(
    _ value: @escaping @Sendable (State) -> Value
  ) -> StateSelection<State, Value> {
    selection(value) { $0 == $1 }
  }

  /// Observes several values in the state; they are left out if all are equal to the last ones.
  ///
  /// ```swift
  /// for await (name, isLoading) in reactor.state.select(\.name, \.isLoading) { … }
  /// ```
  ///
  /// - Parameter values: Key paths, or closures that compute a value from a state.
  /// - Returns: The values as tuples, the current ones first.
  public func select<each Value: Equatable & Sendable>(
    _ values: repeat @escaping @Sendable (State) -> each Value
  ) -> StateSelection<State, (repeat each Value)> {
    selection({ (repeat (each values)($0)) }) { old, new in
      var areEqual = true
      for isEqual in repeat each old == each new { areEqual = areEqual && isEqual }
      return areEqual
    }
  }

  private func selection<Value: Sendable>(
    _ value: @escaping @Sendable (State) -> Value,
    _ areEqual: @escaping @Sendable (Value, Value) -> Bool
  ) -> StateSelection<State, Value> {
    StateSelection(states: self) {
      var last: Value?
      return { state in
        let new = value(state)
        if let last, areEqual(last, new) { return nil }
        last = new
        return new
      }
    }
  }
}

/// Values that are computed from the states, as an async sequence.
///
/// It has a part of the state, the current value first, and then each that differs from the last;
/// or the pulses that fire.
public struct StateSelection<State: Sendable, Value: Sendable>: AsyncSequence, Sendable {
  /// The type of element.
  public typealias Element = Value
  /// It never fails.
  public typealias Failure = Never

  let states: StateStream<State>
  /// Makes, for a new subscriber, the function that computes its values; `nil` leaves out a state.
  let begin: @Sendable () -> (State) -> Value?

  /// The values, each with the one before it.
  public var changes: StateSelection<State, StateChange<Value>> {
    StateSelection<State, StateChange<Value>>(states: states) { [begin] in
      let value = begin()
      var old: Value?
      return { state in
        guard let new = value(state) else { return nil }
        defer { old = new }
        return StateChange(old: old, new: new)
      }
    }
  }

  /// Starts to observe.
  ///
  /// - Returns: An iterator with a position of its own; when it is released, the observation ends.
  public func makeAsyncIterator() -> Iterator {
    Iterator(states: states.makeAsyncIterator(), value: begin())
  }

  /// The position of one subscriber.
  public struct Iterator: AsyncIteratorProtocol {
    var states: StateStream<State>.Iterator
    let value: (State) -> Value?

    /// Waits for the next value.
    ///
    /// - Returns: The value; `nil` at the end, or when the task is cancelled.
    nonisolated(nonsending) public mutating func next() async -> Value? {
      await next(isolation: #isolation)
    }

    /// Waits for the next value.
    ///
    /// - Parameter actor: The isolation of the caller.
    /// - Returns: The value; `nil` at the end, or when the task is cancelled.
    public mutating func next(isolation actor: isolated (any Actor)?) async -> Value? {
      while let state = await states.next(isolation: actor) {
        if let value = value(state) { return value }
      }
      return nil
    }
  }
}

/// A value and the one before it.
public struct StateChange<Value> {
  /// The value before; `nil` for the first one.
  public let old: Value?
  /// The value now.
  public let new: Value

  /// Creates a change; for tests.
  ///
  /// - Parameters:
  ///   - old: The value before, if any.
  ///   - new: The value now.
  public init(old: Value?, new: Value) {
    self.old = old
    self.new = new
  }
}

extension StateChange: Sendable where Value: Sendable {}
extension StateChange: Equatable where Value: Equatable {}
