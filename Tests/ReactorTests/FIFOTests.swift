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

  @Test func `elements are removed in the order in which they were appended`() {
    var queue = queue(of: 0..<3)
    #expect(queue.first == 0)
    #expect([queue.popFirst(), queue.popFirst()] == [0, 1])
    queue.append(3)
    #expect(Array(queue.all) == [2, 3])
    #expect([queue.popFirst(), queue.popFirst(), queue.popFirst()] == [2, 3, nil])
    #expect(queue.isEmpty && queue.first == nil)
  }

  @Test func `an element that has been removed is not retained`() {
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

  @Test func `a queue that is never empty does not grow`() {
    var queue = queue(of: 0..<10)
    for number in 0..<100_000 {
      queue.append(number + 10)
      #expect(queue.popFirst() == number)
    }
    #expect(queue.incoming.capacity + queue.outgoing.capacity < 2000)
  }

  @Test func `each element is reversed once`() {
    var queue = queue(of: 0..<1000)
    var reversed = 0
    for number in 0..<100_000 {
      if queue.outgoing.isEmpty { reversed += queue.incoming.count }
      #expect(queue.popFirst() == number)
      queue.append(number + 1000)
    }
    #expect(reversed <= 101_000)
  }

  @Test func `the newest can be removed also after removal from the front began`() {
    var queue = queue(of: 0..<5)
    #expect(queue.popFirst() == 0)
    queue.append(5)
    #expect(queue.removeLast(3) == [3, 4, 5])
    #expect(queue.all == [1, 2])
  }

  @Test(arguments: [(0, false), (1024, true)])
  func `an empty queue keeps its memory where that is requested`(room: Int, keepsMemory: Bool) {
    var queue = queue(of: 0..<100)
    while queue.popFirst(keepingCapacityFor: room) != nil {}
    #expect((queue.outgoing.capacity >= 100) == keepsMemory)
  }

  @Test func `any element can be removed`() {
    var queue = queue(of: 0..<5)
    _ = queue.popFirst()
    #expect([queue[0], queue[3]] == [1, 4])
    queue.retain { $0 % 2 == 0 }
    #expect(queue.removeAll() == [2, 4])
    #expect(queue.isEmpty)
  }

  @Test(arguments: [[0, 1, 2], [2, 1, 0], [1, 2, 0]])
  func `an element that was removed is put back in its place`(order: [Int]) {
    var queue = FIFO<Numbered<String>>()
    for number in 0..<6 { queue.append(Numbered(UInt64(number), "\(number)")) }
    let taken = queue.removeFirst(4)
    for index in order { queue.putBack(taken[index]) }
    #expect(queue.all.map(\.element) == ["0", "1", "2", "4", "5"])
  }

  @Test func `an element is put back between others of both arrays`() {
    var queue = FIFO<Numbered<String>>()
    for number in 0..<3 { queue.append(Numbered(UInt64(number), "\(number)")) }
    _ = queue.popFirst()
    for number in [3, 4, 6] { queue.append(Numbered(UInt64(number), "\(number)")) }
    queue.putBack(Numbered(5, "5"))
    #expect(queue.all.map(\.element) == ["1", "2", "3", "4", "5", "6"])
  }

  @Test func `a newest element that is put back moves no other`() {
    var queue = FIFO<Numbered<String>>()
    for number in 0..<10 { queue.append(Numbered(UInt64(number), "\(number)")) }
    _ = queue.popFirst()
    for number in 10..<20 { queue.putBack(Numbered(UInt64(number), "\(number)")) }
    #expect(queue.outgoing.count == 9 && queue.incoming.count == 10)
    #expect(queue.removeLast(12).map(\.number) == Array(8..<20))
    #expect(queue.all.map(\.number) == Array(1..<8))
  }

  @Test func `elements are put back also where none is left`() {
    var queue = FIFO<Numbered<String>>()
    queue.append(Numbered(7, "seven"))
    let taken = queue.removeFirst(1)
    queue.putBack(taken[0])
    #expect(queue.all.map(\.element) == ["seven"])
  }

  @Test func `any number of elements can be removed from either end`() {
    var queue = queue(of: 0..<6)
    #expect(queue.removeFirst(2) == [0, 1])
    #expect(queue.removeLast(1) == [5])
    #expect(queue.removeFirst(-1) == [] && queue.removeLast(-1) == [])
    #expect(Array(queue.all) == [2, 3, 4])
  }
}
