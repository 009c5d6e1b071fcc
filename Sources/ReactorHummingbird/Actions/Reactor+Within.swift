public import Reactor

extension Reactor {
  /// Returns the outcome of an action; after the time limit, the action is cancelled.
  ///
  /// - Throws: ``ReactorHTTPError`` at the time limit.
  @inlinable
  nonisolated(nonsending) func outcome(
    of action: Action, within limit: Duration?, clock: any Clock<Duration>
  ) async throws -> ActionOutcome {
    guard let limit else { return await outcome(of: action) }
    return try await outcomeInTime(of: action, limit, clock)
  }

  @usableFromInline
  nonisolated(nonsending) func outcomeInTime(
    of action: Action, _ limit: Duration, _ clock: any Clock<Duration>
  ) async throws -> ActionOutcome {
    let outcome = try await clock.result(within: limit) { await self.outcome(of: action) }
    guard let outcome else {
      var error = ReactorHTTPError.late
      error.details = "\(identity): the action had not ended within \(limit)"
      throw error
    }
    return outcome
  }

  /// Asks with a time limit.
  @inlinable
  nonisolated(nonsending) func ask<Value: Sendable>(
    within limit: Duration?, clock: any Clock<Duration>, _ action: (Reply<Value>) -> Action
  ) async throws -> Value {
    guard let limit else { return try await ask(action) }
    return try await ask(within: limit, clock: clock, action)
  }
}
