/// Objects in the order in which they were added, each of which is removed in constant time.
///
/// A few are an array that is searched. With more of them, each object's place is known, and a
/// removed one leaves a gap, so that many that are removed one by one cost time in proportion to
/// their number. When half of the places are gaps, they are closed.
@usableFromInline
struct IdentityList<Element: AnyObject> {
  struct Many {
    var elements: [Element?] = []
    var places: [ObjectIdentifier: Int] = [:]
    /// The first place that is no gap, or a place before it.
    var head = 0

    init(_ elements: [Element]) {
      for element in elements { append(element) }
    }

    mutating func append(_ element: Element) {
      places[ObjectIdentifier(element)] = elements.count
      elements.append(element)
    }

    mutating func remove(_ element: Element) {
      guard let place = places.removeValue(forKey: ObjectIdentifier(element)) else { return }
      elements[place] = nil
      if elements.count > 2 * places.count + IdentityList.few { self = Many(all) }
    }

    var all: [Element] { elements[head...].compactMap { $0 } }

    mutating func popFirst() -> Element? {
      while head < elements.count {
        if let element = elements[head] {
          remove(element)
          return element
        }
        head += 1
      }
      return nil
    }
  }

  /// As many as an array is searched for.
  private static var few: Int { 16 }

  private var elements: [Element] = []
  /// All of them, where there are many; an array of one, so that it takes a word where there are
  /// not.
  private var many: [Many] = []

  @usableFromInline
  init() {}

  var isEmpty: Bool { count == 0 }

  var count: Int { many.first?.places.count ?? elements.count }

  /// All of them, in order.
  var all: [Element] { many.first?.all ?? elements }

  mutating func append(_ element: Element) {
    guard many.isEmpty else { return many[0].append(element) }
    elements.append(element)
    guard elements.count > Self.few else { return }
    many = [Many(elements)]
    elements = []
  }

  /// Removes an object, if it is there.
  mutating func remove(_ element: Element) {
    guard many.isEmpty else { return many[0].remove(element) }
    guard let index = elements.firstIndex(where: { $0 === element }) else { return }
    elements.remove(at: index)
  }

  mutating func popFirst() -> Element? {
    guard many.isEmpty else { return many[0].popFirst() }
    return elements.isEmpty ? nil : elements.removeFirst()
  }
}

extension IdentityList.Many: Sendable where Element: Sendable {}
extension IdentityList: Sendable where Element: Sendable {}
