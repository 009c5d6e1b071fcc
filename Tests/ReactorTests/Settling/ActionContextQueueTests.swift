@testable import Reactor
import Testing
import TestLimits

/// The contexts of actions that wait to be performed.
@Suite(.bounded) struct ActionContextQueueTests {
  private func queue(of numbers: Range<UInt64>) -> ActionContextQueue {
    var queue = ActionContextQueue()
    for number in numbers { queue.append(.none, of: number) }
    return queue
  }

  @Test func `an action that a hook has made takes nobody's context`() {
    var queue = queue(of: 0..<3)
    #expect(queue.take(1 << 63 | 1) == nil)
    #expect(queue.take(0) != nil)
    #expect(queue.take(2) != nil)
  }

  @Test func `what has been taken is forgotten though the queue is never empty`() {
    var queue = queue(of: 0..<10)
    for number in 0..<100_000 as Range<UInt64> {
      queue.append(.none, of: number + 10)
      _ = queue.take(number)
    }
    #expect(queue.entries.count < 2000)
  }
}
