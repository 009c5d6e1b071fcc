import Reactor
import ReactorRuntime

/// Where a scenario began: makes it possible to do something with the task-local values of that
/// moment.
///
/// A reactor's own tasks have no task-local values. In a test they have to have those
/// of the test: Swift Testing keeps there which test an issue belongs to, and they cannot be named
/// one by one. So a few tasks that were made in the test wait here. Code with an errand gives it
/// to one of them, which carries it out at once, on the same thread: they run on an
/// executor that does nothing else.
///
/// Holds: `waiting`, guarded by its own lock; continuations are resumed outside it. While the
/// scenario lasts, outside `growing` at least one task waits.
final class ScenarioOrigin: Sendable {
  fileprivate typealias Place = CheckedContinuation<Errand?, Never>

  /// `@unchecked`: the code that gives it waits until it has been carried out, on the same thread.
  fileprivate struct Errand: @unchecked Sendable {
    let body: () -> Void
  }

  private struct Waiting: Sendable {
    var places: [Place] = []
    var isOver = false
  }

  private let waiting = Guarded(Waiting())
  private let growing = Guarded(())

  /// The scenario begins, with the caller's task-local values.
  func begin() { wait() }

  /// Runs something with the values that the scenario began with; after its end, with the caller's.
  func run(_ body: () -> Void) {
    withoutActuallyEscaping(body) { body in
      guard let place = takePlace() else { return body() }
      place.resume(returning: Errand(body: body))
    }
  }

  /// There are no more errands.
  func end() {
    let places = waiting.withLock { waiting in
      waiting.isOver = true
      defer { waiting.places = [] }
      return waiting.places
    }
    for place in places { place.resume(returning: nil) }
  }

  /// One that waits; the last one makes another one first.
  private func takePlace() -> Place? {
    growing.withLock { _ in
      let last = waiting.withLock { $0.places.count == 1 ? $0.places.popLast() : nil }
      last?.resume(returning: Errand { self.wait() })
      return waiting.withLock { $0.places.popLast() }
    }
  }

  /// One more that waits, made by one that has the values.
  private func wait() {
    let runner = ErrandRunner(of: self)
    Task(executorPreference: runner) {
      while let errand = await runner.next() { errand.body() }
    }
  }

  /// A task waits here, and has suspended: the code that resumes it runs it.
  fileprivate func add(_ place: Place) {
    let isOver = waiting.withLock { waiting in
      if !waiting.isOver { waiting.places.append(place) }
      return waiting.isOver
    }
    if isOver { place.resume(returning: nil) }
  }
}

/// What one of the tasks runs on: runs it at once, on the thread that resumes it.
///
/// Holds: `place`, guarded by its own lock.
private final class ErrandRunner: TaskExecutor {
  private let origin: ScenarioOrigin
  /// Where the task waits, from when it says so until it has suspended.
  private let place = Guarded<ScenarioOrigin.Place?>(nil)

  init(of origin: ScenarioOrigin) { self.origin = origin }

  func enqueue(_ job: consuming ExecutorJob) {
    // The task may come to its end in there, and it may be the last one to hold this.
    let kept = Unmanaged.passRetained(self)
    defer { kept.release() }
    UnownedJob(job).runSynchronously(on: asUnownedTaskExecutor())
    // Told of any sooner, it could be given an errand before it has suspended, and would carry
    // that out in its own time.
    if let place = place.withLock({ $0.take() }) { origin.add(place) }
  }

  func next() async -> ScenarioOrigin.Errand? {
    await withCheckedContinuation { continuation in place.withLock { $0 = continuation } }
  }
}
