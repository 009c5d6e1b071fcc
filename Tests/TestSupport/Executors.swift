package import Reactor
import ReactorRuntime
import Synchronization

/// An executor whose jobs run on whichever thread asks it to: the test decides when.
///
/// Holds: `waiting`, guarded by its own lock; jobs run outside it.
package final class ManualExecutor: SerialExecutor {
  private let waiting = Guarded<[UnownedJob]>([])
  private let hasWork = Log<Int>()
  private let ran = Atomic(0)

  package init() {}

  package func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    waiting.withLock { $0.append(job) }
    hasWork.append(0)
  }

  package func asUnownedSerialExecutor() -> UnownedSerialExecutor {
    UnownedSerialExecutor(ordinary: self)
  }

  /// Lets ``run(until:)`` look again whether it is over.
  package func wake() { hasWork.append(0) }

  /// How many jobs have been run here.
  package var runs: Int { ran.load(ordering: .relaxed) }

  /// How many jobs, and calls of ``wake()``, have come.
  package var arrivals: Int { hasWork.count }

  /// Waits until so many have come.
  package func arrivals(upTo count: Int) async { _ = await hasWork.entries(upTo: count) }

  /// Whether no job waits here.
  package var isIdle: Bool { waiting.withLock { $0.isEmpty } }

  /// Runs jobs as they come, until the task is cancelled or a job after `isOver` says so.
  package func run(until isOver: @Sendable () -> Bool) async {
    var taken = 0
    while !isOver() {
      taken += 1
      _ = await hasWork.entries(upTo: taken)
      guard let job = waiting.withLock({ $0.isEmpty ? nil : $0.removeFirst() }) else { continue }
      ran.add(1, ordering: .relaxed)
      job.runSynchronously(on: asUnownedSerialExecutor())
    }
  }
}

/// A reactor on the main actor's executor.
package actor MainReactor: Reactor {
  package typealias Action = Int
  package typealias Mutation = Int
  package typealias State = [Int]

  package nonisolated let initialState: [Int] = []
  package nonisolated let pipeline = Pipeline()
  package nonisolated let released = Gate()
  private var touched = 0

  package init() {}

  package nonisolated var unownedExecutor: UnownedSerialExecutor { MainActor.sharedUnownedExecutor }

  deinit { released.open() }

  package func mutate(action: Int) -> MutationStream<Int> {
    MainActor.assertIsolated()
    return .run { emit in
      MainActor.assertIsolated()
      self.touched += 1
      await emit(action)
      await emit(action + self.touched)
    }
  }

  package func reduce(state: inout [Int], mutation: Int) {
    MainActor.assertIsolated()
    state.append(mutation)
  }
}

/// A reactor on an executor that is given to it.
package actor CustomExecutorReactor: Reactor {
  package typealias Action = Int
  package typealias Mutation = Int
  package typealias State = [Int]

  package nonisolated let initialState: [Int] = []
  package nonisolated let pipeline = Pipeline()
  package nonisolated let executor: ManualExecutor
  private var touched = 0

  package nonisolated var unownedExecutor: UnownedSerialExecutor {
    executor.asUnownedSerialExecutor()
  }

  package init(_ executor: ManualExecutor) { self.executor = executor }

  package func mutate(action: Int) -> MutationStream<Int> {
    assertIsolated()
    return .run { emit in
      self.assertIsolated()
      self.touched += 1
      await emit(action)
      await emit(action + self.touched)
    }
  }

  package func reduce(state: inout [Int], mutation: Int) {
    assertIsolated()
    state.append(mutation)
  }
}
