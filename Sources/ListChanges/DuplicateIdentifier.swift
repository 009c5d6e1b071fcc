/// The error for lists that cannot be compared: two rows of one list have the same id.
public struct DuplicateIdentifier: Error, Equatable {
  /// One of the two lists.
  public enum List: String, Sendable {
    /// The list before the changes.
    case old
    /// The list after the changes.
    case new
  }

  /// The list in which the id occurs twice.
  public let list: List
  /// The id, as a debugger prints it: an id need not be `Sendable`, but an error has to be.
  ///
  /// The ``description`` leaves it out, and so do reports and logs: an id may be a person's name.
  public let id: String
  /// The position of the first row with the id, from 0.
  public let first: Int
  /// The position of the next row with the id.
  public let second: Int

  /// Not inlined, so that the code that prints an id stays out of the comparison's loops.
  @inline(never) @usableFromInline
  init<ID>(_ id: ID, in list: List, at position: Int, and other: Int) {
    self.list = list
    self.id = String(reflecting: id)
    first = min(position, other)
    second = max(position, other)
  }
}

extension DuplicateIdentifier: CustomStringConvertible {
  /// What was wrong and how to correct it, in one line; without the id.
  public var description: String {
    "rows \(first) and \(second) of the \(list) list have the same id; "
      + "give each row an id of its own, or leave one of them out"
  }
}
