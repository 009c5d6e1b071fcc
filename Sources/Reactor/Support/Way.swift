/// The shortest way from one of several objects to another.
///
/// - Parameters:
///   - starts: Where it may begin.
///   - wanted: Where it ends.
///   - next: Where it goes on from an object.
/// - Returns: The objects on it, both ends included; `nil` if there is none.
func way<Node: AnyObject>(
  from starts: [Node], to wanted: Node, _ next: (Node) -> [Node]
) -> [Node]? {
  var seen: Set<ObjectIdentifier> = []
  // Each with the place of the one before it.
  var found: [(node: Node, before: Int)] = []
  func add(_ nodes: [Node], after place: Int) {
    for node in nodes where seen.insert(ObjectIdentifier(node)).inserted {
      found.append((node, place))
    }
  }
  add(starts, after: -1)
  var place = 0
  while place < found.count {
    guard found[place].node === wanted else {
      add(next(found[place].node), after: place)
      place += 1
      continue
    }
    var way: [Node] = []
    while place >= 0 {
      way.append(found[place].node)
      place = found[place].before
    }
    return way.reversed()
  }
  return nil
}
