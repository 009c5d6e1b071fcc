/// Calls a function that is isolated to an actor from elsewhere, to make a task that begins on the
/// actor: a closure has the isolation of the function that it stands in.
///
/// **Why it is sound**: the isolation of a parameter is a rule of the compiler's, and the actor is
/// passed like any other argument. **Guard**: the function touches nothing of the actor's. There is
/// one, in `makeJob(_:)` of `_ReactorEngine`, and all that it does is to make a task.
///
/// **What would break it**: an isolation that is passed in another way than the argument. The
/// structures keep the functions from being adapted to generic parameters.
@usableFromInline
package struct IsolatedCall<A: Actor> {
  @usableFromInline let body: (isolated A) -> Void

  @usableFromInline
  struct Anywhere {
    @usableFromInline let body: (A) -> Void
  }

  @inlinable
  package init(_ body: @escaping (isolated A) -> Void) { self.body = body }

  @inlinable
  package func callAsFunction(for actor: A) { unsafeBitCast(self, to: Anywhere.self).body(actor) }
}
