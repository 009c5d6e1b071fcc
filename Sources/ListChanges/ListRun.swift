/// Rows that follow one another in both lists.
@usableFromInline
struct ListRun: Sendable {
  @usableFromInline var old: Int
  @usableFromInline var new: Int
  @usableFromInline var count: Int

  @inlinable
  init(old: Int, new: Int, count: Int) {
    self.old = old
    self.new = new
    self.count = count
  }

  @inlinable var oldEnd: Int { old + count }
  @inlinable var newEnd: Int { new + count }
}

extension [ListRun] {
  /// Adds one row, to the last run if it continues that run.
  @inlinable
  mutating func append(old: Int, new: Int) {
    if let last, last.oldEnd == old, last.newEnd == new {
      self[count - 1].count += 1
    } else {
      append(ListRun(old: old, new: new, count: 1))
    }
  }

  /// Returns the fewest rows that have to move for the order to be correct.
  ///
  /// The rows that stay are the heaviest increasing subsequence of the runs. A run stays or moves
  /// as a whole, since nothing is between its rows, neither before nor after.
  ///
  /// - Parameter oldCount: The number of rows in the old list.
  /// - Returns: The rows, by ascending new position. The runs must be in the same order.
  @usableFromInline
  func moves(oldCount: Int) -> [RowPositions] {
    // A tree of maxima over prefixes, by old position: its values are the positions of runs plus 1.
    var tree = [Int](repeating: 0, count: oldCount + 1)
    var weights = [0]
    var before = [0]
    weights.reserveCapacity(count + 1)
    before.reserveCapacity(count + 1)
    var heaviest = 0
    for (place, run) in enumerated() {
      var best = 0
      var node = run.old
      while node > 0 {
        if weights[tree[node]] > weights[best] { best = tree[node] }
        node &= node - 1
      }
      before.append(best)
      weights.append(weights[best] + run.count)
      if weights[place + 1] > weights[heaviest] { heaviest = place + 1 }
      node = run.old + 1
      while node <= oldCount {
        if weights[place + 1] > weights[tree[node]] { tree[node] = place + 1 }
        node += node & -node
      }
    }

    var stays = [Bool](repeating: false, count: count + 1)
    while heaviest > 0 {
      stays[heaviest] = true
      heaviest = before[heaviest]
    }
    var moves: [RowPositions] = []
    for (place, run) in enumerated() where !stays[place + 1] {
      for row in 0..<run.count {
        moves.append(RowPositions(old: run.old + row, new: run.new + row))
      }
    }
    return moves
  }
}
