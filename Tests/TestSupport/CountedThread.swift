import Reactor
import ReactorRuntime
import Synchronization

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// A thread of its own for a scenario: its processor time does not depend on what other tests and
/// other programs do meanwhile.
///
/// The tasks of reactors run here as in a simulation: one at a time, first come, first served.
/// Clocks go on as elsewhere.
///
/// Holds: `jobs`, guarded by its own lock; jobs run outside it.
package final class CountedThread: SimulatedScenario {
  private let jobs = Guarded((waiting: [UnownedJob](), isOver: false))
  private let wakeUp = SemaphoreBox()

  private init() {
    let run: @convention(c) (UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? = { raw in
      guard let raw else { return nil }
      // Not released: a task refers to its executor without a reference, and may come back.
      Unmanaged<CountedThread>.fromOpaque(raw).takeUnretainedValue().work()
      return nil
    }
    let raw = Unmanaged.passRetained(self).toOpaque()
    #if canImport(Darwin)
      var thread: pthread_t?
      pthread_create(&thread, nil, { run($0) }, raw)
      if let thread { pthread_detach(thread) }
    #else
      var thread = pthread_t()
      pthread_create(&thread, nil, run, raw)
      pthread_detach(thread)
    #endif
  }

  /// Runs a scenario.
  ///
  /// - Parameter scenario: What to run.
  /// - Returns: What it returns.
  /// - Throws: What it throws.
  package static func run<Value: Sendable>(
    _ scenario: @escaping @Sendable () async throws -> Value
  ) async throws -> Value {
    let thread = CountedThread()
    SimulatedExecutor.count.add(1, ordering: .relaxed)
    defer {
      SimulatedExecutor.count.subtract(1, ordering: .relaxed)
      thread.end()
    }
    let task = SimulatedExecutor.$current.withValue(thread) {
      Task(executorPreference: thread) { try await scenario() }
    }
    return try await withTaskCancellationHandler {
      try await task.value
    } onCancel: {
      task.cancel()
    }
  }

  /// The processor time of the current thread.
  package static var time: Duration {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return .seconds(Int64(time.tv_sec)) + .nanoseconds(Int64(time.tv_nsec))
  }

  package func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    let isTooLate = jobs.withLock { jobs in
      if !jobs.isOver { jobs.waiting.append(job) }
      return jobs.isOver
    }
    wakeUp.signal()
    if isTooLate { globalConcurrentExecutor.enqueue(ExecutorJob(job)) }
  }

  package func withInitialLocals(_ body: () -> Void) { body() }

  package func reactorBegins(_ type: any Any.Type) {}

  package func pickEffectPriority() -> TaskPriority? { nil }

  private func work() {
    while true {
      let (batch, isOver) = jobs.withLock { jobs in
        defer { jobs.waiting = [] }
        return (jobs.waiting, jobs.isOver)
      }
      for job in batch { job.runSynchronously(on: asUnownedTaskExecutor()) }
      if batch.isEmpty {
        if isOver { return }
        wakeUp.wait()
      }
    }
  }

  private func end() {
    jobs.withLock { $0.isOver = true }
    wakeUp.signal()
  }
}
