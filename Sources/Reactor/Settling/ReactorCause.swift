/// The action that caused another: its work sent the other action, to the same reactor or to
/// another.
///
/// Its `description` is `Login#3 action 12`.
public struct ReactorCause: Sendable, Hashable, CustomStringConvertible {
  /// The reactor of the causing action.
  public let reactor: ReactorIdentity

  /// The action's number in that reactor.
  public let action: ActionNumber

  /// Creates a cause, for tests and for forwarding by hand.
  ///
  /// - Parameters:
  ///   - reactor: The reactor.
  ///   - action: The action's number.
  public init(reactor: ReactorIdentity, action: ActionNumber) {
    self.reactor = reactor
    self.action = action
  }

  /// The action to whose work the caller's code belongs; `nil` if it belongs to none, or if the
  /// reactor has no observer.
  ///
  /// It is a task-local value: child tasks and a `Task { }` inherit it, a `Task.detached { }` does
  /// not. A log can use it to say which action has written a line.
  public static var current: ReactorCause? { local }

  @TaskLocal static var local: ReactorCause?
  /// The reactor and the number.
  public var description: String { "\(reactor) action \(action)" }
}
