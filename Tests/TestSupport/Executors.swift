import Reactor
import Synchronization

/// An executor whose jobs run on whichever thread asks it to: the test decides when.
///
/// Holds: `waiting`, guarded by its own lock; jobs run outside it.
final class HandExecutor: SerialExecutor {
  private let waiting = Guarded<[UnownedJob]>([])
  private let hasWork = Log<Int>()
  private let ran = Atomic(0)

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    waiting.withLock { $0.append(job) }
    hasWork.append(0)
  }

  func asUnownedSerialExecutor() -> UnownedSerialExecutor {
    UnownedSerialExecutor(ordinary: self)
  }

  /// How many jobs have been run here.
  var runs: Int { ran.load(ordering: .relaxed) }

  /// Runs jobs as they come, until the task is cancelled or a job after `isOver` says so.
  func run(until isOver: @Sendable () -> Bool) async {
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
actor MainReactor: Reactor {
  typealias Action = Int
  typealias Mutation = Int
  typealias State = [Int]

  let initialState: [Int] = []
  let pipeline = Pipeline()
  let gone = Gate()
  private var touched = 0

  nonisolated var unownedExecutor: UnownedSerialExecutor { MainActor.sharedUnownedExecutor }

  deinit { gone.open() }

  func mutate(action: Int) -> MutationStream<Int> {
    MainActor.assertIsolated()
    return .run { emit in
      MainActor.assertIsolated()
      self.touched += 1
      await emit(action)
      await emit(action + self.touched)
    }
  }

  func reduce(state: inout [Int], mutation: Int) {
    MainActor.assertIsolated()
    state.append(mutation)
  }
}

/// A reactor on an executor that is given to it.
actor OwnExecutorReactor: Reactor {
  typealias Action = Int
  typealias Mutation = Int
  typealias State = [Int]

  let initialState: [Int] = []
  let pipeline = Pipeline()
  let executor: HandExecutor
  private var touched = 0

  nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

  init(_ executor: HandExecutor) { self.executor = executor }

  func mutate(action: Int) -> MutationStream<Int> {
    assertIsolated()
    return .run { emit in
      self.assertIsolated()
      self.touched += 1
      await emit(action)
      await emit(action + self.touched)
    }
  }

  func reduce(state: inout [Int], mutation: Int) {
    assertIsolated()
    state.append(mutation)
  }
}
