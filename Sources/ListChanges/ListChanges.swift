/// What turns one state of a list into the next, so that a screen redraws only the rows that
/// changed.
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
/// Rows are the same row if their ids are equal. All positions count from 0, whatever the
/// collections' indices are. Those called old are positions in the old list, before anything has
/// happened to it; those called new are positions in the new list, once everything has. Hence the
/// order:
///
/// 1. The rows at ``deletes`` go, and those at the old positions of ``moves`` are taken out.
/// 2. The rows at ``inserts`` come, and those taken out are put in at the new positions of
///    ``moves``.
/// 3. The rows at the new positions of ``updates`` are shown anew.
///
/// **Moves** are as few as can be; which ones, if there is a choice, is not promised. A row that
/// merely shifted, because rows before it came, went or moved, has not moved. A row that moved and
/// changed is in ``moves`` and in ``updates``.
///
/// **Time** is linear if most rows keep their order, however many come, go or change; at worst, for
/// a shuffle, it is O(*n* log *n*). An id is hashed only if its row is not found near where it was.
///
/// **Ids that occur twice** in one list are an error, ``DuplicateIdentifier``. If the old list has
/// at most 1,000 rows, every id of both lists is looked at. With a longer one, that would take
/// longer than all the rest: only rows outside the runs that both lists share are looked at. What
/// is overlooked does no harm, for the changes turn the old list into the new one all the same.
///
/// The names, and what they mean, are those of IGListKit and of UIKit's batch updates.
public struct ListChanges<Element> {
  /// Where rows go, as old positions, ascending.
  public let deletes: [Int]
  /// Where rows come, as new positions, ascending.
  public let inserts: [Int]
  /// The rows that change places with others, by ascending new position.
  public let moves: [RowPositions]
  /// The rows whose value has changed while the id is the same, by ascending new position.
  public let updates: [RowPositions]

  @usableFromInline let oldCount: Int
  /// The new rows, one for each of ``inserts``.
  @usableFromInline let inserted: [Element]
  /// The new values, one for each of ``updates``.
  @usableFromInline let updated: [Element]

  /// Whether the lists are the same.
  @inlinable public var isEmpty: Bool {
    deletes.isEmpty && inserts.isEmpty && moves.isEmpty && updates.isEmpty
  }

  /// Compares two lists of rows that know their own ids.
  ///
  /// - Parameters:
  ///   - old: The list before the changes.
  ///   - new: The list after them.
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
  ///   - new: The list after them.
  ///   - id: What tells a row from the others in its list, a key path, say.
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
  ///   - new: The list after them.
  ///   - id: What tells a row from the others in its list, a key path, say.
  ///   - areEqual: Whether a row looks the same; it is asked about two rows with equal ids, the old
  ///     one first.
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

/// Where one row is in the old list, and where in the new.
public struct RowPositions: Hashable, Sendable {
  /// The position in the old list, from 0.
  public let old: Int
  /// The position in the new list, from 0.
  public let new: Int

  /// A row's positions.
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
