extension StateStream {
  /// Watches a pulse from a place on: what has fired since then comes first.
  ///
  /// For an observer that goes and comes again, a screen say, and keeps the place meanwhile: it
  /// neither misses the last assignment nor sees one twice.
  ///
  /// ```swift
  /// for await alert in reactor.state.pulses(of: \.$alert, after: seen) {
  ///   seen = alert.ticket
  ///   show(alert.wrappedValue)
  /// }
  /// ```
  ///
  /// A state has the last assignment only: of several that were made while nobody observed, that
  /// one comes. A ticket holds for the process that gave it.
  ///
  /// - Parameters:
  ///   - pulse: The pulse in the state.
  ///   - ticket: The ``Pulse/ticket`` that was seen last; 0 if none was.
  /// - Returns: The pulses, one for each assignment, with its value and its ticket.
  public func pulses<Value: Sendable>(
    of pulse: @escaping @Sendable (State) -> Pulse<Value>, after ticket: UInt64
  ) -> TicketedPulses<State, Value> {
    TicketedPulses(states: self, pulse: pulse, ticket: ticket)
  }
}

/// What ``StateStream/pulses(of:after:)`` returns.
public struct TicketedPulses<State: Sendable, Value: Sendable>: AsyncSequence, Sendable {
  /// The kind of element.
  public typealias Element = Pulse<Value>
  /// Nothing goes wrong here.
  public typealias Failure = Never

  let states: StateStream<State>
  let pulse: @Sendable (State) -> Pulse<Value>
  let ticket: UInt64

  /// Begins to observe.
  ///
  /// - Returns: An iterator with a place of its own; letting go of it ends the observation.
  public func makeAsyncIterator() -> Iterator {
    Iterator(states: states.makeAsyncIterator(), pulse: pulse, lastTicket: ticket)
  }

  /// One observer's place.
  public struct Iterator: AsyncIteratorProtocol {
    var states: StateStream<State>.Iterator
    let pulse: @Sendable (State) -> Pulse<Value>
    var lastTicket: UInt64

    /// Waits for the next assignment.
    ///
    /// - Returns: The pulse; `nil` at the end, or when the task is cancelled.
    nonisolated(nonsending) public mutating func next() async -> Pulse<Value>? {
      await next(isolation: #isolation)
    }

    /// Waits for the next assignment.
    ///
    /// - Parameter actor: Where the caller runs.
    /// - Returns: The pulse; `nil` at the end, or when the task is cancelled.
    public mutating func next(isolation actor: isolated (any Actor)?) async -> Pulse<Value>? {
      while let state = await states.next(isolation: actor) {
        let pulse = pulse(state)
        guard pulse.ticket > lastTicket else { continue }
        lastTicket = pulse.ticket
        return pulse
      }
      return nil
    }
  }
}
