#if DEBUG
  public import Synchronization
#endif

/// How a pipeline makes its tasks: those of a simulation where it is part of one.
///
/// A task made without a parent does not run where the one that made it does, unless it is told to.
/// So the ``SimulatedExecutor`` is asked first; outside a simulation, that is one look at a count.
@usableFromInline
package enum PipelineTasks {
  /// Makes a task that has no parent, and takes part in a simulation where there is one.
  ///
  /// Without one, no preference is given at all: one that turns out to be `nil` is written down
  /// with the task all the same, and looked for whenever it is resumed.
  @inlinable @inline(__always)
  @discardableResult
  package static func inheriting(
    @_inheritActorContext @_implicitSelfCapture
    _ operation: sending @escaping @isolated(any) () async -> Void
  ) -> Task<Void, Never> {
    SimulatedExecutor.isAny ? simulatedInheriting(operation) : Task(operation: operation)
  }

  /// Makes a task that has none of the caller's task-local values either, but the caller's
  /// priority.
  ///
  /// What a pipeline does by itself is done by tasks of this kind: what happens to wake a reactor
  /// has nothing to do with the actions of all the others. In a simulation, they have the values
  /// that the scenario began with, so that the test is told of what goes wrong in them.
  @inlinable @inline(__always)
  @discardableResult
  package static func make(
    @_inheritActorContext @_implicitSelfCapture
    _ operation: sending @escaping @isolated(any) () async -> Void
  ) -> Task<Void, Never> {
    areOrdinary ? Task.detached(operation: operation) : makeOther(operation)
  }

  /// Makes a task as ``make(_:)`` does, where ``areOrdinary`` holds.
  ///
  /// It is one that may throw, and generic as the maker of tasks is, so that the operation is
  /// handed on as it is: any other gets closures around it, with an allocation or a frame each.
  @inlinable @inline(__always)
  package static func makeOrdinary<Success: Sendable>(
    @_inheritActorContext @_implicitSelfCapture
    _ operation: sending @escaping @isolated(any) () async throws -> Success
  ) { Task.detached(operation: operation) }

  /// Makes a task as ``make(_:)`` does, which runs where the caller does until it first suspends.
  @inlinable @inline(__always)
  package static func makeImmediate(
    @_inheritActorContext(always) @_implicitSelfCapture
    _ operation: sending @escaping @isolated(any) () async -> Void
  ) -> Task<Void, Never> {
    if SimulatedExecutor.isAny { return simulatedImmediate(operation) }
    guard #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *), ImmediateStart.isThere
    else { return Task.detached(priority: Task.currentPriority, operation: operation) }
    return Task.immediateDetached(priority: Task.currentPriority, operation: operation)
  }

  /// Makes a task that has nothing of the caller's, and takes part in a simulation where there is
  /// one.
  package static func detached(_ operation: @escaping @Sendable () async -> Void) {
    if SimulatedExecutor.isAny, let current = SimulatedExecutor.current {
      Task.detached(executorPreference: current, operation: operation)
    } else {
      Task.detached(operation: operation)
    }
  }

  /// Whether a task that is made now can be of the kind that costs least: in no simulation, and of
  /// the priority that a detached task has by itself.
  ///
  /// One that says its priority is not inlined, and then has to look for a preferred executor.
  @inlinable package static var areOrdinary: Bool {
    // By their raw values: the operator is the generic one of whatever has a raw value.
    !SimulatedExecutor.isAny && Task.currentPriority.rawValue == TaskPriority.medium.rawValue
  }

  // Away from the above, so that the compiler sees there that no preference is given.
  @usableFromInline
  static func simulatedInheriting(
    _ operation: sending @escaping @isolated(any) () async -> Void
  ) -> Task<Void, Never> {
    Task(executorPreference: SimulatedExecutor.current, operation: operation)
  }

  /// As ``make(_:)`` does, in a simulation, or with a priority of the caller's.
  @usableFromInline
  static func makeOther(
    _ operation: sending @escaping @isolated(any) () async -> Void
  ) -> Task<Void, Never> {
    guard SimulatedExecutor.isAny, let current = SimulatedExecutor.current else {
      return Task.detached(priority: Task.currentPriority, operation: operation)
    }
    return current.began(operation) { operation in
      Task(executorPreference: current) { await operation() }
    }
  }

  @usableFromInline
  static func simulatedImmediate(
    _ operation: sending @escaping @isolated(any) () async -> Void
  ) -> Task<Void, Never> {
    guard #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *), ImmediateStart.isThere
    else { return makeOther(operation) }
    guard let current = SimulatedExecutor.current else {
      return Task.immediateDetached(priority: Task.currentPriority, operation: operation)
    }
    return current.began(operation) { operation in
      Task.immediate(executorPreference: current, operation: operation)
    }
  }

  /// Makes the task of an effect that has a priority, or is simulated; it begins where its body is
  /// isolated, in place if it can.
  @usableFromInline
  package static func effect(
    _ priority: TaskPriority?,
    @_inheritActorContext(always) @_implicitSelfCapture
    _ operation: sending @escaping @isolated(any) () async throws -> Void
  ) -> Task<Void, any Error> {
    guard #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *), ImmediateStart.isThere
    else { return effectToCome(priority, operation) }
    guard SimulatedExecutor.isAny, let current = SimulatedExecutor.current else {
      return Task.immediateDetached(
        priority: priority ?? Task.currentPriority, operation: operation)
    }
    let priority = priority ?? current.pickEffectPriority()
    return current.began(operation) { operation in
      Task.immediate(priority: priority, executorPreference: current, operation: operation)
    }
  }

  /// Makes the task of an effect where no task begins in place.
  private static func effectToCome(
    _ priority: TaskPriority?,
    _ operation: sending @escaping @isolated(any) () async throws -> Void
  ) -> Task<Void, any Error> {
    guard SimulatedExecutor.isAny, let current = SimulatedExecutor.current else {
      return Task.detached(priority: priority ?? Task.currentPriority, operation: operation)
    }
    let priority = priority ?? current.pickEffectPriority()
    return current.began(operation) { operation in
      Task(executorPreference: current, priority: priority) { try await operation() }
    }
  }
}

/// Whether tasks begin in place, as `Task.immediate` has them do.
///
/// Apple's systems before version 26 have no such tasks; there, what would begin in place begins a
/// little later, and comes to its reactor by itself. It can neither be compiled nor run on Linux,
/// where tests have a debug build do without, to run what is left.
@usableFromInline
package enum ImmediateStart {
  #if DEBUG
    /// Set by tests, in a process of their own.
    @usableFromInline package static let isWithheld = Atomic(false)

    @inlinable package static var isThere: Bool { !isWithheld.load(ordering: .relaxed) }
  #else
    @inlinable package static var isThere: Bool { true }
  #endif
}
