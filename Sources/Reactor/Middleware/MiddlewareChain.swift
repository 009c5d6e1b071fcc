/// The stages of one reactor, in order, put together where its type is known.
///
/// Guard: the reactor's isolation.
@usableFromInline
struct MiddlewareChain<Action: Sendable, State: Sendable> {
  /// Sends an action through; it comes out as the stages have left it.
  ///
  /// - Returns: Why it was dropped, if it was.
  let pass: (_ action: inout Action, _ number: UInt64, _ state: State) -> (any Error)?
}
