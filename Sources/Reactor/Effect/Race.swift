/// Runs two things at the same time and takes the one that ends first; the other is cancelled.
///
/// ```swift
/// let answer = try await race {
///   try await self.service.answer()
/// } or: {
///   try await self.clock.sleep(for: .seconds(5))
///   return nil
/// }
/// ```
///
/// **Runs** both as child tasks, on the reactor where they use it. An error is an end, too. The
/// loser has ended when this returns: it must heed its cancellation. **If the task is cancelled**,
/// both are.
///
/// For more than two, and for waiting for all, there are task groups and `async let`.
///
/// - Parameters:
///   - first: Started first.
///   - second: Started second.
///   - isolation: Where the caller runs; leave it out.
/// - Returns: What the first one to end returned.
/// - Throws: What the first one to end threw.
public func race<Success: Sendable>(
  @_inheritActorContext @_implicitSelfCapture
  _ first: sending @escaping @isolated(any) @Sendable () async throws -> Success,
  @_inheritActorContext @_implicitSelfCapture
  or second: sending @escaping @isolated(any) @Sendable () async throws -> Success,
  isolation: isolated (any Actor)? = #isolation
) async throws -> Success {
  try await withThrowingTaskGroup(of: Success.self) { group in
    group.addImmediateTask(operation: first)
    group.addImmediateTask(operation: second)
    defer { group.cancelAll() }
    guard let winner = try await group.next() else { throw CancellationError() }
    return winner
  }
}
