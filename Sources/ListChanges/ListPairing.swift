/// Pairs the rows that a walk has not paired, by hashing their ids, and collects the changes.
@usableFromInline
struct ListPairing {
  @usableFromInline var deletes: [Int] = []
  @usableFromInline var inserts: [Int] = []
  @usableFromInline var moves: [RowPositions] = []
  @usableFromInline var updates: [RowPositions]

  @usableFromInline let walk: ListWalk
  /// Whether every old id is stored, so that every duplicate is found: it takes longer than
  /// everything else.
  @usableFromInline let indexesAllRows: Bool
  /// By old position, whether the row is in the new list as well; unless all rows are indexed,
  /// without the rows of the walk.
  @usableFromInline var isPaired: [Bool] = []

  @inlinable
  init<Rows: ListRows>(_ rows: Rows) throws(DuplicateIdentifier) {
    walk = ListWalk(rows)
    updates = walk.updates
    indexesAllRows = rows.oldCount <= 1_000
    let walked = walk.runs.reduce(0) { $0 + $1.count }
    let leftOver = rows.oldCount + rows.newCount - 2 * walked
    guard leftOver > 0 || indexesAllRows else { return }

    // The position of an id: an old position, or a new position plus the old list's count.
    var places = [Rows.ID: Int](minimumCapacity: indexesAllRows ? leftOver + walked : leftOver)
    try indexOldRows(rows, &places)
    let runs = try pairNewRows(rows, &places)
    collectDeletes()
    if zip(runs, runs.dropFirst()).contains(where: { $0.old > $1.old }) {
      moves = runs.moves(oldCount: rows.oldCount)
    }
    if updates.count > walk.updates.count { updates.sort { $0.new < $1.new } }
  }

  @inlinable
  mutating func indexOldRows<Rows: ListRows>(
    _ rows: Rows, _ places: inout [Rows.ID: Int]
  ) throws(DuplicateIdentifier) {
    isPaired = [Bool](repeating: false, count: rows.oldCount)
    var start = 0
    for run in walk.runs {
      for row in start..<(indexesAllRows ? run.oldEnd : run.old) {
        isPaired[row] = row >= run.old
        if let other = places.updateValue(row, forKey: rows.oldID(row)) {
          throw DuplicateIdentifier(rows.oldID(row), in: .old, at: other, and: row)
        }
      }
      start = run.oldEnd
    }
  }

  /// - Returns: All runs, the walk's and those found here, by new position.
  @inlinable
  mutating func pairNewRows<Rows: ListRows>(
    _ rows: Rows, _ places: inout [Rows.ID: Int]
  ) throws(DuplicateIdentifier) -> [ListRun] {
    var runs: [ListRun] = []
    runs.reserveCapacity(walk.runs.count)
    var start = 0
    for run in walk.runs {
      for row in start..<run.new {
        guard let place = places.updateValue(rows.oldCount + row, forKey: rows.newID(row)) else {
          inserts.append(row)
          continue
        }
        guard place < rows.oldCount, !isPaired[place] else {
          let other = place < rows.oldCount ? newPosition(ofOld: place) : place - rows.oldCount
          throw DuplicateIdentifier(rows.newID(row), in: .new, at: other, and: row)
        }
        isPaired[place] = true
        runs.append(old: place, new: row)
        if !rows.areEqual(place, row) { updates.append(RowPositions(old: place, new: row)) }
      }
      runs.append(run)
      start = run.newEnd
    }
    return runs
  }

  @usableFromInline
  mutating func collectDeletes() {
    var start = 0
    for run in walk.runs {
      for row in start..<run.old where !isPaired[row] { deletes.append(row) }
      start = run.oldEnd
    }
  }

  /// Returns the new position of a row that the walk has found.
  @usableFromInline
  func newPosition(ofOld row: Int) -> Int {
    for run in walk.runs where run.old <= row && row < run.oldEnd { return run.new + row - run.old }
    preconditionFailure("row \(row) is in no run")
  }
}
