extension StateStream {
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
  ) -> StateSelection<State, Value> {
    fired(pulse, as: { $0.wrappedValue }) { includesLast ? 0 : PulseTickets.latest }
  }

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
  ) -> StateSelection<State, Pulse<Value>> {
    fired(pulse, as: { $0 }) { ticket }
  }

  /// The pulses that fire, each as what an observer gets of it, after what it has seen before.
  private func fired<Value: Sendable, Output: Sendable>(
    _ pulse: @escaping @Sendable (State) -> Pulse<Value>,
    as output: @escaping @Sendable (Pulse<Value>) -> Output,
    after ticket: @escaping @Sendable () -> UInt64
  ) -> StateSelection<State, Output> {
    StateSelection(states: self) {
      var last = ticket()
      return { state in
        let pulse = pulse(state)
        guard pulse.ticket > last else { return nil }
        last = pulse.ticket
        return output(pulse)
      }
    }
  }
}
