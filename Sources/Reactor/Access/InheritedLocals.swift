import ReactorRuntime

/// The task-local values that children have of the place where their parent was made.
///
/// A child is made by the task that takes its parent's turn, whichever that is, and has that task's
/// values of all others. The core inherits none by itself: a product adds those that are read where
/// a reactor is made, as `ReactorDependencies` does.
package struct InheritedLocals: Sendable {
  private static let added = Guarded((locals: TaskLocals.none, unbound: [any BoundLocal]()))

  /// Those that had been added when it was captured.
  private let captured: [any BoundLocal]

  /// Adds task-local values, before any of them is first bound.
  package static func add(_ locals: TaskLocals) {
    added.withLock { added in
      added.locals = added.locals.and(locals)
      // Nothing has bound them yet, so these are their defaults.
      added.unbound += locals.capture()
    }
  }

  /// What the caller has of them.
  package init() { captured = Self.added.withLock { $0.locals }.capture() }

  /// Makes something with the values that its parent was made with.
  package func bind<Made>(make: () -> Made) -> Made {
    // What was added later had its default when the parent was made.
    let later = Self.added.withLock { $0.unbound.dropFirst(captured.count) }
    var made: Made?
    captured[...].bindAll { later.bindAll { made = make() } }
    guard let made else { preconditionFailure("what is bound around a body calls it") }
    return made
  }
}
