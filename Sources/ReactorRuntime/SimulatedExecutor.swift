public import Synchronization

/// The executor of a pipeline's tasks while a test simulates their order; read by
/// ``PipelineTasks``.
@usableFromInline
package enum SimulatedExecutor {
  /// The simulation that the current task is part of.
  @TaskLocal package static var current: (any SimulatedScenario)?

  /// How many simulations there are in the process.
  @usableFromInline package static let count = Atomic(0)

  @inlinable package static var isAny: Bool { count.load(ordering: .relaxed) != 0 }

  /// Whether the current task is part of a simulation.
  @inlinable package static var isActive: Bool { isAny && isBound }

  @usableFromInline static var isBound: Bool { current != nil }

  /// Notifies the simulation, if the current task is part of one, that a reactor begins.
  @usableFromInline
  package static func reactorBegins(_ type: any Any.Type) { current?.reactorBegins(type) }

  /// Never true, which the compiler does not know.
  ///
  /// Used as the condition of a loop around `Task.immediateDetached` that runs once. The compiler
  /// (6.3) inlines that call only in a loop, and only if it is inlined does the compiler see that
  /// no executor is preferred. Otherwise the task gets a record of a preference for no executor,
  /// and looks it up, behind a lock, each time it is resumed.
  @inlinable package static var isNever: Bool { count.load(ordering: .relaxed) < 0 }
}

/// A simulation, as the pipelines in it see it.
@usableFromInline
package protocol SimulatedScenario: TaskExecutor {
  /// Runs a closure immediately, with the task-local values with which the scenario began, and
  /// returns when it has run.
  func withInitialLocals(_ body: () -> Void)

  /// A reactor of a type begins in the simulation.
  func reactorBegins(_ type: any Any.Type)

  /// Returns the priority for an effect that has none of its own; `nil` for that of the current
  /// task.
  func pickEffectPriority() -> TaskPriority?
}

extension SimulatedScenario {
  /// Creates a task with the task-local values with which the scenario began.
  func began<Operation, Made>(
    _ operation: sending Operation, _ make: (sending Operation) -> Made
  ) -> Made {
    // Guard: passed to `make` once, before this returns, and nothing else has it.
    nonisolated(unsafe) let operation = operation
    var made: Made?
    withInitialLocals { made = make(operation) }
    guard let made else { preconditionFailure("a scenario returned before it had called its body") }
    return made
  }
}
