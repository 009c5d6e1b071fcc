/// Walks through two lists side by side and finds the runs they share, without hashing an id.
///
/// At a difference, it searches a short distance ahead for the next common row. Since ids are
/// unique, every row that it finds is correct; what it does not find is left to ``ListPairing``. So
/// the distance affects the speed only.
@usableFromInline
struct ListWalk {
  /// The runs found, in order.
  ///
  /// The last one ends both lists, and may be empty, so that every remaining row comes before a
  /// run.
  @usableFromInline var runs: [ListRun] = []
  /// The rows in the runs that have changed, in order.
  @usableFromInline var updates: [RowPositions] = []
  /// How many more rows may be compared in the search ahead: a shuffled list is not worth it.
  @usableFromInline var comparisonBudget: Int

  @inlinable
  init(_ rows: some ListRows) {
    comparisonBudget = 2 * (rows.oldCount + rows.newCount)
    let end = RowPositions(old: rows.oldCount, new: rows.newCount)
    var place = RowPositions(old: 0, new: 0)
    follow(rows, from: &place, to: end)
    let suffix = Self.suffix(rows, after: place)
    while place.old < suffix.old, place.new < suffix.new, comparisonBudget > 0 {
      if let match = lookAhead(rows, from: place, to: suffix) {
        place = match
        follow(rows, from: &place, to: suffix)
      } else {
        place = RowPositions(old: place.old + 1, new: place.new + 1)
      }
    }
    place = suffix
    follow(rows, from: &place, to: end)
    if place == suffix { runs.append(ListRun(old: place.old, new: place.new, count: 0)) }
  }

  /// Continues as long as the rows are the same.
  @inlinable
  mutating func follow(
    _ rows: some ListRows, from place: inout RowPositions, to end: RowPositions
  ) {
    let limit = min(end.old - place.old, end.new - place.new)
    var count = 0
    while count < limit, rows.areSame(place.old + count, place.new + count) {
      if !rows.areEqual(place.old + count, place.new + count) {
        updates.append(RowPositions(old: place.old + count, new: place.new + count))
      }
      count += 1
    }
    guard count > 0 else { return }
    runs.append(ListRun(old: place.old, new: place.new, count: count))
    place = RowPositions(old: place.old + count, new: place.new + count)
  }

  /// The position at which the common rows at the ends of both lists begin.
  @inlinable
  static func suffix(_ rows: some ListRows, after place: RowPositions) -> RowPositions {
    var (old, new) = (rows.oldCount, rows.newCount)
    while old > place.old, new > place.new, rows.areSame(old - 1, new - 1) {
      old -= 1
      new -= 1
    }
    return RowPositions(old: old, new: new)
  }

  /// Finds the next common row: nearby, whatever was skipped; at a distance, only if one list
  /// skipped rows.
  @inlinable
  mutating func lookAhead(
    _ rows: some ListRows, from place: RowPositions, to end: RowPositions
  ) -> RowPositions? {
    let (near, far) = (8, 256)
    for distance in 1...far {
      let (old, new) = (place.old + distance, place.new + distance)
      guard old < end.old || new < end.new, comparisonBudget > 0 else { return nil }
      let others = distance <= near ? distance : 0
      comparisonBudget -= 2 + 2 * others
      if old < end.old {
        for other in place.new...min(place.new + others, end.new - 1)
        where rows.areSame(old, other) {
          return RowPositions(old: old, new: other)
        }
      }
      if new < end.new {
        for other in place.old...min(place.old + others, end.old - 1)
        where rows.areSame(other, new) {
          return RowPositions(old: other, new: new)
        }
      }
    }
    return nil
  }
}
