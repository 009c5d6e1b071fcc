#if DEBUG
  public import Synchronization
#endif

/// Creates the tasks of a pipeline; if the pipeline is part of a simulation, as tasks of the
/// simulation.
///
/// A task without a parent does not inherit the executor preference of the task that creates it. So
/// the ``SimulatedExecutor`` is passed explicitly. Outside a simulation, this costs one read of a
/// counter.
@usableFromInline
package enum PipelineTasks {
  /// Creates a task that has no parent, and takes part in the simulation if there is one.
  ///
  /// Outside a simulation, no executor preference is passed at all. Even a preference of `nil` is
  /// recorded with the task and looked up each time the task is resumed.
  @inlinable @inline(__always)
  @discardableResult
  package static func inheriting(
    @_inheritActorContext @_implicitSelfCapture
    _ operation: sending @escaping @isolated(any) () async -> Void
  ) -> Task<Void, Never> {
    SimulatedExecutor.isAny ? simulatedInheriting(operation) : Task(operation: operation)
  }

  /// Creates a task that does not inherit the caller's task-local values either, but has the
  /// caller's priority.
  ///
  /// A pipeline does its own work in such tasks: the task that happens to schedule a reactor is
  /// unrelated to the actions of all other senders. In a simulation, these tasks have the
  /// task-local values with which the scenario began, so that the test gets the issues that are
  /// reported in them.
  @inlinable @inline(__always)
  @discardableResult
  package static func make(
    @_inheritActorContext @_implicitSelfCapture
    _ operation: sending @escaping @isolated(any) () async -> Void
  ) -> Task<Void, Never> {
    areOrdinary ? Task.detached(operation: operation) : makeNonOrdinary(operation)
  }

  /// Creates a task as ``make(_:)`` does; only valid where ``areOrdinary`` is true.
  ///
  /// Throwing and generic, as `Task.detached` is, so that the operation is passed without a
  /// reabstraction thunk. Any other signature wraps it in closures, which cost an allocation or a
  /// frame each.
  @inlinable @inline(__always)
  package static func makeOrdinary<Success: Sendable>(
    @_inheritActorContext @_implicitSelfCapture
    _ operation: sending @escaping @isolated(any) () async throws -> Success
  ) { Task.detached(operation: operation) }

  /// Creates a task as ``make(_:)`` does, which runs on the caller's executor until it first
  /// suspends.
  @inlinable @inline(__always)
  package static func makeImmediate(
    @_inheritActorContext(always) @_implicitSelfCapture
    _ operation: sending @escaping @isolated(any) () async -> Void
  ) -> Task<Void, Never> {
    if SimulatedExecutor.isAny { return simulatedImmediate(operation) }
    guard #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *),
      ImmediateStart.isAvailable
    else { return Task.detached(priority: Task.currentPriority, operation: operation) }
    return Task.immediateDetached(priority: Task.currentPriority, operation: operation)
  }

  /// Creates a task that inherits nothing from the caller, and takes part in the simulation if
  /// there is one.
  package static func detached(_ operation: @escaping @Sendable () async -> Void) {
    if SimulatedExecutor.isAny, let current = SimulatedExecutor.current {
      Task.detached(executorPreference: current, operation: operation)
    } else {
      Task.detached(operation: operation)
    }
  }

  /// Whether a task that is created now can be of the cheapest kind: outside a simulation, and with
  /// the default priority of a detached task.
  ///
  /// A call with an explicit priority is not inlined, and then has to look up a preferred executor.
  @inlinable package static var areOrdinary: Bool {
    // By raw value, since the operator is the generic one of `RawRepresentable`.
    !SimulatedExecutor.isAny && Task.currentPriority.rawValue == TaskPriority.medium.rawValue
  }

  // A separate function, so that the compiler sees in the callers that no preference is passed.
  @usableFromInline
  static func simulatedInheriting(
    _ operation: sending @escaping @isolated(any) () async -> Void
  ) -> Task<Void, Never> {
    Task(executorPreference: SimulatedExecutor.current, operation: operation)
  }

  /// Creates a task as ``make(_:)`` does, in a simulation or with the caller's priority.
  @usableFromInline
  static func makeNonOrdinary(
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
    guard #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *),
      ImmediateStart.isAvailable
    else { return makeNonOrdinary(operation) }
    guard let current = SimulatedExecutor.current else {
      return Task.immediateDetached(priority: Task.currentPriority, operation: operation)
    }
    return current.began(operation) { operation in
      Task.immediate(executorPreference: current, operation: operation)
    }
  }

  /// Creates the task of an effect that has a priority, or is simulated.
  ///
  /// The task begins where its body is isolated, immediately if possible.
  @usableFromInline
  package static func effect(
    _ priority: TaskPriority?,
    @_inheritActorContext(always) @_implicitSelfCapture
    _ operation: sending @escaping @isolated(any) () async throws -> Void
  ) -> Task<Void, any Error> {
    guard #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *),
      ImmediateStart.isAvailable
    else { return deferredEffect(priority, operation) }
    guard SimulatedExecutor.isAny, let current = SimulatedExecutor.current else {
      return Task.immediateDetached(
        priority: priority ?? Task.currentPriority, operation: operation)
    }
    let priority = priority ?? current.pickEffectPriority()
    return current.began(operation) { operation in
      Task.immediate(priority: priority, executorPreference: current, operation: operation)
    }
  }

  /// Creates the task of an effect on systems without immediate tasks.
  private static func deferredEffect(
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

/// Whether tasks can begin immediately, as with `Task.immediate`.
///
/// Apple's systems before version 26 have no such tasks. There, what would begin immediately begins
/// a little later, and hops to its reactor by itself. That can be neither compiled nor run on
/// Linux, so tests turn immediate tasks off in a debug build, in order to run the rest of that
/// path.
@usableFromInline
package enum ImmediateStart {
  #if DEBUG
    /// Set by tests, each in a process of its own.
    @usableFromInline package static let isDisabled = Atomic(false)

    @inlinable package static var isAvailable: Bool { !isDisabled.load(ordering: .relaxed) }
  #else
    @inlinable package static var isAvailable: Bool { true }
  #endif
}
