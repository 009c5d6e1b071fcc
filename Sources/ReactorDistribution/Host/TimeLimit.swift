import Reactor

/// What was to be done within a time has not been.
struct TimeIsUp: Error, CustomStringConvertible {
  var description: String { "no answer in time" }
}

extension ClusterClock {
  /// Does something, and waits for so long at most.
  ///
  /// What goes on then, or when the task is cancelled, is cancelled, and nobody waits for it: it
  /// may never end.
  ///
  /// - Parameters:
  ///   - limit: For how long; `nil` for as long as it takes.
  ///   - goesOn: Whether it is not cancelled then.
  ///   - body: What is done.
  /// - Returns: What `body` returns.
  /// - Throws: What `body` throws, and ``TimeIsUp``.
  nonisolated(nonsending) func limit<Value: Sendable>(
    to limit: Duration?, goesOn: Bool = false, _ body: @escaping @Sendable () async throws -> Value
  ) async throws -> Value {
    guard let limit else { return try await body() }
    let result = Guarded<Result<Value, any Error>?>(nil)
    let done = OneShot()
    let work = PipelineTasks.inheriting {
      let came: Result<Value, any Error>
      do { came = .success(try await body()) } catch { came = .failure(error) }
      result.withLock { $0 = came }
      done.happen()
    }
    let timer = PipelineTasks.inheriting { [sleep] in
      if (try? await sleep(limit)) != nil { done.happen() }
    }
    await done.wait()
    if !goesOn { work.cancel() }
    timer.cancel()
    if let result = result.withLock({ $0 }) { return try result.get() }
    try Task.checkCancellation()
    throw TimeIsUp()
  }
}
