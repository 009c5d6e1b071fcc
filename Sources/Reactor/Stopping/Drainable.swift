/// A type that can be drained: a reactor, a ``/ReactorComposition/ReactorGroup``, or a
/// ``/ReactorComposition/ReactorRegistry``.
///
/// With it a service keeps all its parts in one list, of whatever type they are:
///
/// ```swift
/// let parts: [any Drainable] = [rooms, sessions, clock]
/// ```
public protocol Drainable: Sendable {
  /// Ends it gracefully: it accepts nothing more, completes what it has accepted, and then returns.
  ///
  /// **Runs on** the caller's executor. A turn that blocks its thread, and so holds a reactor,
  /// delays this as well.
  ///
  /// **If the task is cancelled**, everything that has not ended by then is cancelled, and this
  /// returns without waiting for it.
  ///
  /// - Returns: What was cut short, by reactor; empty if everything was completed.
  @discardableResult
  nonisolated(nonsending) func drain() async -> [AbandonedWork]
}
