import TestLimits
import Testing

@Suite(.bounded) struct SlowdownTests {
  private var slowdown = Slowdown()

  @Test mutating func `an idle machine slows nothing down`() {
    #expect(slowdown.next(["1": (100, 0), "2": (300, 0)]) == 1)
  }

  @Test mutating func `threads that wait as long as they run take twice as long`() {
    #expect(slowdown.next(["1": (100, 0), "2": (300, 400)]) == 2)
  }

  @Test mutating func `what was counted before the last call does not count again`() {
    _ = slowdown.next(["1": (100, 900)])
    #expect(slowdown.next(["1": (200, 900)]) == 1)
  }

  @Test mutating func `a process that does not run is not slowed down`() {
    _ = slowdown.next(["1": (100, 900)])
    #expect(slowdown.next(["1": (100, 900)]) == 1)
  }

  @Test mutating func `a new thread with the number of an earlier one counts nothing negative`() {
    _ = slowdown.next(["1": (100, 900)])
    #expect(slowdown.next(["1": (10, 10)]) == 1)
  }

  @Test mutating func `a stalled machine is not believed without bound`() {
    #expect(slowdown.next(["1": (1, 1_000_000)]) == Slowdown.most)
  }
}
