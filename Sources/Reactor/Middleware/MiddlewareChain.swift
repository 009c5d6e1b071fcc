/// The stages of one reactor, in order, combined where its type is known.
///
/// Guard: the reactor's isolation.
@usableFromInline
struct MiddlewareChain<Action: Sendable, State: Sendable> {
  /// Passes an action through the stages, which may change it.
  ///
  /// - Returns: Why it was dropped, if it was.
  let pass: (_ action: inout Action, _ number: UInt64, _ state: State) -> (any Error)?
}
