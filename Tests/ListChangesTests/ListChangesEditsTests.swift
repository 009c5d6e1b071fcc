import ListChanges
import TestLimits
import Testing

/// Random edits, the same ones in every run.
@Suite(.bounded) struct ListChangesEditsTests {
  private typealias Row = ListChangesTests.Row

  @Test func `small lists: right, in order, and moves as few as can be`() throws {
    var chance = SplitMix64(seed: 1)
    for round in 0..<3_000 {
      let old = Self.list(.random(in: 0...12, using: &chance))
      let new = Self.edited(old, times: .random(in: 0...8, using: &chance), &chance)
      try Self.check(old, new, "round \(round)")
    }
  }

  @Test func `longer lists: right, in order, and moves as few as can be`() throws {
    var chance = SplitMix64(seed: 2)
    for round in 0..<60 {
      let old = Self.list(.random(in: 50...300, using: &chance))
      let new = Self.edited(old, times: .random(in: 0...60, using: &chance), &chance)
      try Self.check(old, new, "round \(round)")
    }
  }

  @Test func `lists too long to compare every id: right, in order, fewest moves`()
    throws
  {
    var chance = SplitMix64(seed: 3)
    for round in 0..<4 {
      let old = Self.list(1_200)
      try Self.check(old, Self.edited(old, times: 30, &chance), "round \(round)")
    }
  }

  @Test func `shuffled lists: right, in order, and moves as few as can be`() throws {
    var chance = SplitMix64(seed: 4)
    for round in 0..<300 {
      let old = Self.list(.random(in: 0...40, using: &chance))
      try Self.check(old, old.shuffled(using: &chance), "round \(round)")
    }
  }

  // MARK: What is right

  private static func check(_ old: [Row], _ new: [Row], _ round: Comment) throws {
    let changes = try ListChanges(from: old, to: new)
    #expect(changes.applied(to: old) == new, round)
    let (olds, news) = (places(old), places(new))
    #expect(changes.deletes == old.indices.filter { news[old[$0].id] == nil }, round)
    #expect(changes.inserts == new.indices.filter { olds[new[$0].id] == nil }, round)
    let kept = new.indices.compactMap { place in
      olds[new[place].id].map { RowPositions(old: $0, new: place) }
    }
    #expect(changes.updates == kept.filter { old[$0.old] != new[$0.new] }, round)
    #expect(changes.moves == kept.filter(Set(changes.moves).contains), round)
    #expect(kept.count - changes.moves.count == longestInOrder(kept.map(\.old)), round)
  }

  private static func places(_ rows: [Row]) -> [Int: Int] {
    Dictionary(uniqueKeysWithValues: zip(rows.map(\.id), rows.indices))
  }

  /// How many numbers are in order at most, found by trying each as the last one.
  private static func longestInOrder(_ numbers: [Int]) -> Int {
    var lengths: [Int] = []
    lengths.reserveCapacity(numbers.count)
    for (place, number) in numbers.enumerated() {
      var longest = 0
      for other in 0..<place where numbers[other] < number {
        longest = max(longest, lengths[other])
      }
      lengths.append(longest + 1)
    }
    return lengths.max() ?? 0
  }

  // MARK: Edits

  private static func list(_ count: Int) -> [Row] { (0..<count).map { Row(id: $0) } }

  private static func edited(_ rows: [Row], times: Int, _ chance: inout SplitMix64) -> [Row] {
    var rows = rows
    for edit in 0..<times {
      let place = Int.random(in: 0...rows.count, using: &chance)
      let length = Int.random(in: 0..<8, using: &chance) == 0 ? 5 : 1
      let block = place..<min(place + length, rows.count)
      switch Int.random(in: 0..<5, using: &chance) {
      case 0:
        let new = (0..<length).map { Row(id: 1_000_000 + edit * 10 + $0) }
        rows.insert(contentsOf: new, at: place)
      case 1:
        rows.removeSubrange(block)
      case 2:
        let taken = Array(rows[block])
        rows.removeSubrange(block)
        rows.insert(contentsOf: taken, at: .random(in: 0...rows.count, using: &chance))
      case 3:
        rows[block].reverse()
      default:
        for row in block { rows[row].text += "!" }
      }
    }
    return rows
  }
}
