/// The single writer: the one place where the state is changed.
///
/// A plain value; whoever holds it sees to it that only the reactor touches it.
@usableFromInline
struct StateReducer<State: Sendable>: Sendable {
  /// `nil` before the pipeline starts.
  @usableFromInline var state: State?
  /// How many mutations have been reduced.
  @usableFromInline var version: UInt64 = 0

  @inlinable
  init() {}
}
