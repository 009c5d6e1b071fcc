/// Two lists to be compared, row by row.
///
/// A protocol for types rather than closures, so that the compiler inlines the comparisons, which
/// are the inner loop.
@usableFromInline
protocol ListRows {
  associatedtype ID: Hashable
  var oldCount: Int { get }
  var newCount: Int { get }
  func oldID(_ row: Int) -> ID
  func newID(_ row: Int) -> ID
  /// Whether a row's value is the same in both lists.
  func areEqual(_ oldRow: Int, _ newRow: Int) -> Bool
}

extension ListRows {
  /// Whether two rows have the same id.
  @inlinable
  func areSame(_ oldRow: Int, _ newRow: Int) -> Bool { oldID(oldRow) == newID(newRow) }
}

/// Rows that are `Identifiable` and `Equatable`.
@usableFromInline
struct IdentifiableListRows<Element: Identifiable & Equatable>: ListRows {
  @usableFromInline let old: ContiguousArray<Element>
  @usableFromInline let new: ContiguousArray<Element>

  @inlinable
  init(_ old: ContiguousArray<Element>, _ new: ContiguousArray<Element>) {
    self.old = old
    self.new = new
  }

  @inlinable var oldCount: Int { old.count }
  @inlinable var newCount: Int { new.count }
  @inlinable
  func oldID(_ row: Int) -> Element.ID { old[row].id }
  @inlinable
  func newID(_ row: Int) -> Element.ID { new[row].id }
  @inlinable
  func areEqual(_ oldRow: Int, _ newRow: Int) -> Bool { old[oldRow] == new[newRow] }
}

/// Rows whose ids and equality are given by closures.
@usableFromInline
struct CustomListRows<Element, ID: Hashable>: ListRows {
  @usableFromInline let old: ContiguousArray<Element>
  @usableFromInline let new: ContiguousArray<Element>
  @usableFromInline let id: (Element) -> ID
  @usableFromInline let equality: (Element, Element) -> Bool

  @inlinable
  init(
    _ old: ContiguousArray<Element>, _ new: ContiguousArray<Element>,
    _ id: @escaping (Element) -> ID, _ equality: @escaping (Element, Element) -> Bool
  ) {
    self.old = old
    self.new = new
    self.id = id
    self.equality = equality
  }

  @inlinable var oldCount: Int { old.count }
  @inlinable var newCount: Int { new.count }
  @inlinable
  func oldID(_ row: Int) -> ID { id(old[row]) }
  @inlinable
  func newID(_ row: Int) -> ID { id(new[row]) }
  @inlinable
  func areEqual(_ oldRow: Int, _ newRow: Int) -> Bool { equality(old[oldRow], new[newRow]) }
}
