public import Synchronization

/// Where the tasks of a pipeline run while a test simulates the order of things.
///
/// A task made without a parent does not run where the one that made it does, unless it is told to.
/// So the pipeline asks here before it makes one; outside a simulation, that is one look at a
/// count.
@usableFromInline
package enum SimulatedExecutor {
  /// The simulation that this is part of.
  @TaskLocal package static var current: (any SimulatedScenario)?

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

  /// Makes a task that has none of the caller's task-local values either, but the caller's
  /// priority.
  ///
  /// What a pipeline does by itself is done by tasks of this kind: who happens to wake a reactor
  /// has nothing to do with the actions of all the others. In a simulation, they have the values
  /// that the scenario began with, so that the test is told of what goes wrong in them.
  @inlinable @inline(__always)
  @discardableResult
  static func pipelineTask(
    @_inheritActorContext @_implicitSelfCapture
    _ operation: sending @escaping @isolated(any) () async -> Void
  ) -> Task<Void, Never> {
    isOrdinary ? Task.detached(operation: operation) : detachedTaskApart(operation)
  }

  /// The same, running where the caller does until it first suspends.
  @inlinable @inline(__always)
  static func immediatePipelineTask(
    @_inheritActorContext(always) @_implicitSelfCapture
    _ operation: sending @escaping @isolated(any) () async -> Void
  ) -> Task<Void, Never> {
    if isAny { return simulatedImmediateDetachedTask(operation) }
    guard #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *), ImmediateStart.isThere
    else { return Task.detached(priority: Task.currentPriority, operation: operation) }
    return Task.immediateDetached(priority: Task.currentPriority, operation: operation)
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

  /// Whether a task that is made now can be of the kind that costs least: in no simulation, and of
  /// the priority that a detached task has by itself.
  ///
  /// One that says its priority is not inlined, and then has to look for a preferred executor.
  @inlinable static var isOrdinary: Bool {
    // By their raw values: the operator is the generic one of whatever has a raw value.
    !isAny && Task.currentPriority.rawValue == TaskPriority.medium.rawValue
  }

  @inlinable static var isAny: Bool { count.load(ordering: .relaxed) != 0 }

  /// Never true, which the compiler does not know.
  ///
  /// For the condition of a loop that goes round once, around `Task.immediateDetached`: only in a
  /// loop does the compiler (6.3) inline that call, and only inlined does it see that no executor
  /// is preferred. Otherwise the task gets a record of a preference for none, and looks it up,
  /// behind a lock, whenever it is resumed.
  @inlinable static var isNever: Bool { count.load(ordering: .relaxed) < 0 }

  // Away from the above, so that the compiler sees there that no preference is given.
  @usableFromInline
  static func simulatedTask(
    _ operation: sending @escaping @isolated(any) () async -> Void
  ) -> Task<Void, Never> {
    Task(executorPreference: current, operation: operation)
  }

  @usableFromInline
  static func detachedTaskApart(
    _ operation: sending @escaping @isolated(any) () async -> Void
  ) -> Task<Void, Never> {
    guard isAny, let current else {
      return Task.detached(priority: Task.currentPriority, operation: operation)
    }
    return current.began(operation) { operation in
      Task(executorPreference: current) { await operation() }
    }
  }

  @usableFromInline
  static func simulatedImmediateDetachedTask(
    _ operation: sending @escaping @isolated(any) () async -> Void
  ) -> Task<Void, Never> {
    guard #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *), ImmediateStart.isThere
    else { return detachedTaskApart(operation) }
    guard let current else {
      return Task.immediateDetached(priority: Task.currentPriority, operation: operation)
    }
    return current.began(operation) { operation in
      Task.immediate(executorPreference: current, operation: operation)
    }
  }

  @usableFromInline
  static func effectApart(
    _ priority: TaskPriority?,
    @_inheritActorContext(always) @_implicitSelfCapture
    _ operation: sending @escaping @isolated(any) () async throws -> Void
  ) -> Task<Void, any Error> {
    guard #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *), ImmediateStart.isThere
    else { return effectToCome(priority, operation) }
    guard isAny, let current else {
      return Task.immediateDetached(
        priority: priority ?? Task.currentPriority, operation: operation)
    }
    return current.began(operation) { operation in
      Task.immediate(priority: priority, executorPreference: current, operation: operation)
    }
  }

  /// The same where no task begins in place.
  private static func effectToCome(
    _ priority: TaskPriority?,
    _ operation: sending @escaping @isolated(any) () async throws -> Void
  ) -> Task<Void, any Error> {
    guard isAny, let current else {
      return Task.detached(priority: priority ?? Task.currentPriority, operation: operation)
    }
    return current.began(operation) { operation in
      Task(executorPreference: current, priority: priority) { try await operation() }
    }
  }
}

/// A simulation, as the pipelines in it see it.
@usableFromInline
package protocol SimulatedScenario: TaskExecutor {
  /// Runs something here and now, with the task-local values that the scenario began with, and
  /// returns when it has run.
  func asBegun(_ body: () -> Void)
}

extension SimulatedScenario {
  /// Makes a task with the task-local values that the scenario began with.
  func began<Operation, Made>(
    _ operation: sending Operation, _ make: (sending Operation) -> Made
  ) -> Made {
    // Guard: given to `make` once, before this returns, and nobody else has it.
    nonisolated(unsafe) let operation = operation
    var made: Made?
    asBegun { made = make(operation) }
    guard let made else { preconditionFailure("a scenario returned before it had run its errand") }
    return made
  }
}
