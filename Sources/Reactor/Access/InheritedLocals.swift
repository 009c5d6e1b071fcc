import ReactorRuntime

/// The task-local values that children inherit from the place where their parent was made.
///
/// A child is made by the task that takes its parent's turn, which can be any task, and has that
/// task's values of all other task-locals. The core itself lets children inherit no value. A
/// product adds the task-locals that are read where a reactor is made, as `ReactorDependencies`
/// does.
package struct InheritedLocals: Sendable {
  private static let added = Guarded((locals: TaskLocals.none, unbound: [any BoundLocal]()))

  /// The values of the task-locals that had been added when this was captured.
  private let captured: [any BoundLocal]

  /// Adds task-local values, before any of them is first bound.
  package static func add(_ locals: TaskLocals) {
    added.withLock { added in
      added.locals = added.locals.and(locals)
      // Nothing has bound them yet, so these are their defaults.
      added.unbound += locals.capture()
    }
  }

  /// Captures the caller's values.
  package init() { captured = Self.added.withLock { $0.locals }.capture() }

  /// Makes something with the values with which its parent was made.
  package func bind<Made>(make: () -> Made) -> Made {
    // Task-locals added later had their defaults when the parent was made.
    let later = Self.added.withLock { $0.unbound.dropFirst(captured.count) }
    var made: Made?
    captured[...].bindAll { later.bindAll { made = make() } }
    guard let made else { preconditionFailure("what is bound around a body calls it") }
    return made
  }
}
