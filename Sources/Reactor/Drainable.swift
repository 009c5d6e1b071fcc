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

/// What a reactor had to leave behind when it was ended.
///
/// Its `description` is one line of text: `Room#7 'lobby': #3 'save', running for 5.0 seconds`.
public struct AbandonedWork: Sendable, CustomStringConvertible {
  /// Which reactor, it may be somebody's child; `nil` where it was still being made.
  public let reactor: ReactorIdentity?
  /// What the registry that had it knows it by; `nil` if it was in none.
  public let key: String?
  /// What was cut short, in the order in which it was sent.
  public let actions: [OpenAction]

  package init(_ reactor: ReactorIdentity?, key: String? = nil, _ actions: [OpenAction]) {
    self.reactor = reactor
    self.key = key
    self.actions = actions
  }

  /// One line: the key, the reactor, and its actions.
  public var description: String {
    let key = key.map { "'\($0)'" }
    guard let reactor else { return "\(key ?? "a reactor"): still being made" }
    let name = key.map { "\($0) (\(reactor))" } ?? "\(reactor)"
    return "\(name): \(actions.map(\.description).joined(separator: "; "))"
  }
}
