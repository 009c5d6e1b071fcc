/// The snapshots of a journal in ascending order, with binary search.
package struct SnapshotList: Sendable {
  private var all: [JournalSnapshot] = []

  package init() {}

  /// Returns the newest snapshot at or before `sequence`.
  package func newest(through sequence: Int) -> JournalSnapshot? {
    let count = count(through: sequence)
    return count == 0 ? nil : all[count - 1]
  }

  /// Adds a snapshot, and replaces one with the same sequence number.
  package mutating func save(_ snapshot: JournalSnapshot) {
    let count = count(through: snapshot.sequence)
    if count > 0, all[count - 1].sequence == snapshot.sequence {
      all[count - 1] = snapshot
    } else {
      all.insert(snapshot, at: count)
    }
  }

  /// Deletes the snapshots up to `sequence`.
  package mutating func delete(through sequence: Int) {
    all.removeFirst(count(through: sequence))
  }

  private func count(through sequence: Int) -> Int {
    all.countOfFirst { $0.sequence <= sequence }
  }
}

extension Array {
  /// Returns how many elements at the start satisfy the predicate.
  ///
  /// All elements that satisfy it must come before all that do not.
  package func countOfFirst(where fits: (Element) -> Bool) -> Int {
    var (low, high) = (0, count)
    while low < high {
      let middle = (low + high) / 2
      if fits(self[middle]) { low = middle + 1 } else { high = middle }
    }
    return low
  }
}
