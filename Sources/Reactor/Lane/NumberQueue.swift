/// Numbers in the order they came, any of which may leave: a handful mostly, now and then a
/// million.
///
/// A few are looked for one by one. From many on, a set says which are there, and those that have
/// left stay in the array as gaps until they make up half of it.
@usableFromInline
struct NumberQueue: Sendable {
  private static let few = 16

  @usableFromInline var numbers: [UInt64] = []
  /// Where the first one is, if any.
  @usableFromInline var head = 0
  /// Who is there; `nil` while they are few, and then there are no gaps.
  @usableFromInline var members: Set<UInt64>?

  @inlinable
  init() {}

  var count: Int { members?.count ?? numbers.count - head }
  @usableFromInline var isEmpty: Bool { count == 0 }

  /// Who is there, in order.
  var all: [UInt64] {
    guard let members else { return Array(numbers[head...]) }
    return numbers[head...].filter(members.contains)
  }

  func contains(_ number: UInt64) -> Bool {
    members?.contains(number) ?? numbers[head...].contains(number)
  }

  @usableFromInline
  mutating func append(_ number: UInt64) {
    numbers.append(number)
    if members != nil {
      members?.insert(number)
    } else if numbers.count - head > Self.few {
      members = Set(numbers[head...])
    }
  }

  @usableFromInline
  mutating func popFirst() -> UInt64? {
    while head < numbers.count {
      let number = numbers[head]
      head += 1
      let isThere = members == nil || members?.remove(number) != nil
      tidy()
      if isThere { return number }
    }
    return nil
  }

  /// Takes a number out, wherever it stands.
  ///
  /// - Returns: Whether it was there.
  @usableFromInline
  mutating func remove(_ number: UInt64) -> Bool {
    if members != nil {
      guard members?.remove(number) != nil else { return false }
    } else {
      guard let place = numbers[head...].firstIndex(of: number) else { return false }
      numbers.remove(at: place)
    }
    tidy()
    return true
  }

  mutating func removeAll() { self = NumberQueue() }

  /// Closes the gaps once they are many, so that nothing is left of those who have gone.
  private mutating func tidy() {
    guard numbers.count > 2 * count + Self.few else { return }
    numbers = all
    head = 0
    if numbers.count <= Self.few / 2 { members = nil }
  }
}
