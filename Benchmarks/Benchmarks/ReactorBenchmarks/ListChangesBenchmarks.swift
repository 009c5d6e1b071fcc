import Benchmark
import ListChanges

/// 10 000 rows with 100 random edits, against the standard library's difference with moves.
func measureListChanges() {
  Comparison.compare(
    "list changes, 10000 rows and 100 edits", with: "CollectionDifference", atMost: nil, count: 1,
    { _ in
      let (old, new) = edited()
      return ContinuousClock().measure { blackHole(try? ListChanges(from: old, to: new)) }
    },
    { _ in
      let (old, new) = edited()
      return ContinuousClock().measure {
        blackHole(new.map(\.id).difference(from: old.map(\.id)).inferringMoves())
      }
    })
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
