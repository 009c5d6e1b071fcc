/// Rows by their ids, in an order: what a state has of a list.
///
/// ```swift
/// struct State { var todos = KeyedRows<Todo>() }
///
/// state.todos.upsert(contentsOf: page)
/// state.todos.update(id) { $0.isDone = true }
/// state.todos.remove(id)
/// ```
///
/// Each id is there once. A row is found and changed without a look at the others, and `ids` is an
/// array that is only touched when rows come, go or move: what ``StateStream`` selects and children
/// are made of. It is a collection of its rows, in their order.
///
/// Redux Toolkit's `createEntityAdapter`.
public struct KeyedRows<Row: Identifiable & Sendable>: Sendable where Row.ID: Sendable {
  /// The ids, in the order of the rows.
  public private(set) var ids: [Row.ID] = []
  private var rows: [Row.ID: Row] = [:]

  /// No rows.
  public init() {}

  /// Some rows; of those with the same id the last one, in the place of the first.
  ///
  /// - Parameter rows: The rows.
  public init(_ rows: some Sequence<Row>) { upsert(contentsOf: rows) }

  /// The row of an id, if it is there.
  ///
  /// - Parameter id: The id.
  public subscript(id id: Row.ID) -> Row? { rows[id] }

  /// Puts a row in the place of the one with its id; at the end, if there is none.
  ///
  /// - Parameter row: The row.
  public mutating func upsert(_ row: Row) {
    if rows.updateValue(row, forKey: row.id) == nil { ids.append(row.id) }
  }

  /// Puts in rows, one after the other.
  ///
  /// - Parameter rows: The rows.
  public mutating func upsert(contentsOf rows: some Sequence<Row>) {
    for row in rows { upsert(row) }
  }

  /// Changes a row in its place.
  ///
  /// - Parameters:
  ///   - id: Its id, which the change must leave as it is.
  ///   - change: The change.
  /// - Returns: Whether there is such a row.
  @discardableResult
  public mutating func update(_ id: Row.ID, _ change: (inout Row) -> Void) -> Bool {
    guard let place = rows.index(forKey: id) else { return false }
    change(&rows.values[place])
    precondition(rows.values[place].id == id, "a row in KeyedRows must keep its id")
    return true
  }

  /// Takes a row out; looks through the ids for that.
  ///
  /// - Parameter id: Its id.
  /// - Returns: The row, if it was there.
  @discardableResult
  public mutating func remove(_ id: Row.ID) -> Row? {
    guard let row = rows.removeValue(forKey: id) else { return nil }
    ids.removeAll { $0 == id }
    return row
  }

  /// Takes all rows out.
  public mutating func removeAll() { self = KeyedRows() }

  /// Puts the rows into another order.
  ///
  /// - Parameter areInOrder: Whether the first comes before the second.
  public mutating func sort(by areInOrder: (Row, Row) -> Bool) {
    ids = sorted(by: areInOrder).map(\.id)
  }
}

extension KeyedRows: RandomAccessCollection {
  /// Where the first row is.
  public var startIndex: Int { 0 }
  /// Behind the last row.
  public var endIndex: Int { ids.count }

  /// The row at a place.
  ///
  /// - Parameter place: The place.
  public subscript(place: Int) -> Row {
    guard let row = rows[ids[place]] else { preconditionFailure("each id has a row") }
    return row
  }
}

extension KeyedRows: Equatable where Row: Equatable {}
