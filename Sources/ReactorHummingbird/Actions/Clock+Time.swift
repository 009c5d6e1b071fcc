extension Clock where Duration == Swift.Duration {
  /// Returns a function that returns the time since this call.
  func stopwatch() -> @Sendable () -> Duration {
    let start = now
    return { start.duration(to: now) }
  }

  /// Runs some work with a time limit.
  ///
  /// - Parameters:
  ///   - limit: The time limit; `nil` for none.
  ///   - work: The work; when the time is over, it is cancelled and awaited.
  /// - Returns: The result; `nil` if the time was over or the task was cancelled.
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
