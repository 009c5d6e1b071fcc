/// The task-local values that children have of the place where their parent was made.
///
/// A child is made by the task that takes its parent's turn, whichever that is, and has that task's
/// values of all others. The core inherits none by itself: a product adds those that are read where
/// a reactor is made, as `ReactorDependencies` does.
package enum InheritedLocals {
  private static let added = Guarded((locals: TaskLocals.none, unbound: CarriedValue?.none))

  /// Adds task-local values, before any of them is first bound.
  package static func add(_ locals: TaskLocals) {
    added.withLock { added in
      added.locals = added.locals.and(locals)
      // Nothing has bound them yet, so these are their defaults.
      added.unbound = locals.capture(before: added.unbound)
    }
  }

  /// What the caller has of them; `nil` where none has been added, and so none is bound.
  static func captured() -> CarriedValue? { added.withLock { $0.locals }.capture() }

  /// Makes something with the values that its parent was made with.
  static func bind<Made>(_ captured: CarriedValue?, make: () -> Made) -> Made {
    guard let values = captured ?? added.withLock({ $0.unbound }) else { return make() }
    var made: Made?
    values.bind { made = make() }
    guard let made else { preconditionFailure("what is bound around a body calls it") }
    return made
  }
}
