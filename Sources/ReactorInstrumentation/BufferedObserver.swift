public import Reactor
import ReactorRuntime

/// Tells another observer in a task of its own, so that the observed reactor does not wait for it.
///
/// ```swift
/// ReactorObservers.add(BufferedObserver(SlowObserver(), atMost: 10_000))
/// ```
///
/// Steps are told in the order in which they came. Of those that come while as many wait as may,
/// none is told, and each is counted in ``lost``.
///
/// It passes on what the other one carries, but not what it would bind around work: that has begun
/// by the time it is told.
public final class BufferedObserver: ReactorObserver {
  private struct Line: Sendable {
    var steps: [ReactorStep] = []
    var isTelling = false
    var lost: UInt64 = 0
    var waiters = IdentityList<Latch>()
  }

  private let observer: any ReactorObserver
  private let limit: Int
  private let line = Guarded(Line())

  /// What the other one needs, but for values to be bound.
  public let needs: ObserverNeeds

  /// The task-local values that the other one wants to come along.
  public let carried: TaskLocals

  /// An observer that tells another one later.
  ///
  /// - Parameters:
  ///   - observer: The other one.
  ///   - limit: How many steps may wait, at least 1.
  public init(_ observer: some ReactorObserver, atMost limit: Int) {
    precondition(limit > 0, "a BufferedObserver needs room for one step at least")
    self.observer = observer
    self.limit = limit
    carried = observer.carried
    needs = observer.needs.subtracting(.values)
  }

  /// How many steps have come while there was no room for them.
  public var lost: UInt64 { line.withLock { $0.lost } }

  /// Waits until all steps that have come so far have been told, or the waiting task is cancelled.
  public func flush() async {
    let latch = Latch()
    let isIdle = line.withLock { line in
      if line.isTelling { line.waiters.append(latch) }
      return !line.isTelling
    }
    if isIdle { return }
    await latch.wait()
    line.withLock { _ = $0.waiters.remove(latch.id) }
  }

  /// Takes a step in, if there is room.
  ///
  /// - Parameter step: The step.
  public func observe(_ step: ReactorStep) {
    let isFirst = line.withLock { line in
      guard line.steps.count < limit else {
        line.lost += 1
        return false
      }
      line.steps.append(step)
      defer { line.isTelling = true }
      return !line.isTelling
    }
    if isFirst { _ = PipelineTasks.make { await self.tell() } }
  }

  private func tell() async {
    while true {
      let batch = line.withLock { line -> Line? in
        if line.steps.isEmpty, line.waiters.isEmpty {
          line.isTelling = false
          return nil
        }
        defer { (line.steps, line.waiters) = ([], IdentityList()) }
        return line
      }
      guard let batch else { return }
      for step in batch.steps { observer.observe(step) }
      for waiter in batch.waiters.all { waiter.open() }
      await Task.yield()
    }
  }
}
