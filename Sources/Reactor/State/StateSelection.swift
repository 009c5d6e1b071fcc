extension StateStream {
  /// Watches one value in the state; a value equal to the one before is left out.
  ///
  /// ```swift
  /// for await name in reactor.state.select(\.name) { … }
  /// for await count in reactor.state.buffering(.newest).select({ $0.items.count }) { … }
  /// ```
  ///
  /// - Parameter value: A key path, or anything that can be made of a state; called in the
  ///   observer's task, for every state that it gets.
  /// - Returns: The values, the current one first.
  public func select<Value: Equatable & Sendable>(
    _ value: @escaping @Sendable (State) -> Value
  ) -> StateSelection<State, Value> {
    StateSelection(states: self, value: value, areEqual: { $0 == $1 })
  }

  /// Watches several values in the state at once; left out where all are equal to those before.
  ///
  /// ```swift
  /// for await (name, isLoading) in reactor.state.select(\.name, \.isLoading) { … }
  /// ```
  ///
  /// - Parameter values: Key paths, or anything that can be made of a state.
  /// - Returns: The values as tuples, the current ones first.
  public func select<each Value: Equatable & Sendable>(
    _ values: repeat @escaping @Sendable (State) -> each Value
  ) -> StateSelection<State, (repeat each Value)> {
    StateSelection(
      states: self,
      value: { (repeat (each values)($0)) },
      areEqual: { old, new in
        var areEqual = true
        for isEqual in repeat each old == each new { areEqual = areEqual && isEqual }
        return areEqual
      })
  }

  /// Watches a pulse: every assignment counts, equal or not.
  ///
  /// ```swift
  /// for await alert in reactor.state.pulses(of: \.$alert) { show(alert) }
  /// ```
  ///
  /// An observer that does not get every state, see ``buffering(_:)``, gets one of several that
  /// fired in between: the last.
  ///
  /// - Parameters:
  ///   - pulse: The pulse in the state.
  ///   - includesLast: Whether an assignment from before the observer came counts as well.
  /// - Returns: The values, one for each assignment.
  public func pulses<Value: Sendable>(
    of pulse: @escaping @Sendable (State) -> Pulse<Value>, includingLast includesLast: Bool = false
  ) -> StatePulses<State, Value> {
    StatePulses(states: self, pulse: pulse, includesLast: includesLast)
  }
}

/// A part of the state as an async sequence: the current value first, then each that differs from
/// the one before.
///
/// **Runs on** the observer's own task. **Order** and **end** are those of the ``StateStream``
/// it is made of, and so is the choice of what a slow observer gets.
public struct StateSelection<State: Sendable, Value: Sendable>: AsyncSequence, Sendable {
  /// The kind of element.
  public typealias Element = Value
  /// Nothing goes wrong here.
  public typealias Failure = Never

  let states: StateStream<State>
  let value: @Sendable (State) -> Value
  let areEqual: @Sendable (Value, Value) -> Bool

  /// The values two by two: each with the one before it.
  public var changes: StateChanges<State, Value> { StateChanges(selection: self) }

  /// Begins to observe.
  ///
  /// - Returns: An iterator with a place of its own; letting go of it ends the observation.
  public func makeAsyncIterator() -> Iterator {
    Iterator(states: states.makeAsyncIterator(), selection: self)
  }

  /// One observer's place.
  public struct Iterator: AsyncIteratorProtocol {
    var states: StateStream<State>.Iterator
    let selection: StateSelection
    var last: Value?

    /// Waits for the next value.
    ///
    /// - Returns: The value; `nil` at the end, or when the task is cancelled.
    nonisolated(nonsending) public mutating func next() async -> Value? {
      await next(isolation: #isolation)
    }

    /// Waits for the next value.
    ///
    /// - Parameter actor: Where the caller runs.
    /// - Returns: The value; `nil` at the end, or when the task is cancelled.
    public mutating func next(isolation actor: isolated (any Actor)?) async -> Value? {
      while let state = await states.next(isolation: actor) {
        let value = selection.value(state)
        if let last, selection.areEqual(last, value) { continue }
        last = value
        return value
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

  /// A change; for tests.
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

/// What ``StateSelection/changes`` returns.
public struct StateChanges<State: Sendable, Value: Sendable>: AsyncSequence, Sendable {
  /// The kind of element.
  public typealias Element = StateChange<Value>
  /// Nothing goes wrong here.
  public typealias Failure = Never

  let selection: StateSelection<State, Value>

  /// Begins to observe.
  ///
  /// - Returns: An iterator with a place of its own; letting go of it ends the observation.
  public func makeAsyncIterator() -> Iterator { Iterator(values: selection.makeAsyncIterator()) }

  /// One observer's place.
  public struct Iterator: AsyncIteratorProtocol {
    var values: StateSelection<State, Value>.Iterator

    /// Waits for the next change.
    ///
    /// - Returns: The change; `nil` at the end, or when the task is cancelled.
    nonisolated(nonsending) public mutating func next() async -> StateChange<Value>? {
      await next(isolation: #isolation)
    }

    /// Waits for the next change.
    ///
    /// - Parameter actor: Where the caller runs.
    /// - Returns: The change; `nil` at the end, or when the task is cancelled.
    public mutating func next(isolation actor: isolated (any Actor)?) async -> StateChange<Value>? {
      let old = values.last
      return await values.next(isolation: actor).map { StateChange(old: old, new: $0) }
    }
  }
}

/// What ``StateStream/pulses(of:includingLast:)`` returns.
public struct StatePulses<State: Sendable, Value: Sendable>: AsyncSequence, Sendable {
  /// The kind of element.
  public typealias Element = Value
  /// Nothing goes wrong here.
  public typealias Failure = Never

  let states: StateStream<State>
  let pulse: @Sendable (State) -> Pulse<Value>
  let includesLast: Bool

  /// Begins to observe.
  ///
  /// - Returns: An iterator with a place of its own; letting go of it ends the observation.
  public func makeAsyncIterator() -> Iterator {
    Iterator(
      states: states.makeAsyncIterator(), pulse: pulse,
      lastTicket: includesLast ? 0 : PulseTickets.latest)
  }

  /// One observer's place.
  public struct Iterator: AsyncIteratorProtocol {
    var states: StateStream<State>.Iterator
    let pulse: @Sendable (State) -> Pulse<Value>
    /// What has been seen, or fired before this observer came.
    var lastTicket: UInt64

    /// Waits for the next assignment.
    ///
    /// - Returns: The value; `nil` at the end, or when the task is cancelled.
    nonisolated(nonsending) public mutating func next() async -> Value? {
      await next(isolation: #isolation)
    }

    /// Waits for the next assignment.
    ///
    /// - Parameter actor: Where the caller runs.
    /// - Returns: The value; `nil` at the end, or when the task is cancelled.
    public mutating func next(isolation actor: isolated (any Actor)?) async -> Value? {
      while let state = await states.next(isolation: actor) {
        let pulse = pulse(state)
        guard pulse.ticket > lastTicket else { continue }
        lastTicket = pulse.ticket
        return pulse.wrappedValue
      }
      return nil
    }
  }
}
