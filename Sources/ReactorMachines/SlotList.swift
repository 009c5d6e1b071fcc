/// Numbers of one list among many, in the order in which they were added.
///
/// The numbers are places of a ``Slots``, which links them.
package struct SlotList: Sendable, Hashable {
  fileprivate(set) package var count = 0
  fileprivate var first = Slots.none
  fileprivate var last = Slots.none

  package init() {}

  package var isEmpty: Bool { count == 0 }
}

/// The places of many lists, each of which is taken and given back in constant time.
///
/// The shell keeps what stands at a place in an array. A place that is given back is the next one
/// that is taken.
package struct Slots: Sendable, Hashable {
  fileprivate static let none = -1

  private struct Link: Sendable, Hashable {
    var previous = Slots.none
    var next = Slots.none
    var isTaken = true
  }

  private var links: [Link] = []
  /// The first place that is free, which is linked to the others.
  private var free = Slots.none

  package init() {}

  /// How many places there are, taken or free.
  package var count: Int { links.count }

  /// Takes a place, at the end of a list.
  package mutating func append(to list: inout SlotList) -> Int {
    let slot: Int
    if free == Self.none {
      slot = links.count
      links.append(Link())
    } else {
      slot = free
      free = links[slot].next
      links[slot] = Link()
    }
    links[slot].previous = list.last
    if list.last == Self.none { list.first = slot } else { links[list.last].next = slot }
    list.last = slot
    list.count += 1
    return slot
  }

  /// Gives a place of a list back.
  package mutating func remove(_ slot: Int, from list: inout SlotList) {
    precondition(links[slot].isTaken, "slot \(slot) is free already")
    let link = links[slot]
    if link.previous == Self.none {
      list.first = link.next
    } else {
      links[link.previous].next = link.next
    }
    if link.next == Self.none {
      list.last = link.previous
    } else {
      links[link.next].previous = link.previous
    }
    list.count -= 1
    links[slot] = Link(next: free, isTaken: false)
    free = slot
  }

  package func all(of list: SlotList) -> [Int] {
    var (found, slot): ([Int], Int) = ([], list.first)
    found.reserveCapacity(list.count)
    while slot != Self.none {
      found.append(slot)
      slot = links[slot].next
    }
    return found
  }
}
