/// First in, first out: an array that is not moved up each time its first element goes.
///
/// What has been taken out is not kept here, so it is released where the caller says.
@usableFromInline
package struct FIFO<Element: Sendable>: Sendable {
  /// The elements, from `head` on; before that there is nothing.
  @usableFromInline var places: [Element?] = []
  @usableFromInline var head = 0

  @inlinable
  package init() {}

  @inlinable package var count: Int { places.count - head }
  @inlinable package var isEmpty: Bool { head == places.count }
  @inlinable package var first: Element? { isEmpty ? nil : places[head] }

  /// One of them, by its place behind the first.
  @inlinable
  package subscript(place: Int) -> Element {
    guard let element = places[head + place] else { preconditionFailure("a FIFO has no gaps") }
    return element
  }

  /// All of them, in order.
  @inlinable package var all: some Collection<Element> { places[head...].lazy.compactMap { $0 } }

  @inlinable
  package mutating func append(_ element: Element) { places.append(element) }

  /// Puts an element that was taken out before those with higher numbers.
  ///
  /// The numbers of all that are here rise from the first to the last.
  package mutating func putBack<Value: Sendable>(_ element: Element)
  where Element == Numbered<Value> {
    let index = count(upTo: element.number)
    if index == 0, head > 0 {
      head -= 1
      places[head] = element
    } else {
      places.insert(element, at: head + index)
    }
  }

  /// How many elements have a number that is not higher.
  ///
  /// The numbers of all that are here rise from the first to the last.
  package func count<Value: Sendable>(upTo number: UInt64) -> Int
  where Element == Numbered<Value> {
    var (low, high) = (0, count)
    while low < high {
      let middle = (low + high) / 2
      if self[middle].number <= number { low = middle + 1 } else { high = middle }
    }
    return low
  }

  /// Takes the first out.
  ///
  /// - Parameter room: For how many the memory may be to be kept when it is the last one.
  /// - Returns: It, if there is one.
  @inlinable
  package mutating func popFirst(keepingRoomFor room: Int = 0) -> Element? {
    guard !isEmpty else { return nil }
    let element = places[head].take()
    head += 1
    moveUp(room)
    return element
  }

  /// - Returns: The oldest so many; none where the number is not above zero.
  package mutating func removeFirst(_ count: Int) -> [Element] {
    (0..<max(0, count)).compactMap { _ in popFirst() }
  }

  /// - Returns: The newest so many; none where the number is not above zero.
  package mutating func removeLast(_ count: Int) -> [Element] {
    guard count > 0 else { return [] }
    defer { places.removeLast(count) }
    return places.suffix(count).compactMap { $0 }
  }

  /// Takes out those that are not wanted.
  package mutating func keep(where isWanted: (Element) -> Bool) {
    places = places[head...].filter { $0.map(isWanted) == true }
    head = 0
  }

  /// Takes all of them out.
  @inlinable
  package mutating func removeAll() -> [Element] {
    defer { self = FIFO() }
    return Array(all)
  }

  /// Gives the places back of those that have gone, once they are many.
  @inlinable
  mutating func moveUp(_ room: Int) {
    if isEmpty {
      places.removeAll(keepingCapacity: places.capacity <= room)
      head = 0
    } else if head >= 512, head * 2 >= places.count {
      places.removeFirst(head)
      head = 0
    }
  }
}

/// An element with its number in the order of what it was taken from: where it goes if it is put
/// back there.
@usableFromInline
package struct Numbered<Element> {
  @usableFromInline package let number: UInt64
  @usableFromInline package let element: Element

  @inlinable
  package init(_ number: UInt64, _ element: Element) {
    self.number = number
    self.element = element
  }
}

extension Numbered: Sendable where Element: Sendable {}

/// Known by its number where no other has it.
extension Numbered: Identifiable {
  @inlinable package var id: UInt64 { number }
}
