import Reactor
import ReactorRuntime

/// A time limit was reached.
struct TimeoutError: Error, CustomStringConvertible {
  var description: String { "no answer in time" }
}

extension ClusterClock {
  /// Runs an operation with a time limit.
  ///
  /// If the limit is reached or the task is cancelled, the operation is cancelled and not awaited,
  /// since it may never end.
  ///
  /// - Parameters:
  ///   - limit: How long to wait; `nil` for no limit.
  ///   - continuesAfterLimit: Whether the operation continues instead of being cancelled.
  ///   - body: The operation.
  /// - Returns: What `body` returns.
  /// - Throws: What `body` throws, and ``TimeoutError``.
  nonisolated(nonsending) func limit<Value: Sendable>(
    to limit: Duration?, continuesAfterLimit: Bool = false,
    _ body: @escaping @Sendable () async throws -> Value
  ) async throws -> Value {
    guard let limit else { return try await body() }
    let operation = AbandonableOperation(body)
    let timer = PipelineTasks.inheriting { [sleep] in
      if (try? await sleep(limit)) != nil { operation.finished.fire() }
    }
    await operation.finished.wait()
    if !continuesAfterLimit { operation.cancel() }
    timer.cancel()
    if let result = operation.result { return try result.get() }
    try Task.checkCancellation()
    throw TimeoutError()
  }
}

/// A running operation that need not be awaited to its end.
struct AbandonableOperation<Value: Sendable>: Sendable {
  /// Holds: `result`, guarded by its own lock.
  private final class Outcome: Sendable {
    let finished = OneShotEvent()
    let result = Guarded<Result<Value, any Error>?>(nil)
  }

  private let outcome: Outcome
  private let work: Task<Void, Never>

  init(_ body: @escaping @Sendable () async throws -> Value) {
    let outcome = Outcome()
    self.outcome = outcome
    work = PipelineTasks.inheriting {
      let result: Result<Value, any Error>
      do { result = .success(try await body()) } catch { result = .failure(error) }
      outcome.result.withLock { $0 = result }
      outcome.finished.fire()
    }
  }

  /// Fires when the operation has ended, or is no longer awaited.
  var finished: OneShotEvent { outcome.finished }

  /// The result of the operation; `nil` while it is running.
  var result: Result<Value, any Error>? { outcome.result.withLock { $0 } }

  func cancel() { work.cancel() }
}
