/// A few elements in their order: nearly always one, for which no memory is made.
@usableFromInline
struct Few<Element>: Sequence {
  @usableFromInline var first: Element?
  @usableFromInline var rest: [Element] = []

  @inlinable
  init() {}

  /// - Parameters:
  ///   - first: The first one; where there is none, there are no others.
  ///   - rest: The others.
  @inlinable
  init(_ first: Element?, _ rest: [Element]) {
    self.first = first
    self.rest = rest
  }

  @inlinable var isEmpty: Bool { first == nil }

  @inlinable
  mutating func append(_ element: Element) {
    if isEmpty { first = element } else { rest.append(element) }
  }

  @inlinable
  func makeIterator() -> Iterator { Iterator(self) }

  @usableFromInline
  struct Iterator: IteratorProtocol {
    /// Who comes next.
    @usableFromInline var upcoming: Element?
    @usableFromInline var rest: ArraySlice<Element>

    @inlinable
    init(_ few: Few) {
      upcoming = few.first
      rest = few.rest[...]
    }

    @inlinable
    mutating func next() -> Element? {
      guard let element = upcoming else { return nil }
      upcoming = rest.popFirst()
      return element
    }
  }
}

extension Few: Sendable where Element: Sendable {}
