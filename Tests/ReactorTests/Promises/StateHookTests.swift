import AsyncAlgorithms
import Reactor
import TestLimits
import TestSupport
import Testing

/// A hook over states that merges, reads ahead, or ends.
@Suite(.bounded) struct StateHookTests {
  @Test func `a state hook that merges an endless sequence ends with the reactor`() async {
    let (endless, ticks) = AsyncStream<[Int]>.makeStream()
    var reactor: StateHookedReactor? = StateHookedReactor { _, state in
      Erased(merge(state, endless))
    }
    var states = reactor?.state.makeAsyncIterator()
    #expect(await states?.next() == [])
    reactor = nil
    #expect(await states?.next() == nil)
    ticks.finish()
  }

  @Test func `a state hook that reads ahead delivers the last states`() async {
    for _ in 0..<100 {
      let reactor = StateHookedReactor { _, state in Erased(state.buffer(policy: .unbounded)) }
      var states = reactor.state.makeAsyncIterator()
      #expect(await states.next() == [])
      for number in 0..<20 { reactor.send(number) }
      reactor.stop()
      var last: [Int]?
      while let state = await states.next() { last = state }
      #expect(last == Array(0..<20))
    }
  }

  @Test func `a state hook that ends is bypassed without gap or repetition`() async {
    let reactor = StateHookedReactor { _, state in Erased(state.prefix(2)) }
    var states = reactor.state.makeAsyncIterator()
    for number in 0..<4 { await reactor.send(number).settled }
    reactor.stop()
    var counts: [Int] = []
    while let state = await states.next() { counts.append(state.count) }
    #expect(counts == Array(0...4).suffix(counts.count))
    #expect(counts.last == 4)
  }

}
