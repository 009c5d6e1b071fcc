/// How long somebody who asks waits, counted from the call.
@usableFromInline
struct AskLimit: Sendable {
  let limit: Duration
  /// Sleeps until the time is up.
  let sleep: @Sendable () async throws -> Void

  @usableFromInline
  init(_ limit: Duration, by clock: some Clock<Duration>) {
    self.limit = limit
    let end = clock.now.advanced(by: limit)
    sleep = { try await clock.sleep(until: end, tolerance: nil) }
  }
}
