/// Waits until the work is over, or until the time limit has passed; cancelling the waiting task
/// cancels the work.
package nonisolated(nonsending) func waiting(
  atMost limit: Duration, by sleep: @escaping @Sendable (Duration) async throws -> Void,
  for work: @escaping @Sendable () async -> Void
) async {
  await withTaskGroup(of: Void.self) { group in
    group.addTask { await work() }
    group.addTask { try? await sleep(limit) }
    await group.next()
    group.cancelAll()
  }
}
