/// Calls a function that is isolated to an actor from outside the actor.
///
/// It is used to create a task that begins on the actor: a closure has the isolation of the
/// function that contains it.
///
/// **Why it is sound**: the isolation of a parameter is a rule of the compiler's, and the actor is
/// passed like any other argument. **Guard**: the function accesses nothing of the actor's. There
/// is one such function, in `makeJob(_:)` of `_ReactorEngine`, and it only creates a task.
///
/// **What would break it**: an isolation that is passed in another way than the argument. The
/// structs prevent the functions from being reabstracted for generic parameters.
@usableFromInline
package struct IsolatedCall<A: Actor> {
  @usableFromInline let body: (isolated A) -> Void

  @usableFromInline
  struct Nonisolated {
    @usableFromInline let body: (A) -> Void
  }

  @inlinable
  package init(_ body: @escaping (isolated A) -> Void) { self.body = body }

  @inlinable
  package func callAsFunction(for actor: A) {
    unsafeBitCast(self, to: Nonisolated.self).body(actor)
  }
}
