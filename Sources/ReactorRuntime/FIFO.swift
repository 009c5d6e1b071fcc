/// First in, first out: two arrays, of which one is emptied from its end and the other one filled.
///
/// When the first is empty, the second takes its place, in reverse. An element is moved out as it
/// is taken, so that none is kept here, and it is released where its taker decides.
@usableFromInline
package struct FIFO<Element: Sendable>: Sendable {
  /// The oldest elements, the oldest last.
  @usableFromInline var outgoing: [Element] = []
  /// The elements after those, the newest last.
  @usableFromInline var incoming: [Element] = []

  @inlinable
  package init() {}

  @inlinable package var count: Int { outgoing.count + incoming.count }
  @inlinable package var isEmpty: Bool { outgoing.isEmpty && incoming.isEmpty }
  @inlinable package var first: Element? { outgoing.last ?? incoming.first }

  /// One of them, by its place behind the first.
  @inlinable
  package subscript(place: Int) -> Element {
    place < outgoing.count
      ? outgoing[outgoing.count - 1 - place] : incoming[place - outgoing.count]
  }

  /// All of them, in order.
  @inlinable package var all: [Element] { outgoing.reversed() + incoming }

  @inlinable
  package mutating func append(_ element: Element) { incoming.append(element) }

  /// Takes the first out.
  ///
  /// - Parameter room: For how many the memory may be to be kept when it is the last one.
  /// - Returns: It, if there is one.
  @inlinable
  package mutating func popFirst(keepingRoomFor room: Int = 0) -> Element? {
    if outgoing.isEmpty, !turnRound() { return nil }
    let element = outgoing.removeLast()
    if isEmpty, outgoing.capacity > room || incoming.capacity > room { self = FIFO() }
    return element
  }

  /// Makes the incoming elements the outgoing ones.
  ///
  /// - Returns: Whether there were any.
  @inlinable
  mutating func turnRound() -> Bool {
    guard !incoming.isEmpty else { return false }
    swap(&incoming, &outgoing)
    if outgoing.count > 1 { outgoing.reverse() }
    return true
  }

  /// - Returns: The oldest so many; none where the number is not above zero.
  package mutating func removeFirst(_ count: Int) -> [Element] {
    (0..<max(0, count)).compactMap { _ in popFirst() }
  }

  /// - Returns: The newest so many; none where the number is not above zero.
  package mutating func removeLast(_ count: Int) -> [Element] {
    let elements = (0..<max(0, count)).compactMap { _ in
      incoming.popLast() ?? (outgoing.isEmpty ? nil : outgoing.removeFirst())
    }
    return elements.reversed()
  }

  /// Takes out those that are not wanted.
  package mutating func keep(where isWanted: (Element) -> Bool) {
    outgoing.removeAll { !isWanted($0) }
    incoming.removeAll { !isWanted($0) }
  }

  /// Takes all of them out.
  @inlinable
  package mutating func removeAll() -> [Element] {
    defer { self = FIFO() }
    return all
  }
}

extension FIFO {
  /// Puts an element that was taken out before those with higher numbers.
  ///
  /// The numbers of all that are here rise from the first to the last.
  package mutating func putBack<Value: Sendable>(_ element: Element)
  where Element == Numbered<Value> {
    let index = count(upTo: element.number)
    if index <= outgoing.count {
      outgoing.insert(element, at: outgoing.count - index)
    } else {
      incoming.insert(element, at: index - outgoing.count)
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
