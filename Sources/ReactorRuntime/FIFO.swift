/// A queue of two arrays: elements are removed from the end of one, and appended to the other.
///
/// When the first array is empty, it is replaced by the second in reverse order. An element is
/// moved out when it is taken. So the queue keeps no copy, and the code that takes the element
/// decides where it is released.
@usableFromInline
package struct FIFO<Element: Sendable>: Sendable {
  /// The oldest elements; the oldest is the last.
  @usableFromInline var outgoing: [Element] = []
  /// The elements after those; the newest is the last.
  @usableFromInline var incoming: [Element] = []

  @inlinable
  package init() {}

  @inlinable package var count: Int { outgoing.count + incoming.count }
  @inlinable package var isEmpty: Bool { outgoing.isEmpty && incoming.isEmpty }
  @inlinable package var first: Element? { outgoing.last ?? incoming.first }

  /// An element, by its distance from the first.
  @inlinable
  package subscript(place: Int) -> Element {
    place < outgoing.count
      ? outgoing[outgoing.count - 1 - place] : incoming[place - outgoing.count]
  }

  /// All elements, in order.
  @inlinable package var all: [Element] { outgoing.reversed() + incoming }

  @inlinable
  package mutating func append(_ element: Element) { incoming.append(element) }

  /// Removes the first element.
  ///
  /// - Parameter capacity: The capacity up to which the memory is kept when the queue becomes
  ///   empty.
  /// - Returns: The element, if there is one.
  @inlinable
  package mutating func popFirst(keepingCapacityFor capacity: Int = 0) -> Element? {
    if outgoing.isEmpty, !refillOutgoing() { return nil }
    let element = outgoing.removeLast()
    if isEmpty, outgoing.capacity > capacity || incoming.capacity > capacity { self = FIFO() }
    return element
  }

  /// Makes the incoming elements the outgoing ones.
  ///
  /// - Returns: Whether there were any.
  @inlinable
  mutating func refillOutgoing() -> Bool {
    guard !incoming.isEmpty else { return false }
    swap(&incoming, &outgoing)
    if outgoing.count > 1 { outgoing.reverse() }
    return true
  }

  /// - Returns: The oldest elements, up to this count; none if the count is not above zero.
  @inlinable
  package mutating func removeFirst(_ count: Int) -> [Element] {
    // Without moving an element, if it is one array.
    if outgoing.isEmpty, count >= incoming.count {
      defer { incoming = [] }
      return incoming
    }
    return (0..<min(max(0, count), self.count)).compactMap { _ in popFirst() }
  }

  /// - Returns: The newest elements, up to this count; none if the count is not above zero.
  package mutating func removeLast(_ count: Int) -> [Element] {
    let newest = Array(incoming.suffix(max(0, count)))
    incoming.removeLast(newest.count)
    let older = Array(outgoing.prefix(max(0, count) - newest.count).reversed())
    outgoing.removeFirst(older.count)
    return older + newest
  }

  /// Removes the elements for which the closure returns false.
  package mutating func retain(where isWanted: (Element) -> Bool) {
    outgoing.removeAll { !isWanted($0) }
    incoming.removeAll { !isWanted($0) }
    if isEmpty { self = FIFO() }
  }

  /// Removes and returns all elements.
  @inlinable
  package mutating func removeAll() -> [Element] {
    defer { self = FIFO() }
    return all
  }
}

extension FIFO {
  /// Puts an element that was taken out before those with higher numbers.
  ///
  /// The numbers of the elements in the queue must rise from the first to the last.
  package mutating func putBack<Value: Sendable>(_ element: Element)
  where Element == Numbered<Value> {
    let index = count(upTo: element.number)
    // Not to the start of the outgoing ones, all of which it would move.
    if index == count { return append(element) }
    if index <= outgoing.count {
      outgoing.insert(element, at: outgoing.count - index)
    } else {
      incoming.insert(element, at: index - outgoing.count)
    }
  }

  /// Returns how many elements have this number or a lower one.
  ///
  /// The numbers of the elements in the queue must rise from the first to the last.
  package func count<Value: Sendable>(upTo number: UInt64) -> Int
  where Element == Numbered<Value> {
    var (low, high) = (0, count)
    while low < high {
      let middle = (low + high) / 2
      if self[middle].number <= number { low = middle + 1 } else { high = middle }
    }
    return low
  }
}

/// An element with its number in the sequence from which it was taken.
///
/// The number says where it belongs if it is put back.
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

/// Identified by its number, for use where the numbers are unique.
extension Numbered: Identifiable {
  @inlinable package var id: UInt64 { number }
}
