/// What an error means to whoever tells a client of it, and knows no type of the module that it
/// comes from.
package enum ErrorKind: Sendable {
  /// It is an answer, an ``ExpectedError`` of this name.
  case declined(String)
  /// What was asked for cannot be.
  case invalid
  case cancelled
  /// It was not accepted: there was no room.
  case refused
  case dropped
  case late
  /// Nothing has been done: what would have done it had ended.
  case neverBegun
  /// Nothing has been done: what would have done it is out of reach.
  case unreachable
  /// It is not known what has been done.
  case ended
}

/// An error of another module of this package.
package protocol ErrorWithKind: Error {
  /// What kind it is; `nil` where it is a failure like any other.
  var kindOfError: ErrorKind? { get }
}
