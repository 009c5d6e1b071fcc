/// What happens to an action in a stage of the middleware.
public enum ActionVerdict<Action: Sendable>: Sendable {
  /// It is passed on unchanged.
  case pass
  /// This action is passed on in its place, under its number and receipt.
  case change(Action)
  /// It is dropped for this reason: an error of the author's, or a ``DropReason``.
  case drop(any Error)
}

/// A textual reason why an action was dropped.
public struct DropReason: Error, Hashable, CustomStringConvertible {
  /// The text of the reason.
  public let description: String

  /// Creates a reason.
  ///
  /// - Parameter description: The text; it is shown in reports, and should not quote the action's
  ///   associated values.
  public init(_ description: String) { self.description = description }
}
