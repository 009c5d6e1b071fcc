import ListChanges

/// 10 000 rows with 100 random edits.
package enum ListWorkloads {
  package static let changes: Workload = { _ in
    let (old, new) = edited()
    let watch = Stopwatch()
    let changes = try? ListChanges(from: old, to: new)
    let reading = watch.reading
    check(changes == nil, is: false)
    return reading
  }

  /// The standard library's difference, with moves.
  package static let difference: Workload = { _ in
    let (old, new) = edited()
    let watch = Stopwatch()
    let difference = new.map(\.id).difference(from: old.map(\.id)).inferringMoves()
    let reading = watch.reading
    check(difference.isEmpty, is: false)
    return reading
  }
}

private struct Row: Identifiable, Equatable {
  let id: Int
  var title: String
}

private func edited() -> (old: [Row], new: [Row]) {
  let old = (0..<10_000).map { Row(id: $0, title: "Row \($0)") }
  var new = old
  for edit in 0..<25 {
    new.remove(at: .random(in: new.indices))
    new.insert(Row(id: 10_000 + edit, title: "New"), at: .random(in: new.indices))
    new.insert(new.remove(at: .random(in: new.indices)), at: .random(in: new.indices))
    new[.random(in: new.indices)].title = "Changed"
  }
  return (old, new)
}
