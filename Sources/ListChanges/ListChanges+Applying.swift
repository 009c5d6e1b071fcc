extension ListChanges {
  /// Changes the old list into the new one.
  ///
  /// - Parameter rows: The old list; it must have as many rows as the one that was compared.
  @inlinable
  public func apply(to rows: inout [Element]) {
    if !isEmpty || rows.count != oldCount { rows = applied(to: rows) }
  }

  /// Returns the new list for the old one.
  ///
  /// - Parameter rows: The old list; it must have as many rows as the one that was compared.
  /// - Returns: The new list.
  @inlinable
  public func applied(to rows: some Collection<Element>) -> [Element] {
    let old = ContiguousArray(rows)
    precondition(
      old.count == oldCount,
      "the changes are for a list of \(oldCount) rows; this one has \(old.count)")
    var leaves = [Bool](repeating: false, count: old.count)
    for row in deletes { leaves[row] = true }
    for move in moves { leaves[move.old] = true }

    var result: [Element] = []
    let count = old.count - deletes.count + inserts.count
    result.reserveCapacity(count)
    var (insert, move, next) = (0, 0, 0)
    while result.count < count {
      if insert < inserts.count, inserts[insert] == result.count {
        result.append(inserted[insert])
        insert += 1
      } else if move < moves.count, moves[move].new == result.count {
        result.append(old[moves[move].old])
        move += 1
      } else {
        while leaves[next] { next += 1 }
        result.append(old[next])
        next += 1
      }
    }
    for (update, row) in zip(updates, updated) { result[update.new] = row }
    return result
  }
}

extension ListChanges: CustomStringConvertible {
  /// The changes in one line: `delete 1, 4; insert 0; move 5 → 2; update 3 → 4`.
  public var description: String {
    func part(_ verb: String, _ rows: [String]) -> String? {
      rows.isEmpty ? nil : "\(verb) \(rows.joined(separator: ", "))"
    }
    let parts = [
      part("delete", deletes.map(String.init)),
      part("insert", inserts.map(String.init)),
      part("move", moves.map { "\($0.old) → \($0.new)" }),
      part("update", updates.map { "\($0.old) → \($0.new)" }),
    ]
    return isEmpty ? "no changes" : parts.compactMap(\.self).joined(separator: "; ")
  }
}
