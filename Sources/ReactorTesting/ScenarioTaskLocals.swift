import Reactor
import ReactorRuntime

/// Runs closures with the task-local values that were bound when a scenario began.
///
/// A reactor's own tasks have no task-local values. In a test they need those of the test: Swift
/// Testing stores there which test an issue belongs to, and these values cannot be copied one by
/// one. So a few tasks that were created in the test are suspended here. To run a closure, one of
/// them is resumed with it and runs it at once, on the same thread: these tasks have an executor
/// that runs nothing else.
///
/// Holds: `waiting`, guarded by its own lock; continuations are resumed outside it. While the
/// scenario lasts, at least one task waits, except inside `creationLock`.
final class ScenarioTaskLocals: Sendable {
  fileprivate typealias SuspendedTask = CheckedContinuation<ResumedWork?, Never>

  /// `@unchecked`: the caller that passes the closure waits until it has run, on the same thread.
  fileprivate struct ResumedWork: @unchecked Sendable {
    let body: () -> Void
  }

  private struct Waiting: Sendable {
    var tasks: [SuspendedTask] = []
    var isOver = false
  }

  private let waiting = Guarded(Waiting())
  private let creationLock = Guarded(())

  /// Starts, with the caller's task-local values.
  func begin() { wait() }

  /// Runs a closure with the values that the scenario began with; after its end, with the caller's.
  func run(_ body: () -> Void) {
    withoutActuallyEscaping(body) { body in
      guard let task = takeTask() else { return body() }
      task.resume(returning: ResumedWork(body: body))
    }
  }

  /// Ends the waiting tasks.
  func end() {
    let tasks = waiting.withLock { waiting in
      waiting.isOver = true
      defer { waiting.tasks = [] }
      return waiting.tasks
    }
    for task in tasks { task.resume(returning: nil) }
  }

  /// Removes a waiting task; the last one creates another one first.
  private func takeTask() -> SuspendedTask? {
    creationLock.withLock { _ in
      let last = waiting.withLock { $0.tasks.count == 1 ? $0.tasks.popLast() : nil }
      last?.resume(returning: ResumedWork { self.wait() })
      return waiting.withLock { $0.tasks.popLast() }
    }
  }

  /// Adds a waiting task; called by code that has the values.
  private func wait() {
    let runner = InlineExecutor(of: self)
    Task(executorPreference: runner) {
      while let work = await runner.next() { work.body() }
    }
  }

  /// Stores a task that has suspended: the code that resumes it runs it.
  fileprivate func add(_ task: SuspendedTask) {
    let isOver = waiting.withLock { waiting in
      if !waiting.isOver { waiting.tasks.append(task) }
      return waiting.isOver
    }
    if isOver { task.resume(returning: nil) }
  }
}

/// The executor of one of the tasks: runs its jobs at once, on the thread that resumes the task.
///
/// Holds: `task`, guarded by its own lock.
private final class InlineExecutor: TaskExecutor {
  private let taskLocals: ScenarioTaskLocals
  /// The task's continuation, from its creation until the task has suspended.
  private let task = Guarded<ScenarioTaskLocals.SuspendedTask?>(nil)

  init(of taskLocals: ScenarioTaskLocals) { self.taskLocals = taskLocals }

  func enqueue(_ job: consuming ExecutorJob) {
    // The task may end inside, and it may hold the last reference to this executor.
    let kept = Unmanaged.passRetained(self)
    defer { kept.release() }
    UnownedJob(job).runSynchronously(on: asUnownedTaskExecutor())
    // Only after the job: earlier, the task could be given a closure before it has suspended, and
    // would run it asynchronously.
    if let task = task.withLock({ $0.take() }) { taskLocals.add(task) }
  }

  func next() async -> ScenarioTaskLocals.ResumedWork? {
    await withCheckedContinuation { continuation in task.withLock { $0 = continuation } }
  }
}
