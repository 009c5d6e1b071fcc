import TestLimits
import TestSupport
import Testing

@testable import Reactor

@Suite(.bounded) struct SettlingTableTests {
  @Test func `the last piece to end is the last`() {
    let table = Table()
    table.begin(7, nil)
    table.begin(7, nil)
    #expect(!table.end(7, nil))
    #expect(table.contains(7))
    #expect(table.end(7, nil))
    #expect(!table.contains(7))
    #expect(!table.end(7, nil))
    #expect(table.isEmpty)
  }

  @Test func `several pieces can be cancelled, until each has ended`() {
    let table = Table()
    let pieces = [Piece(), Piece(), Piece()]
    for piece in pieces { table.begin(1, piece) }
    #expect(table.works(of: 1) == pieces)
    #expect(!table.end(1, pieces[0]))
    #expect(table.works(of: 1) == Array(pieces[1...]))
    #expect(!table.end(1, pieces[2]))
    #expect(table.works() == [pieces[1]])
    #expect(table.end(1, pieces[1]))
    #expect(table.works().isEmpty)
  }

  @Test func `twins stay until the action has ended, and are not its successor's`() {
    let table = Table()
    let piece = Piece()
    table.begin(1, piece)
    table.begin(1, nil)
    table.add(5, to: 1)
    table.add(6, to: 1)
    table.add(6, to: 2)
    #expect(!table.end(1, piece))
    #expect(table.twins(of: 1) == [5, 6])
    #expect(table.end(1, nil))
    table.begin(1, nil)
    #expect(table.twins(of: 1).isEmpty)
    #expect(table.twins(of: 2).isEmpty)
  }

  @Test func `what goes on without the reactor is work, what waits for it, and the children`() {
    let table = Table()
    let piece = Piece()
    table.begin(1, piece)
    table.begin(1, nil)
    table.begin(2, nil)
    table.add(7, to: 2)
    table.begin(3, nil)
    for _ in 0..<2 { table.begin(.max, nil) }
    let running = Table(table.base.running(sparing: .max) { $0 == 7 })
    #expect(running.base.numbers.sorted() == [1, 2, .max])
    // What has gone is told of once more.
    #expect(!running.end(1, nil))
    #expect(running.end(1, piece))
    #expect(running.end(2, nil))
    #expect(!running.end(.max, nil))
    #expect(running.end(.max, nil))
    #expect(running.isEmpty)
  }

  @Test func `what has ended is let go`() {
    let table = Table()
    weak var ended: Piece?
    do {
      let piece = Piece()
      ended = piece
      for number in 0..<10 as Range<UInt64> { table.begin(number, number == 3 ? piece : nil) }
      #expect(table.end(3, piece))
    }
    #expect(ended == nil)
  }

  @Test func `a burst gives its memory back`() {
    let table = Table()
    for number in 0..<10_000 as Range<UInt64> { table.begin(number, nil) }
    #expect(table.count == 10_000)
    for number in 0..<10_000 as Range<UInt64> { #expect(table.end(number, nil)) }
    #expect(table.base.places.isEmpty)
  }

  /// Numbers as the pipeline gives them: one after the other, some of them from a hook; and as they
  /// are not, to meet in the same places.
  @Test(arguments: TestCounts.seeds(upTo: 200))
  func `it holds what a dictionary would`(_ seed: UInt64) {
    var random = SplitMix64(seed: seed)
    let table = Table()
    var model: [UInt64: Int] = [:]
    var next: UInt64 = 0
    for _ in 0..<500 {
      let known = model.keys.sorted().randomElement(using: &random)
      if let known, Int.random(in: 0..<5, using: &random) < 2 {
        let left = (model[known] ?? 0) - 1
        model[known] = left == 0 ? nil : left
        #expect(table.end(known, nil) == (left == 0))
      } else {
        next += 1
        let number =
          switch Int.random(in: 0..<5, using: &random) {
          case 0: next | 1 << 63
          case 1: next << 40
          case 2: known ?? next
          default: next
          }
        model[number, default: 0] += 1
        table.begin(number, nil)
      }
      #expect(table.count == model.count)
    }
    for (number, pieces) in model {
      for rest in (0..<pieces).reversed() { #expect(table.end(number, nil) == (rest == 0)) }
    }
    #expect(table.isEmpty)
  }
}

private final class Piece: Sendable, Equatable, Identifiable {
  static func == (one: Piece, other: Piece) -> Bool { one === other }
}

/// A handle that `#expect` can call what changes it on.
private final class Table {
  private(set) var base: SettlingTable<Piece>

  init(_ base: SettlingTable<Piece> = SettlingTable()) { self.base = base }

  func begin(_ number: UInt64, _ piece: Piece?) { base.begin(number, piece) }
  func end(_ number: UInt64, _ piece: Piece?) -> Bool { base.end(number, piece).isLast }
  func add(_ twin: UInt64, to number: UInt64) { base.add(twin, to: number) }
  func contains(_ number: UInt64) -> Bool { base.contains(number) }
  func works(of number: UInt64) -> [Piece] { Array(base.works(of: number)) }
  func works() -> [Piece] { base.works() }
  func twins(of number: UInt64) -> [UInt64] { base.twins(of: number) }
  var count: Int { Int(base.count) }
  var isEmpty: Bool { base.isEmpty }
}
