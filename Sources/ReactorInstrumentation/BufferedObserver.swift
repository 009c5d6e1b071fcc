public import Reactor
import ReactorRuntime

/// Delivers steps to another observer in a separate task, so that the observed reactor does not
/// wait.
///
/// ```swift
/// ReactorObservers.add(BufferedObserver(SlowObserver(), atMost: 10_000))
/// ```
///
/// **Order**: steps are delivered in the order in which they arrive. A step that arrives while the
/// buffer is full is discarded and counted in ``droppedCount``.
///
/// Task-local values that the other observer carries are passed on. Values that it would bind
/// around work are not, since the work has begun by the time the step is delivered.
public final class BufferedObserver: ReactorObserver {
  private struct Buffer: Sendable {
    var steps: [ReactorStep] = []
    var isDelivering = false
    var lost: UInt64 = 0
    var waiters = IdentityList<Latch>()
  }

  private let observer: any ReactorObserver
  private let limit: Int
  private let buffer = Guarded(Buffer())

  /// The needs of the other observer, except for binding values.
  public let needs: ObserverNeeds

  /// The task-local values that the other observer carries.
  public let carried: TaskLocals

  /// Creates an observer that delivers to another one.
  ///
  /// - Parameters:
  ///   - observer: The other observer.
  ///   - limit: The size of the buffer in steps; at least 1.
  public init(_ observer: some ReactorObserver, atMost limit: Int) {
    precondition(limit > 0, "the limit of a BufferedObserver must be at least 1")
    self.observer = observer
    self.limit = limit
    carried = observer.carried
    needs = observer.needs.subtracting(.values)
  }

  /// The number of steps that were discarded because the buffer was full.
  public var droppedCount: UInt64 { buffer.withLock { $0.lost } }

  /// Waits until all steps that have arrived so far are delivered, or the waiting task is
  /// cancelled.
  public func flush() async {
    let latch = Latch()
    let isIdle = buffer.withLock { buffer in
      if buffer.isDelivering { buffer.waiters.append(latch) }
      return !buffer.isDelivering
    }
    if isIdle { return }
    await latch.wait()
    buffer.withLock { _ = $0.waiters.remove(latch.id) }
  }

  /// Adds a step to the buffer, unless the buffer is full.
  ///
  /// - Parameter step: The step.
  public func observe(_ step: ReactorStep) {
    let isFirst = buffer.withLock { buffer in
      guard buffer.steps.count < limit else {
        buffer.lost += 1
        return false
      }
      buffer.steps.append(step)
      defer { buffer.isDelivering = true }
      return !buffer.isDelivering
    }
    if isFirst { _ = PipelineTasks.make { await self.deliver() } }
  }

  private func deliver() async {
    while true {
      let batch = buffer.withLock { buffer -> Buffer? in
        if buffer.steps.isEmpty, buffer.waiters.isEmpty {
          buffer.isDelivering = false
          return nil
        }
        defer { (buffer.steps, buffer.waiters) = ([], IdentityList()) }
        return buffer
      }
      guard let batch else { return }
      for step in batch.steps { observer.observe(step) }
      for waiter in batch.waiters.all { waiter.open() }
      await Task.yield()
    }
  }
}
