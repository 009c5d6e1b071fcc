extension Clock where Duration == Swift.Duration {
  /// Tells how long ago this was called.
  func stopwatch() -> @Sendable () -> Duration {
    let start = now
    return { start.duration(to: now) }
  }

  /// What comes of some work within a time.
  ///
  /// - Parameters:
  ///   - limit: The time; `nil` for as long as it takes.
  ///   - work: Does it; cancelled when the time is up, and waited for then.
  /// - Returns: It; `nil` where the time was up, or the task was cancelled.
  /// - Throws: What the work throws.
  func result<Value: Sendable>(
    within limit: Duration?, of work: @escaping @Sendable () async throws -> Value
  ) async throws -> Value? {
    guard let limit else { return try await work() }
    return try await withThrowingTaskGroup(of: Value?.self) { group in
      group.addTask { try await work() }
      group.addTask {
        try? await sleep(for: limit)
        return nil
      }
      defer { group.cancelAll() }
      return try await group.next() ?? nil
    }
  }
}
