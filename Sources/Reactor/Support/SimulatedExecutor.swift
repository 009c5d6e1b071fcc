public import Synchronization

/// Where the tasks of a pipeline run while a test simulates the order of things.
///
/// A task made without a parent does not run where the one that made it does, unless it is told to. So
/// the pipeline asks here before it makes one; outside a simulation, that is one look at a count.
@usableFromInline
package enum SimulatedExecutor {
  /// The executor of the simulation that this is part of.
  @TaskLocal package static var current: (any TaskExecutor)?

  /// How many simulations there are in the process.
  @usableFromInline package static let count = Atomic(0)

  /// What to prefer for a task that has no parent; `nil`, as a rule.
  @inlinable static var preference: (any TaskExecutor)? {
    count.load(ordering: .relaxed) == 0 ? nil : lookUp()
  }

  /// Whether what runs now is part of a simulation.
  @inlinable static var isActive: Bool {
    count.load(ordering: .relaxed) != 0 && lookUp() != nil
  }

  @usableFromInline static func lookUp() -> (any TaskExecutor)? { current }
}
