public import Synchronization

/// Where the tasks of a pipeline run while a test simulates the order of things; it is asked by
/// ``PipelineTasks``.
@usableFromInline
package enum SimulatedExecutor {
  /// The simulation that this is part of.
  @TaskLocal package static var current: (any SimulatedScenario)?

  /// How many simulations there are in the process.
  @usableFromInline package static let count = Atomic(0)

  @inlinable package static var isAny: Bool { count.load(ordering: .relaxed) != 0 }

  /// Whether what runs now is part of a simulation.
  @inlinable package static var isActive: Bool { isAny && isBound }

  @usableFromInline static var isBound: Bool { current != nil }

  /// Tells the simulation, if this is part of one, that a reactor begins.
  @usableFromInline
  package static func reactorBegins(_ type: any Any.Type) { current?.reactorBegins(type) }

  /// Never true, which the compiler does not know.
  ///
  /// For the condition of a loop that goes round once, around `Task.immediateDetached`: only in a
  /// loop does the compiler (6.3) inline that call, and only inlined does it see that no executor
  /// is preferred. Otherwise the task gets a record of a preference for none, and looks it up,
  /// behind a lock, whenever it is resumed.
  @inlinable package static var isNever: Bool { count.load(ordering: .relaxed) < 0 }
}

/// A simulation, as the pipelines in it see it.
@usableFromInline
package protocol SimulatedScenario: TaskExecutor {
  /// Runs something here and now, with the task-local values that the scenario began with, and
  /// returns when it has run.
  func asBegun(_ body: () -> Void)

  /// A reactor of a type begins in the simulation.
  func reactorBegins(_ type: any Any.Type)

  /// The priority of an effect that has none of its own; `nil` for that of the current task.
  func pickEffectPriority() -> TaskPriority?
}

extension SimulatedScenario {
  /// Makes a task with the task-local values that the scenario began with.
  func began<Operation, Made>(
    _ operation: sending Operation, _ make: (sending Operation) -> Made
  ) -> Made {
    // Guard: given to `make` once, before this returns, and nothing else has it.
    nonisolated(unsafe) let operation = operation
    var made: Made?
    asBegun { made = make(operation) }
    guard let made else { preconditionFailure("a scenario returned before it had run its errand") }
    return made
  }
}
