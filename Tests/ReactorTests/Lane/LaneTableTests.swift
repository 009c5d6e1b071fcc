import Testing
import TestLimits

@testable import Reactor

@Suite(.bounded) struct LaneTableTests {
  @Test func `of two cancels of a lane the later one counts, in whichever order they arrive`() {
    var table = LaneTable<Int>()
    table.cancelPending(in: LaneKey("a"), before: 7)
    table.cancelPending(in: LaneKey("a"), before: 5)
    let isCancelled = (table.isCancelled(LaneKey("a"), 6), table.isCancelled(LaneKey("a"), 7))
    #expect(isCancelled == (true, false))
  }
}
