/// What an action was sent by: the action whose work sent it, of the same reactor or another.
///
/// Its `description` is `Login#3 action 12`.
public struct ReactorCause: Sendable, Hashable, CustomStringConvertible {
  /// The reactor whose action it was.
  public let reactor: ReactorIdentity

  /// The action's number there.
  public let action: ActionNumber

  /// A cause; for tests and for forwarding by hand.
  ///
  /// - Parameters:
  ///   - reactor: The reactor.
  ///   - action: The action's number.
  public init(reactor: ReactorIdentity, action: ActionNumber) {
    self.reactor = reactor
    self.action = action
  }

  /// Which action the caller's code is part of the work of; `nil` where it is of none, and where
  /// nobody observes the reactor.
  ///
  /// It is a task-local value: child tasks and a `Task { }` have it too, a `Task.detached { }` has
  /// not. A line of a log can say by it which action has written it.
  public static var current: ReactorCause? { local }

  @TaskLocal static var local: ReactorCause?
  /// The reactor and the number.
  public var description: String { "\(reactor) action \(action)" }
}
