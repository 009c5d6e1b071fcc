extension MutationEmitter {
  /// Returns once everything that has been reduced by now is durable.
  ///
  /// Call it before the effect acts on another system:
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
  /// For a reactor that no journal has opened it returns at once. It waits regardless of the
  /// reactor's level, so also if the journal is written behind.
  ///
  /// **Runs on** the caller's executor.
  ///
  /// - Throws: The store's error if the mutations will never be durable: the store has failed, and
  ///   the reactor has ended; `CancellationError` if the effect was cancelled.
  public func durable(isolation: isolated (any Actor)? = #isolation) async throws {
    try await effect?.waitUntilDurable()
  }
}
