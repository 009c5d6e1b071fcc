/// A few elements in order.
///
/// Usually there is one, for which no memory is allocated.
@usableFromInline
package struct SmallList<Element>: Sequence {
  @usableFromInline package var first: Element?
  @usableFromInline var rest: [Element] = []

  @inlinable
  package init() {}

  /// - Parameters:
  /// - first: The first element; if it is `nil`, `rest` must be empty.
  /// - rest: The other elements.
  @inlinable
  package init(_ first: Element?, _ rest: [Element]) {
    self.first = first
    self.rest = rest
  }

  @inlinable package var isEmpty: Bool { first == nil }

  @inlinable
  package mutating func append(_ element: Element) {
    if isEmpty { first = element } else { rest.append(element) }
  }

  @inlinable
  package func makeIterator() -> Iterator { Iterator(self) }

  @usableFromInline
  package struct Iterator: IteratorProtocol {
    /// The next element.
    @usableFromInline var upcoming: Element?
    @usableFromInline var rest: ArraySlice<Element>

    @inlinable
    init(_ list: SmallList) {
      upcoming = list.first
      rest = list.rest[...]
    }

    @inlinable
    package mutating func next() -> Element? {
      guard let element = upcoming else { return nil }
      upcoming = rest.popFirst()
      return element
    }
  }
}

extension SmallList: Sendable where Element: Sendable {}
