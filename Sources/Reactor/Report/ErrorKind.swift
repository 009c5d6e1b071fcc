/// The meaning of an error, for code that reports it to a client and does not import the module
/// that defines it.
package enum ErrorKind: Sendable {
  /// An answer: an ``ExpectedError`` of this name.
  case declined(String)
  /// The request cannot be carried out.
  case invalid
  case cancelled
  /// Not accepted, for lack of capacity.
  case refused
  case dropped
  case late
  /// Nothing has been done: the reactor or service had ended.
  case neverBegun
  /// Nothing has been done: the reactor or service could not be reached.
  case unreachable
  /// It is not known what has been done.
  case ended
}

/// An error of another module of this package.
package protocol ErrorWithKind: Error {
  /// The kind of error; `nil` if it is an ordinary failure.
  var kindOfError: ErrorKind? { get }
}
