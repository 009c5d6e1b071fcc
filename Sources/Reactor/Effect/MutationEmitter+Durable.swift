extension MutationEmitter {
  /// Returns once everything that has been reduced by now is kept: before an effect touches the
  /// world.
  ///
  /// ```swift
  /// .run { emit in
  ///   await emit(.paymentBegun(id))
  ///   try await emit.durable()
  ///   try await bank.pay(id)
  ///   await emit(.paid(id))
  /// }
  /// ```
  ///
  /// Of a reactor that no journal has opened it returns at once. It asks whatever the reactor's
  /// level says, so of one whose journal is written behind, too.
  ///
  /// **Runs on** the caller's executor.
  ///
  /// - Throws: Why it never will be: the store has failed, and the reactor has ended;
  ///   `CancellationError` where the effect has been cancelled.
  public func durable(isolation: isolated (any Actor)? = #isolation) async throws {
    try await effect?.waitUntilDurable()
  }
}
