/// What can be ended in good order: a reactor, a ``/ReactorComposition/ReactorGroup``, a
/// ``/ReactorComposition/ReactorRegistry``.
///
/// It is what a service puts its reactors together with, whatever they are:
///
/// ```swift
/// let parts: [any Drainable] = [rooms, sessions, clock]
/// ```
public protocol Drainable: Sendable {
  /// Ends it: nothing more is accepted, and what has been accepted comes to its end.
  ///
  /// Returns when everything has ended. **If the task is cancelled**, what has not ended by then is
  /// cancelled, and it returns without waiting for that.
  ///
  /// **Runs on** the caller's executor. A turn that holds a reactor at that moment, because it
  /// blocks its thread, holds this up as well.
  ///
  /// - Returns: What was cut short, reactor by reactor; nothing if all came to its end.
  @discardableResult
  nonisolated(nonsending) func drain() async -> [AbandonedWork]
}
