/// Elements in the order in which they were added, each of which is removed in constant time by its
/// identity.
///
/// A few are an array that is searched. With more of them, each element's place is known, and a
/// removed one leaves a gap, so that many that are removed one by one cost time in proportion to
/// their number. When half of the places are gaps, they are closed.
@usableFromInline
package struct IdentityList<Element: Identifiable> {
  @usableFromInline
  struct Many {
    var elements: [Element?] = []
    var places: [Element.ID: Int] = [:]
    /// The first place that is no gap.
    var head = 0

    @usableFromInline
    init(_ elements: [Element]) {
      for element in elements { append(element) }
    }

    @usableFromInline
    mutating func append(_ element: Element) {
      places[element.id] = elements.count
      elements.append(element)
    }

    @usableFromInline
    mutating func remove(_ id: Element.ID) -> Element? {
      guard let place = places.removeValue(forKey: id) else { return nil }
      defer { if elements.count > 2 * places.count + IdentityList.few { self = Many(all) } }
      defer { while head < elements.count, elements[head] == nil { head += 1 } }
      return elements[place].take()
    }

    var first: Element? { head < elements.count ? elements[head] : nil }

    @usableFromInline var all: [Element] { elements[head...].compactMap { $0 } }

    @usableFromInline
    mutating func popFirst() -> Element? { first.flatMap { remove($0.id) } }
  }

  /// As many as an array is searched for.
  @usableFromInline static var few: Int { 16 }

  @usableFromInline var elements: [Element] = []
  /// All of them, where there are many; an array of one, so that it takes a word where there are
  /// not.
  @usableFromInline var many: [Many] = []

  @inlinable
  package init() {}

  @inlinable package var isEmpty: Bool { many.isEmpty ? elements.isEmpty : count == 0 }

  @usableFromInline package var count: Int { many.first?.places.count ?? elements.count }

  /// All of them, in order.
  @inlinable package var all: [Element] { many.isEmpty ? elements : many[0].all }

  /// The one that was added before all others that are left.
  package var first: Element? { many.first.map(\.first) ?? elements.first }

  package func contains(_ id: Element.ID) -> Bool {
    many.first.map { $0.places[id] != nil } ?? elements.contains { $0.id == id }
  }

  /// Adds an element that is not there.
  @inlinable
  package mutating func append(_ element: Element) {
    guard many.isEmpty else { return many[0].append(element) }
    elements.append(element)
    guard elements.count > Self.few else { return }
    many = [Many(elements)]
    elements = []
  }

  /// Removes an element.
  ///
  /// - Returns: It, if it was there.
  @inlinable
  @discardableResult
  package mutating func remove(_ id: Element.ID) -> Element? {
    guard many.isEmpty else { return many[0].remove(id) }
    return elements.firstIndex { $0.id == id }.map { elements.remove(at: $0) }
  }

  @inlinable
  package mutating func popFirst() -> Element? {
    guard many.isEmpty else { return many[0].popFirst() }
    return elements.isEmpty ? nil : elements.removeFirst()
  }
}

extension IdentityList.Many: Sendable where Element: Sendable, Element.ID: Sendable {}
extension IdentityList: Sendable where Element: Sendable, Element.ID: Sendable {}
