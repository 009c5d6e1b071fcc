/// The changes from one state of a list to the next, so that a screen redraws only the changed
/// rows.
///
/// ```swift
/// let changes = try ListChanges(from: shown, to: state.messages)
/// view.performBatchUpdates {
///   shown = state.messages
///   view.deleteItems(at: changes.deletes.map(path))
///   view.insertItems(at: changes.inserts.map(path))
///   for move in changes.moves { view.moveItem(at: path(move.old), to: path(move.new)) }
/// }
/// view.reconfigureItems(at: changes.updates.map { path($0.new) })
/// ```
///
/// Two rows are the same row if their ids are equal. All positions count from 0, whatever the
/// collections' indices are. Old positions refer to the old list, before any change; new positions
/// refer to the new list, after all changes. Apply them in this order:
///
/// 1. Delete the rows at ``deletes``, and remove those at the old positions of ``moves``.
/// 2. Insert the rows at ``inserts``, and the removed ones at the new positions of ``moves``.
/// 3. Redraw the rows at the new positions of ``updates``.
///
/// **Moves** are as few as possible; if there are several minimal sets, which one is returned is
/// not specified. A row that shifted only because other rows were inserted, deleted or moved has
/// not moved. A row that moved and changed is in ``moves`` and in ``updates``.
///
/// **Time** is linear if most rows keep their order, however many are inserted, deleted or changed;
/// at worst, for a shuffle, it is O(*n* log *n*). An id is hashed only if its row is not found near
/// its old position.
///
/// **Ids that occur twice** in one list are an error, ``DuplicateIdentifier``. If the old list has
/// at most 1,000 rows, every id of both lists is checked. For a longer list, that would take longer
/// than everything else: only rows outside the runs that both lists share are checked. A duplicate
/// that is not found does no harm: the changes still turn the old list into the new one.
///
/// The names and their meanings are those of IGListKit and of UIKit's batch updates.
public struct ListChanges<Element> {
  /// The deleted rows, as old positions, ascending.
  public let deletes: [Int]
  /// The inserted rows, as new positions, ascending.
  public let inserts: [Int]
  /// The rows that change their order relative to others, by ascending new position.
  public let moves: [RowPositions]
  /// The rows whose value has changed while the id is the same, by ascending new position.
  public let updates: [RowPositions]

  @usableFromInline let oldCount: Int
  /// The new rows, one for each of ``inserts``.
  @usableFromInline let inserted: [Element]
  /// The new values, one for each of ``updates``.
  @usableFromInline let updated: [Element]

  /// Whether the lists are equal.
  @inlinable public var isEmpty: Bool {
    deletes.isEmpty && inserts.isEmpty && moves.isEmpty && updates.isEmpty
  }

  /// Compares two lists of identifiable rows.
  ///
  /// - Parameters:
  ///   - old: The list before the changes.
  ///   - new: The list after the changes.
  /// - Throws: `DuplicateIdentifier`, if two rows of one list have the same id.
  @inlinable
  public init(
    from old: some Collection<Element>, to new: some Collection<Element>
  ) throws(DuplicateIdentifier) where Element: Identifiable & Equatable {
    let (old, new) = (ContiguousArray(old), ContiguousArray(new))
    self.init(old, new, try ListPairing(IdentifiableListRows(old, new)))
  }

  /// Compares two lists of rows by an id of your choice.
  ///
  /// - Parameters:
  ///   - old: The list before the changes.
  ///   - new: The list after the changes.
  ///   - id: Returns a row's id, which is unique in its list; for example a key path.
  /// - Throws: `DuplicateIdentifier`, if two rows of one list have the same id.
  @inlinable
  public init<ID: Hashable>(
    from old: some Collection<Element>, to new: some Collection<Element>, id: (Element) -> ID
  ) throws(DuplicateIdentifier) where Element: Equatable {
    try self.init(from: old, to: new, id: id, by: { $0 == $1 })
  }

  /// Compares two lists of rows by an id and an equality of your choice.
  ///
  /// - Parameters:
  ///   - old: The list before the changes.
  ///   - new: The list after the changes.
  ///   - id: Returns a row's id, which is unique in its list; for example a key path.
  ///   - areEqual: Whether a row is displayed the same; called with two rows with equal ids, the
  ///     old one first.
  /// - Throws: `DuplicateIdentifier`, if two rows of one list have the same id.
  @inlinable
  public init<ID: Hashable>(
    from old: some Collection<Element>, to new: some Collection<Element>, id: (Element) -> ID,
    by areEqual: (Element, Element) -> Bool
  ) throws(DuplicateIdentifier) {
    let (old, new) = (ContiguousArray(old), ContiguousArray(new))
    let pairing = try withoutActuallyEscaping(id) { id throws(DuplicateIdentifier) in
      try withoutActuallyEscaping(areEqual) { areEqual throws(DuplicateIdentifier) in
        try ListPairing(CustomListRows(old, new, id, areEqual))
      }
    }
    self.init(old, new, pairing)
  }

  @inlinable
  init(_ old: ContiguousArray<Element>, _ new: ContiguousArray<Element>, _ pairing: ListPairing) {
    deletes = pairing.deletes
    inserts = pairing.inserts
    moves = pairing.moves
    updates = pairing.updates
    oldCount = old.count
    inserted = pairing.inserts.map { new[$0] }
    updated = pairing.updates.map { new[$0.new] }
  }
}

extension ListChanges: Sendable where Element: Sendable {}

extension ListChanges: Equatable where Element: Equatable {}

/// The positions of one row in the old list and in the new one.
public struct RowPositions: Hashable, Sendable {
  /// The position in the old list, from 0.
  public let old: Int
  /// The position in the new list, from 0.
  public let new: Int

  /// Creates a row's positions.
  ///
  /// - Parameters:
  ///   - old: The position in the old list.
  ///   - new: The position in the new list.
  @inlinable
  public init(old: Int, new: Int) {
    self.old = old
    self.new = new
  }
}
