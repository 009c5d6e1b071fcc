/// Calls a function that has the isolation of an actor, from elsewhere: to make a task there, which
/// begins on the actor, as the closure it is made of has the isolation of the function around it.
///
/// **Why it is sound**: the isolation of a parameter is one of the compiler's rules; it is passed
/// like any other argument. The function must touch nothing of the actor's, and its only caller's
/// makes a task and does nothing else.
///
/// **What would break it**: an isolation that is passed in another way than the argument. The
/// structures keep the functions from being adapted to generic parameters.
@usableFromInline
struct IsolatedCall<A: Actor> {
  @usableFromInline let body: (isolated A) -> Void

  @usableFromInline
  struct Anywhere {
    @usableFromInline let body: (A) -> Void
  }

  @inlinable
  init(_ body: @escaping (isolated A) -> Void) { self.body = body }

  @inlinable
  func callAsFunction(for actor: A) { unsafeBitCast(self, to: Anywhere.self).body(actor) }
}
