import Reactor
import ReactorRuntime

/// What was to be done within a time has not been.
struct TimeIsUp: Error, CustomStringConvertible {
  var description: String { "no answer in time" }
}

extension ClusterClock {
  /// Does something, and waits for so long at most.
  ///
  /// What goes on then, or when the task is cancelled, is cancelled, and not waited for: it may
  /// never end.
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
    let attempt = Attempt(body)
    let timer = PipelineTasks.inheriting { [sleep] in
      if (try? await sleep(limit)) != nil { attempt.over.happen() }
    }
    await attempt.over.wait()
    if !goesOn { attempt.cancel() }
    timer.cancel()
    if let result = attempt.result { return try result.get() }
    try Task.checkCancellation()
    throw TimeIsUp()
  }
}

/// Something that is being done, and need not be waited for to its end.
struct Attempt<Value: Sendable>: Sendable {
  /// Holds: `came`, guarded by its own lock.
  private final class Outcome: Sendable {
    let over = OneShot()
    let came = Guarded<Result<Value, any Error>?>(nil)
  }

  private let outcome: Outcome
  private let work: Task<Void, Never>

  init(_ body: @escaping @Sendable () async throws -> Value) {
    let outcome = Outcome()
    self.outcome = outcome
    work = PipelineTasks.inheriting {
      let result: Result<Value, any Error>
      do { result = .success(try await body()) } catch { result = .failure(error) }
      outcome.came.withLock { $0 = result }
      outcome.over.happen()
    }
  }

  /// It has come to its end; or it is waited for no longer.
  var over: OneShot { outcome.over }

  /// What has come of it; `nil` as long as it goes on.
  var result: Result<Value, any Error>? { outcome.came.withLock { $0 } }

  func cancel() { work.cancel() }
}
