package import Reactor
import ReactorRuntime

/// Adds up.
package actor TickReactor: Reactor {
  package typealias Action = Int
  package typealias Mutation = Int
  package typealias State = Int

  package nonisolated let initialState = 0
  package nonisolated let pipeline = Pipeline()

  package init() {}

  package func reduce(state: inout Int, mutation: Int) { state += mutation }
}

/// A reactor, and a stream that one task observes.
package final class ObservedTicks: Sendable {
  package let reactor: TickReactor
  private let seen = Guarded(0)
  private let task: Guarded<Task<Void, Never>?> = Guarded(nil)

  package init(_ reactor: TickReactor, _ stream: StateStream<Int>) {
    self.reactor = reactor
    let task = PipelineTasks.inheriting { [weak self] in
      for await sum in stream { self?.seen.withLock { $0 = sum } }
    }
    self.task.withLock { $0 = task }
  }

  deinit { task.withLock { $0 }?.cancel() }

  /// Returns once that value has been observed.
  package func show(_ sum: Int) async {
    while seen.withLock({ $0 }) < sum { await Task.yield() }
  }
}
