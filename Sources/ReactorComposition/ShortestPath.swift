/// Finds the shortest path from one of several objects to another, without recursion.
///
/// - Parameters:
///   - starts: The objects at which the path may begin.
///   - end: The object at which it ends.
///   - next: Returns the objects that follow an object.
/// - Returns: The objects on the path, both ends included; `nil` if there is none.
func shortestPath<Node: AnyObject>(
  from starts: [Node], to end: Node, _ next: (Node) -> [Node]
) -> [Node]? {
  var seen: Set<ObjectIdentifier> = []
  // Each object with the index of the one that it follows.
  var found: [(node: Node, previous: Int)] = []
  func add(_ nodes: [Node], after index: Int) {
    for node in nodes where seen.insert(ObjectIdentifier(node)).inserted {
      found.append((node, index))
    }
  }
  add(starts, after: -1)
  var index = 0
  while index < found.count, found[index].node !== end {
    add(next(found[index].node), after: index)
    index += 1
  }
  guard index < found.count else { return nil }
  var path: [Node] = []
  while index >= 0 {
    path.append(found[index].node)
    index = found[index].previous
  }
  return path.reversed()
}
