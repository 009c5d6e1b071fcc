extension StateStream {
  /// Observes a pulse: every assignment counts, equal or not.
  ///
  /// ```swift
  /// for await alert in reactor.state.pulses(of: \.$alert) { show(alert) }
  /// ```
  ///
  /// A subscriber that does not receive every state, see ``buffering(_:)``, receives only the last
  /// of several assignments in between.
  ///
  /// - Parameters:
  ///   - pulse: The pulse in the state.
  ///   - includesLast: Whether an assignment from before the subscription counts as well.
  /// - Returns: The values, one for each assignment.
  public func pulses<Value: Sendable>(
    of pulse: @escaping @Sendable (State) -> Pulse<Value>, includingLast includesLast: Bool = false
  ) -> StateSelection<State, Value> {
    fired(pulse, as: { $0.wrappedValue }) { includesLast ? 0 : PulseTickets.latest }
  }

  /// Observes a pulse from a ticket on: the last assignment since then comes first.
  ///
  /// For a subscriber that ends and begins again, such as a screen, and keeps the ticket meanwhile.
  /// It neither misses the last assignment nor receives one twice.
  ///
  /// ```swift
  /// for await alert in reactor.state.pulses(of: \.$alert, after: seen) {
  ///   seen = alert.ticket
  ///   show(alert.wrappedValue)
  /// }
  /// ```
  ///
  /// A state has the last assignment only: of several that were made while there was no subscriber,
  /// that one is delivered. A ticket is valid only in the process that made it.
  ///
  /// - Parameters:
  ///   - pulse: The pulse in the state.
  ///   - ticket: The ``Pulse/ticket`` that was read last; 0 if none was.
  /// - Returns: The pulses, one for each assignment, with its value and its ticket.
  public func pulses<Value: Sendable>(
    of pulse: @escaping @Sendable (State) -> Pulse<Value>, after ticket: UInt64
  ) -> StateSelection<State, Pulse<Value>> {
    fired(pulse, as: { $0 }) { ticket }
  }

  /// The pulses that fire after a ticket, each converted for the subscriber.
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
