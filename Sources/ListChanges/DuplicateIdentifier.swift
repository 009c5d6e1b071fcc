/// Why two lists were not compared: an id that two rows of one list share.
public struct DuplicateIdentifier: Error, Equatable {
  /// Which of the two lists.
  public enum List: String, Sendable {
    /// The one before the changes.
    case old
    /// The one after them.
    case new
  }

  /// The list in which it occurs twice.
  public let list: List
  /// The id, as it is printed in a debugger: ids need not be sendable, and errors are.
  ///
  /// The ``description`` leaves it out, and so do reports and logs: an id may be a person's name.
  public let id: String
  /// The position of the first row that has it, from 0.
  public let first: Int
  /// The position of the next row that has it.
  public let second: Int

  /// Not inlined, to keep what prints an id out of the comparison's loops.
  @inline(never) @usableFromInline
  init<ID>(_ id: ID, in list: List, at position: Int, and other: Int) {
    self.list = list
    self.id = String(reflecting: id)
    first = min(position, other)
    second = max(position, other)
  }
}

extension DuplicateIdentifier: CustomStringConvertible {
  /// What was wrong, and what would do, on one line; without the id.
  public var description: String {
    "rows \(first) and \(second) of the \(list) list have the same id; "
      + "give each row an id of its own, or leave one of them out"
  }
}
