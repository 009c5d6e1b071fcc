public import Synchronization

/// Where the tasks of a pipeline run while a test simulates the order of things.
///
/// A task made without a parent does not run where the one that made it does, unless it is told to.
/// So the pipeline asks here before it makes one; outside a simulation, that is one look at a
/// count.
@usableFromInline
package enum SimulatedExecutor {
  /// The executor of the simulation that this is part of.
  @TaskLocal package static var current: (any TaskExecutor)?

  /// How many simulations there are in the process.
  @usableFromInline package static let count = Atomic(0)

  /// What to prefer for a task that has no parent; `nil`, as a rule.
  @inlinable static var preference: (any TaskExecutor)? {
    isAny ? lookUp() : nil
  }

  /// Whether what runs now is part of a simulation.
  @inlinable static var isActive: Bool { preference != nil }

  @usableFromInline static func lookUp() -> (any TaskExecutor)? { current }

  /// Makes a task that has no parent, and takes part in a simulation where there is one.
  ///
  /// Without one, no preference is given at all: one that turns out to be `nil` is written down
  /// with the task all the same, and looked for whenever it is resumed.
  @inlinable @inline(__always)
  @discardableResult
  package static func task(
    @_inheritActorContext @_implicitSelfCapture
    _ operation: sending @escaping @isolated(any) () async -> Void
  ) -> Task<Void, Never> {
    isAny ? simulatedTask(operation) : Task(operation: operation)
  }

  /// The same, running where the caller does until it first suspends.
  @inlinable @inline(__always)
  static func immediateTask(
    @_inheritActorContext(always) @_implicitSelfCapture
    _ operation: sending @escaping @isolated(any) () async -> Void
  ) -> Task<Void, Never> {
    isAny ? simulatedImmediateTask(operation) : Task.immediate(operation: operation)
  }

  /// Makes a task that has nothing of whoever makes it, and takes part in a simulation where there
  /// is one.
  static func detachedTask(_ operation: @escaping @Sendable () async -> Void) {
    if let preference {
      Task.detached(executorPreference: preference, operation: operation)
    } else {
      Task.detached(operation: operation)
    }
  }

  @inlinable static var isAny: Bool { count.load(ordering: .relaxed) != 0 }

  /// Never true, which the compiler does not know.
  ///
  /// It puts `Task.immediate` in line only where the call stands in a loop: its estimate of what
  /// that gains is 30 elsewhere, and 78 there, of a cost of 67. And only in line does it see that
  /// no executor is preferred. Else it writes down a preference for none, which the task then looks
  /// for, behind a lock, whenever it is resumed.
  @inlinable static var isNever: Bool { count.load(ordering: .relaxed) < 0 }

  // Away from the above, so that the compiler sees there that no preference is given.
  @usableFromInline
  static func simulatedTask(
    _ operation: sending @escaping @isolated(any) () async -> Void
  ) -> Task<Void, Never> {
    Task(executorPreference: current, operation: operation)
  }

  @usableFromInline
  static func simulatedImmediateTask(
    _ operation: sending @escaping @isolated(any) () async -> Void
  ) -> Task<Void, Never> {
    Task.immediate(executorPreference: current, operation: operation)
  }
}
