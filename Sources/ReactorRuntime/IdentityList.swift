/// Elements in the order in which they were added, each of which can be removed by its identity in
/// constant time.
///
/// Few elements are an array that is searched. With more elements, the place of each is stored, and
/// a removed one leaves a gap. So removing many of them one by one costs time in proportion to
/// their number. When half of the places are gaps, the gaps are closed.
@usableFromInline
package struct IdentityList<Element: Identifiable> {
  @usableFromInline
  struct Many {
    var elements: [Element?] = []
    var places: [Element.ID: Int] = [:]
    /// The first place that is not a gap.
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
      defer {
        if elements.count > 2 * places.count + IdentityList.linearSearchLimit { self = Many(all) }
      }
      defer { while head < elements.count, elements[head] == nil { head += 1 } }
      return elements[place].take()
    }

    var first: Element? { head < elements.count ? elements[head] : nil }

    @usableFromInline var all: [Element] { elements[head...].compactMap { $0 } }

    @usableFromInline
    mutating func popFirst() -> Element? { first.flatMap { remove($0.id) } }
  }

  /// The number of elements up to which an array is searched.
  @usableFromInline static var linearSearchLimit: Int { 16 }

  @usableFromInline var elements: [Element] = []
  /// All elements, if there are many.
  ///
  /// An array of one, so that the field takes one word if there are few.
  @usableFromInline var many: [Many] = []

  @inlinable
  package init() {}

  @inlinable package var isEmpty: Bool { many.isEmpty ? elements.isEmpty : count == 0 }

  @usableFromInline package var count: Int { many.first?.places.count ?? elements.count }

  /// All elements, in order.
  @inlinable package var all: [Element] { many.isEmpty ? elements : many[0].all }

  /// The element that was added before all others that are left.
  package var first: Element? { many.first.map(\.first) ?? elements.first }

  package func contains(_ id: Element.ID) -> Bool {
    many.first.map { $0.places[id] != nil } ?? elements.contains { $0.id == id }
  }

  /// Adds an element, which must not be in the list.
  @inlinable
  package mutating func append(_ element: Element) {
    guard many.isEmpty else { return many[0].append(element) }
    elements.append(element)
    guard elements.count > Self.linearSearchLimit else { return }
    many = [Many(elements)]
    elements = []
  }

  /// Removes an element.
  ///
  /// - Returns: The element, if it was there.
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
