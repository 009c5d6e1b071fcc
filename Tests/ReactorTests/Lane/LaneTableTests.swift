import Testing
import TestLimits

@testable import Reactor

@Suite(.bounded) struct LaneTableTests {
  @Test func `of two cancels of a lane the later one counts, in whichever order they arrive`() {
    var book = LaneTable<Int>()
    book.cut(LaneKey("a"), before: 7)
    book.cut(LaneKey("a"), before: 5)
    let isCut = (book.isCut(LaneKey("a"), 6), book.isCut(LaneKey("a"), 7))
    #expect(isCut == (true, false))
  }
}
