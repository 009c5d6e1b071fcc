/// What becomes of an action in a stage of the middleware.
public enum ActionVerdict<Action: Sendable>: Sendable {
  /// It goes on as it is.
  case pass
  /// This one goes on in its place, under its number and receipt.
  case change(Action)
  /// It goes no further, for this reason: an error of the author's, or a ``DropReason``.
  case drop(any Error)
}

/// Why an action was dropped, in words.
public struct DropReason: Error, Hashable, CustomStringConvertible {
  /// The words.
  public let description: String

  /// A reason.
  ///
  /// - Parameter description: The words; they are shown in reports, and should not quote what the
  ///   action carries.
  public init(_ description: String) { self.description = description }
}
