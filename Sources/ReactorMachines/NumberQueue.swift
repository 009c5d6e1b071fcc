/// A queue of numbers, any of which may be removed.
///
/// It is usually short, but may have a million members.
///
/// Up to sixteen numbers are searched linearly. Beyond that, a set contains the members, and
/// removed numbers stay in the array as gaps until they make up half of it. A removed number must
/// not be appended again: its gap might still be there.
@usableFromInline
package struct NumberQueue: Sendable {
  private static let linearSearchLimit = 16

  private var numbers: [UInt64] = []
  /// The index of the first number, if there is one.
  private var head = 0
  /// The members; `nil` while there are few, and then there are no gaps.
  private var members: Set<UInt64>?

  @usableFromInline
  package init() {}

  package var count: Int { members?.count ?? numbers.count - head }
  @usableFromInline package var isEmpty: Bool { count == 0 }

  /// The members, in order.
  package var all: [UInt64] {
    guard let members else { return Array(numbers[head...]) }
    return numbers[head...].filter(members.contains)
  }

  package func contains(_ number: UInt64) -> Bool {
    members?.contains(number) ?? numbers[head...].contains(number)
  }

  @usableFromInline
  package mutating func append(_ number: UInt64) {
    numbers.append(number)
    if members != nil {
      members?.insert(number)
    } else if numbers.count - head > Self.linearSearchLimit {
      members = Set(numbers[head...])
    }
  }

  @usableFromInline
  package mutating func popFirst() -> UInt64? {
    while head < numbers.count {
      let number = numbers[head]
      head += 1
      let isMember = members == nil || members?.remove(number) != nil
      closeGaps()
      if isMember { return number }
    }
    return nil
  }

  /// Removes a number from any position.
  ///
  /// - Returns: Whether it was a member.
  @usableFromInline
  package mutating func remove(_ number: UInt64) -> Bool {
    if members != nil {
      guard members?.remove(number) != nil else { return false }
    } else {
      guard let index = numbers[head...].firstIndex(of: number) else { return false }
      numbers.remove(at: index)
    }
    closeGaps()
    return true
  }

  package mutating func removeAll() { self = NumberQueue() }

  /// Closes the gaps once there are many, so that removed numbers take no memory.
  private mutating func closeGaps() {
    guard numbers.count > 2 * count + Self.linearSearchLimit else { return }
    numbers = all
    head = 0
    if numbers.count <= Self.linearSearchLimit / 2 { members = nil }
  }
}

/// Two queues are equal if they have the same members in the same order, however these are stored.
extension NumberQueue: Hashable {
  @usableFromInline
  package static func == (one: NumberQueue, other: NumberQueue) -> Bool { one.all == other.all }

  @usableFromInline
  package func hash(into hasher: inout Hasher) { hasher.combine(all) }
}
