/// Waits until some work is over, or the time is up; if the waiting task is cancelled, it is.
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
