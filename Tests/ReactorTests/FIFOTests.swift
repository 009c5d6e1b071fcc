import Testing
import TestLimits

@testable import ReactorRuntime

/// The queue that observers, hooks, groups and waiting senders have in common.
@Suite(.bounded) struct FIFOTests {
  private func queue(of numbers: Range<Int>) -> FIFO<Int> {
    var queue = FIFO<Int>()
    for number in numbers { queue.append(number) }
    return queue
  }

  @Test func `who came first goes first`() {
    var queue = queue(of: 0..<3)
    #expect(queue.first == 0)
    #expect([queue.popFirst(), queue.popFirst()] == [0, 1])
    queue.append(3)
    #expect(Array(queue.all) == [2, 3])
    #expect([queue.popFirst(), queue.popFirst(), queue.popFirst()] == [2, 3, nil])
    #expect(queue.isEmpty && queue.first == nil)
  }

  @Test func `what has been taken out is not kept`() {
    final class Thing: Sendable {}
    var queue = FIFO<Thing>()
    weak var thing: Thing?
    do {
      let made = Thing()
      thing = made
      queue.append(made)
    }
    queue.append(Thing())
    #expect(thing != nil)
    _ = queue.popFirst()
    #expect(thing == nil)
    #expect(queue.count == 1)
  }

  @Test func `one that is never empty does not grow`() {
    var queue = queue(of: 0..<10)
    for number in 0..<100_000 {
      queue.append(number + 10)
      #expect(queue.popFirst() == number)
    }
    #expect(queue.places.count < 2000)
  }

  @Test func `a long one moves up seldom`() {
    var queue = queue(of: 0..<100_000)
    var moves = 0
    for number in 0..<100_000 {
      let before = queue.head
      #expect(queue.popFirst() == number)
      if queue.head < before { moves += 1 }
    }
    #expect(moves < 20)
  }

  @Test(arguments: [(0, false), (1024, true)])
  func `an empty one keeps its memory where that is said`(room: Int, keepsMemory: Bool) {
    var queue = queue(of: 0..<100)
    while queue.popFirst(keepingRoomFor: room) != nil {}
    #expect((queue.places.capacity >= 100) == keepsMemory)
  }

  @Test func `any of them may leave`() {
    var queue = queue(of: 0..<5)
    _ = queue.popFirst()
    #expect([queue[0], queue[3]] == [1, 4])
    queue.keep { $0 % 2 == 0 }
    #expect(queue.removeAll() == [2, 4])
    #expect(queue.isEmpty)
  }

  @Test(arguments: [[0, 1, 2], [2, 1, 0], [1, 2, 0]])
  func `what was taken out goes back to its place`(order: [Int]) {
    var queue = FIFO<Numbered<String>>()
    for number in 0..<6 { queue.append(Numbered(UInt64(number), "\(number)")) }
    let taken = queue.removeFirst(4)
    for index in order { queue.putBack(taken[index]) }
    #expect(queue.all.map(\.element) == ["0", "1", "2", "4", "5"])
  }

  @Test func `so it does where nothing is left`() {
    var queue = FIFO<Numbered<String>>()
    queue.append(Numbered(7, "seven"))
    let taken = queue.removeFirst(1)
    queue.putBack(taken[0])
    #expect(queue.all.map(\.element) == ["seven"])
  }

  @Test func `so many go from either end`() {
    var queue = queue(of: 0..<6)
    #expect(queue.removeFirst(2) == [0, 1])
    #expect(queue.removeLast(1) == [5])
    #expect(queue.removeFirst(-1) == [] && queue.removeLast(-1) == [])
    #expect(Array(queue.all) == [2, 3, 4])
  }
}
