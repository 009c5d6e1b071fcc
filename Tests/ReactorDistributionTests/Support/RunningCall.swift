import Reactor
import ReactorRuntime

@testable import ReactorDistribution

/// A call that is part of a simulation, and may be cancelled from outside.
final class RunningCall<Value: Sendable>: Sendable {
  private let task = Guarded<Task<Void, Never>?>(nil)
  private let result = Guarded<Result<Value, any Error>?>(nil)
  private let done = OneShotEvent()

  init(_ call: @escaping @Sendable () async throws -> Value) {
    let task = PipelineTasks.inheriting {
      let result: Result<Value, any Error>
      do { result = .success(try await call()) } catch { result = .failure(error) }
      self.result.withLock { $0 = result }
      self.done.fire()
    }
    self.task.withLock { $0 = task }
  }

  func cancel() { task.withLock { $0 }?.cancel() }

  /// The outcome of the call.
  var value: Value {
    get async throws {
      await done.wait()
      guard let result = result.withLock({ $0 }) else { throw CancellationError() }
      return try result.get()
    }
  }
}
