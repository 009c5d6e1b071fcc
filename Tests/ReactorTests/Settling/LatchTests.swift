import ReactorRuntime
import TestLimits
import TestSupport
import Testing

@testable import Reactor

@Suite(.bounded) struct LatchTests {
  @Test func `an open latch does not suspend its waiters`() async {
    let latch = Latch()
    latch.open()
    latch.open()
    await latch.wait()
    await latch.wait()
  }

  @Test func `a waiter resumes when the latch opens`() async {
    let latch = Latch()
    let order = Log<String>()
    let waiter = Task {
      await latch.wait()
      order.append("through")
    }
    order.append("open")
    latch.open()
    await waiter.value
    #expect(order.entries == ["open", "through"])
  }

  @Test func `a cancelled waiter resumes`() async {
    let latch = Latch()
    let waiter = Task { await latch.wait() }
    waiter.cancel()
    await waiter.value
  }
}
