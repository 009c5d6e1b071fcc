import Synchronization

/// Where a scenario began: makes it possible to do something with the task-local values of that
/// moment.
///
/// The tasks of a reactor's own have nobody's task-local values. In a test they have to have those
/// of the test: Swift Testing keeps there which test an issue belongs to, and they cannot be named
/// one by one. So a few tasks that were made in the test wait here. Whoever has an errand gives it
/// to one of them, which carries it out at once, on the thread of whoever gave it: they run on an
/// executor that does nothing else.
///
/// Holds: `waiting`, guarded by its own lock; continuations are resumed outside it. While the
/// scenario lasts, outside `growing` at least one task waits.
final class ScenarioOrigin: Sendable {
  private typealias Place = CheckedContinuation<Errand?, Never>

  /// `@unchecked`: the one who gives it waits until it has been carried out, on the same thread.
  private struct Errand: @unchecked Sendable {
    let body: () -> Void
  }

  /// Runs a job on the thread of whoever brings it, at once.
  private final class AtOnce: TaskExecutor {
    func enqueue(_ job: consuming ExecutorJob) {
      UnownedJob(job).runSynchronously(on: asUnownedTaskExecutor())
    }
  }

  private struct Waiting: Sendable {
    var places: [Place] = []
    var isOver = false
  }

  private let executor = AtOnce()
  private let waiting = Mutex(Waiting())
  private let growing = Mutex(())

  /// The scenario begins, with the caller's task-local values.
  func begin() { wait() }

  /// Runs something with the values that the scenario began with; after its end, with the caller's.
  func run(_ body: () -> Void) {
    withoutActuallyEscaping(body) { body in
      guard let place = takePlace() else { return body() }
      place.resume(returning: Errand(body: body))
    }
  }

  /// Nobody has an errand any more.
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
    Task(executorPreference: executor) { [self] in
      while let errand = await next() { errand.body() }
    }
  }

  private func next() async -> Errand? {
    await withCheckedContinuation { place in
      let isOver = waiting.withLock { waiting in
        if !waiting.isOver { waiting.places.append(place) }
        return waiting.isOver
      }
      if isOver { place.resume(returning: nil) }
    }
  }
}
