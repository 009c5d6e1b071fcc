import Testing
import TestLimits

@testable import Reactor

/// The plain value that decides who gets which state when.
@Suite(.bounded) struct StateFanOutTests {
  private typealias Cursor = StateCursor<Int>

  /// What a step says, as words.
  private func words(_ step: StateFanOut<Int>.Step) -> String {
    switch step {
    case .deliver(let state, _): "\(state)"
    case .askOwner: "ask"
    case .wait: "wait"
    case .end: "end"
    }
  }

  @Test func `with nobody there, no node is made`() {
    var fanOut = StateFanOut<Int>()
    #expect(!fanOut.isWatched)
    _ = fanOut.publish(1, version: 1)
    #expect(fanOut.tail == nil)
  }

  @Test func `an observer asks once for its first state, then waits`() {
    var fanOut = StateFanOut<Int>()
    let cursor = Cursor(wantsNewestOnly: false)
    fanOut.register(cursor)
    #expect(fanOut.isWatched)
    #expect(words(fanOut.step(cursor)) == "ask")
    #expect(words(fanOut.step(cursor)) == "wait")
    fanOut.attachPending(to: 5, version: 3)
    #expect(words(fanOut.step(cursor)) == "5")
    #expect(words(fanOut.step(cursor)) == "wait")
  }

  @Test func `published states come once, in order`() {
    var fanOut = StateFanOut<Int>()
    let cursor = Cursor(wantsNewestOnly: false)
    fanOut.register(cursor)
    fanOut.attachPending(to: 0, version: 0)
    for state in 1...3 { _ = fanOut.publish(state, version: UInt64(state)) }
    let steps = (0...4).map { _ in words(fanOut.step(cursor)) }
    #expect(steps == ["0", "1", "2", "3", "wait"])
  }

  @Test func `an observer not yet attached begins with the state published`() {
    var fanOut = StateFanOut<Int>()
    let cursor = Cursor(wantsNewestOnly: false)
    fanOut.register(cursor)
    _ = fanOut.publish(1, version: 1)
    #expect(words(fanOut.step(cursor)) == "1")
    #expect(words(fanOut.step(cursor)) == "wait")
  }

  @Test func `a late observer begins at the newest state, not where another stands`() {
    var fanOut = StateFanOut<Int>()
    let (early, late) = (Cursor(wantsNewestOnly: false), Cursor(wantsNewestOnly: false))
    fanOut.register(early)
    fanOut.attachPending(to: 0, version: 0)
    for state in 1...2 { _ = fanOut.publish(state, version: UInt64(state)) }
    fanOut.register(late)
    #expect(words(fanOut.step(late)) == "2")
    #expect(words(fanOut.step(early)) == "0")
  }

  @Test func `the last one to leave takes the nodes along`() {
    var fanOut = StateFanOut<Int>()
    let cursors = (0..<3).map { _ in Cursor(wantsNewestOnly: false) }
    for cursor in cursors { fanOut.register(cursor) }
    fanOut.attachPending(to: 0, version: 0)
    for cursor in cursors {
      #expect(fanOut.tail != nil)
      _ = fanOut.leave(cursor)
    }
    #expect(fanOut.tail == nil)
    #expect(!fanOut.isWatched)
    #expect(words(fanOut.step(cursors[0])) == "end")
  }

  @Test func `leaving twice counts once`() {
    var fanOut = StateFanOut<Int>()
    let (leaving, staying) = (Cursor(wantsNewestOnly: false), Cursor(wantsNewestOnly: false))
    fanOut.register(leaving)
    fanOut.register(staying)
    fanOut.attachPending(to: 0, version: 0)
    _ = fanOut.leave(leaving)
    _ = fanOut.leave(leaving)
    #expect(fanOut.followers == 1)
  }

  @Test func `leaving from the midst of the pending keeps the others (swap removal)`() {
    var fanOut = StateFanOut<Int>()
    let cursors = (0..<4).map { _ in Cursor(wantsNewestOnly: false) }
    for cursor in cursors { fanOut.register(cursor) }
    _ = fanOut.leave(cursors[1])
    _ = fanOut.leave(cursors[3])
    fanOut.attachPending(to: 9, version: 0)
    #expect(words(fanOut.step(cursors[0])) == "9")
    #expect(words(fanOut.step(cursors[2])) == "9")
    #expect(words(fanOut.step(cursors[1])) == "end")
    #expect(fanOut.followers == 2)
  }

  @Test func `an observer of the newest asks each time, and skips`() {
    var fanOut = StateFanOut<Int>()
    let cursor = Cursor(wantsNewestOnly: true)
    fanOut.register(cursor)
    #expect(!fanOut.isWatched)
    #expect(words(fanOut.step(cursor)) == "ask")
    fanOut.answer(cursor, with: 4, version: 4)
    #expect(words(fanOut.step(cursor)) == "4")
    #expect(words(fanOut.step(cursor)) == "ask")
    fanOut.answer(cursor, with: 4, version: 4)
    #expect(words(fanOut.step(cursor)) == "wait")
    #expect(fanOut.isWatched)
    _ = fanOut.publish(5, version: 5)
    #expect(words(fanOut.step(cursor)) == "5")
    #expect(fanOut.tail == nil)
  }

  @Test func `after the end, an observer sees what it has yet to see, then the end`() {
    var fanOut = StateFanOut<Int>()
    let cursor = Cursor(wantsNewestOnly: false)
    fanOut.register(cursor)
    fanOut.attachPending(to: 0, version: 0)
    _ = fanOut.publish(1, version: 1)
    _ = fanOut.finish(with: nil, version: 0)
    _ = fanOut.publish(2, version: 2)
    let steps = (0...3).map { _ in words(fanOut.step(cursor)) }
    #expect(steps == ["0", "1", "end", "end"])
  }

  @Test func `where the latest is kept, late observers need no owner`() {
    var fanOut = StateFanOut<Int>()
    fanOut.keepsLatest = true
    _ = fanOut.publish(1, version: 1)
    _ = fanOut.publish(2, version: 2)
    let (every, newest) = (Cursor(wantsNewestOnly: false), Cursor(wantsNewestOnly: true))
    fanOut.register(every)
    fanOut.register(newest)
    #expect(words(fanOut.step(every)) == "2")
    #expect(words(fanOut.step(newest)) == "2")
    _ = fanOut.leave(every)
    #expect(fanOut.tail?.state == 2)
    _ = fanOut.finish(with: nil, version: 0)
    #expect(words(fanOut.step(newest)) == "ask")
    #expect(words(fanOut.step(newest)) == "end")
  }
}
