import ReactorMachines
import TestLimits
import Testing

@Suite(.bounded) struct NumberQueueTests {
  private func queue(_ numbers: some Sequence<UInt64>) -> Line {
    let queue = Line()
    for number in numbers { queue.append(number) }
    return queue
  }

  @Test func `an empty queue has no members`() {
    let queue = Line()
    #expect(queue.isEmpty)
    #expect(queue.count == 0)
    #expect(queue.all == [])
    #expect(queue.popFirst() == nil)
    #expect(!queue.remove(1))
  }

  @Test func `first in, first out`() {
    let queue = queue(1...3)
    #expect(
      [queue.popFirst(), queue.popFirst(), queue.popFirst(), queue.popFirst()] == [1, 2, 3, nil])
  }

  @Test(arguments: [3, 17, 100] as [UInt64])
  func `any number may be removed, and the others keep their order`(_ count: UInt64) {
    let queue = queue(1...count)
    #expect(queue.remove(2))
    #expect(!queue.contains(2))
    #expect(queue.all == (1...count).filter { $0 != 2 })
    #expect(queue.popFirst() == 1)
    #expect(queue.popFirst() == 3)
    #expect(queue.count == Int(count) - 3)
  }

  @Test(arguments: [3, 17, 100] as [UInt64])
  func `no number is removed twice`(_ count: UInt64) {
    let queue = queue(1...count)
    #expect(queue.remove(1))
    #expect(!queue.remove(1))
    #expect(queue.popFirst() == 2)
    #expect(!queue.remove(2))
  }

  @Test func `a number may be higher than those behind it`() {
    let high: UInt64 = 1 << 63
    let queue = queue([high + 1, 5, high + 2])
    #expect(queue.remove(5))
    #expect(queue.all == [high + 1, high + 2])
  }

  @Test func `many that are removed from the end leave nothing`() {
    let queue = queue(0..<1000)
    for number in (0..<1000 as Range<UInt64>).reversed() { #expect(queue.remove(number)) }
    #expect(queue.isEmpty)
    #expect(queue.popFirst() == nil)
    queue.append(7)
    #expect(queue.all == [7])
  }

  @Test func `it behaves as an array does, with any operations`() {
    for seed in 0..<200 as Range<UInt64> {
      var random = SplitMix64(seed: seed)
      let queue = Line()
      var model: [UInt64] = []
      var next: UInt64 = 0
      // The length wanders, so that the queue goes from few to many and back.
      for _ in 0..<400 {
        switch random.below(model.count < 40 ? 3 : 4) {
        case 0, 1:
          queue.append(next)
          model.append(next)
          next += 1
        case 2:
          guard let chosen = model.randomElement(using: &random) else { continue }
          #expect(queue.remove(chosen))
          model.removeAll { $0 == chosen }
        default:
          #expect(queue.popFirst() == (model.isEmpty ? nil : model.removeFirst()))
        }
        #expect(queue.count == model.count, "seed \(seed)")
        #expect(queue.isEmpty == model.isEmpty, "seed \(seed)")
      }
      #expect(queue.all == model, "seed \(seed)")
    }
  }
}

/// A copyable handle, which `#expect` needs.
private final class Line {
  private var base = NumberQueue()

  var count: Int { base.count }
  var isEmpty: Bool { base.isEmpty }
  var all: [UInt64] { base.all }
  func contains(_ number: UInt64) -> Bool { base.contains(number) }
  func append(_ number: UInt64) { base.append(number) }
  func popFirst() -> UInt64? { base.popFirst() }
  func remove(_ number: UInt64) -> Bool { base.remove(number) }
}
