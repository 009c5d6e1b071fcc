/// The time to wait between two attempts of ``retry(_:delay:clock:isolation:if:_:)``.
public struct RetryDelay: Sendable {
  private let first: Duration
  private let factor: Double
  private let limit: Duration
  private let jitter: Double
  private let random: @Sendable () -> Double

  /// No delay: the next attempt follows at once.
  public static let none = constant(.zero)

  /// Returns the same delay before every attempt but the first.
  ///
  /// - Parameter duration: The time.
  /// - Returns: The delay.
  public static func constant(_ duration: Duration) -> RetryDelay {
    RetryDelay(first: duration, factor: 1, limit: duration, jitter: 0, random: { 0 })
  }

  /// Returns a delay that grows from attempt to attempt, shortened at random.
  ///
  /// The randomness prevents clients that failed together from trying again together.
  ///
  /// - Parameters:
  ///   - first: The time before the second attempt.
  ///   - factor: The factor by which each further time is longer.
  ///   - limit: The longest time.
  ///   - jitter: The part of the time that is random, 0 to 1: with 0.5, anything from half of it to
  ///     all of it.
  ///   - random: Returns a random number from 0 up to 1; for tests.
  /// - Returns: The delay.
  public static func exponential(
    from first: Duration, factor: Double = 2, upTo limit: Duration = .seconds(60),
    jitter: Double = 0.5, random: @escaping @Sendable () -> Double = { .random(in: 0..<1) }
  ) -> RetryDelay {
    precondition(factor >= 1, "a delay cannot shrink; factor: was \(factor)")
    precondition((0...1).contains(jitter), "jitter is a part, 0 to 1; it was \(jitter)")
    return RetryDelay(first: first, factor: factor, limit: limit, jitter: jitter, random: random)
  }

  /// The delay after so many attempts have failed.
  func duration(afterAttempt attempt: Int) -> Duration {
    var duration = min(first, limit)
    for _ in 1..<max(1, attempt) where duration < limit { duration = min(duration * factor, limit) }
    return jitter == 0 ? duration : duration * (1 - jitter * random())
  }
}

/// Tries an operation until it succeeds or the number of attempts is reached; then throws its last
/// error.
///
/// ```swift
/// .run { emit in
///   let items = try await retry(3, delay: .exponential(from: .seconds(1)), clock: self.clock) {
///     try await self.service.items()
///   }
///   await emit(.setItems(items))
/// }
/// ```
///
/// **Runs on** the caller's isolation.
///
/// **If the task is cancelled**, there is no further attempt, and `CancellationError` is thrown. A
/// `CancellationError` of the operation itself is rethrown at once.
///
/// - Parameters:
///   - attempts: The number of attempts in all, at least 1.
///   - delay: How long to wait between attempts.
///   - clock: The clock that measures the delay.
///   - isolation: The isolation of the caller; leave it out.
///   - isWorthIt: Returns whether another attempt may succeed after an error; by default always.
///   - operation: The operation.
/// - Returns: The result of the operation.
/// - Throws: The last attempt's error, or `CancellationError`.
public func retry<Success>(
  _ attempts: Int, delay: RetryDelay = .none, clock: any Clock<Duration>,
  isolation: isolated (any Actor)? = #isolation,
  if isWorthIt: (any Error) -> Bool = { _ in true },
  _ operation: () async throws -> Success
) async throws -> Success {
  precondition(attempts > 0, "there must be one attempt at least; there were to be \(attempts)")
  var attempt = 1
  while true {
    try Task.checkCancellation()
    do {
      return try await operation()
    } catch {
      let isOver = attempt == attempts || error is CancellationError || !isWorthIt(error)
      if isOver { throw error }
    }
    try await clock.sleep(for: delay.duration(afterAttempt: attempt))
    attempt += 1
  }
}
