import ReactorMachines
import ReactorRuntime
import TestLimits
import TestSupport
import Testing

@testable import Reactor

/// What `buffering(.last(…))` leaves out is reported once, and counted right.
@Suite(.bounded) struct SkippedStatesTests {
  private let skips = Log<Int>()

  private func last(_ count: Int) -> StateBuffering {
    .last(count) { [skips] in skips.append($0) }
  }

  @Test func `dropped states are reported once, not again at the end`() async {
    let reactor = ScriptedReactor()
    var states = reactor.state.buffering(last(1)).makeAsyncIterator()
    #expect(await states.next() == [])
    for action in 1...3 { await reactor.send(action).settled }
    #expect(await states.next() == [1, 2, 3])
    await reactor.stop().settled
    #expect(await states.next() == nil)
    #expect(skips.entries == [2])
  }

  @Test func `dropped states are reported once, not again when the observer is cancelled`() async {
    let reactor = ScriptedReactor()
    let seen = Log<[Int]>()
    let buffering = last(1)
    let observer = Task {
      for await state in reactor.state.buffering(buffering) {
        if seen.count == 0 { for action in 1...3 { await reactor.send(action).settled } }
        seen.append(state)
      }
    }
    _ = await seen.entries(upTo: 2)
    observer.cancel()
    await observer.value
    #expect(skips.entries == [2])
  }

  @Test func `behind a hook, the first state is not counted as dropped`() async {
    let reactor = StateHookedReactor(hook: StateHookedReactor.passing)
    // The place is taken before the hook has shown anything.
    var states = reactor.state.buffering(last(1)).makeAsyncIterator()
    #expect(await states.next() == [])
    #expect(skips.entries == [])
  }

  @Test func `an iterator made before the first state counts that state once`() {
    let states = Broadcast<Int>(hasValues: true)
    let observer = states.subscribe(.last(2))
    for state in 1...4 { states.publish(state, number: UInt64(state)) }
    var (seen, skipped): ([Int], [Int]) = ([], [])
    while case .deliver(let state, let count) = states.step(observer) {
      seen.append(state.element)
      skipped.append(count)
    }
    #expect(seen == [3, 4])
    #expect(skipped == [2, 0])
  }

  @Test func `delivered and dropped states are all that was published, at any limit`() {
    for limit in 1...5 {
      for stops in 0..<(1 << 8) {
        let states = Broadcast<Int>(hasValues: true)
        let observer = states.subscribe(.last(limit))
        var (seen, skipped): ([Int], Int) = ([], 0)
        func look() {
          guard case .deliver(let state, let count) = states.step(observer) else { return }
          seen.append(state.element)
          skipped += count
        }
        for state in 1...8 {
          states.publish(state, number: UInt64(state))
          if stops & (1 << (state - 1)) != 0 { look() }
        }
        states.finish()
        for _ in 0..<8 { look() }
        #expect(seen == seen.sorted() && Set(seen).count == seen.count && seen.last == 8)
        #expect(seen.count + skipped == 8, "limit \(limit), stops \(stops), seen \(seen)")
      }
    }
  }

  @Test(arguments: [1, 2, 7, 50])
  func `nothing is lost and nothing is repeated while the reactor runs`(_ limit: Int) async {
    let reactor = ScriptedReactor()
    await expectExact(reactor.state, limit) {
      for action in 0..<500 { reactor.send(action) }
      await reactor.stop().settled
    }
  }

  @Test(arguments: [1, 2, 7, 50])
  func `nothing is lost and nothing is repeated behind a hook`(_ limit: Int) async {
    let reactor = StateHookedReactor(hook: StateHookedReactor.passing)
    await expectExact(reactor.state, limit) {
      for action in 0..<500 { reactor.send(action) }
      await reactor.stop().settled
    }
  }

  /// Ten observers, some slower than others, of five hundred states after the first.
  private func expectExact(
    _ states: StateStream<[Int]>, _ limit: Int, while act: () async -> Void
  ) async {
    await withTaskGroup(of: Int.self) { group in
      for number in 0..<10 {
        let skips = Log<Int>()
        var states = states.buffering(.last(limit) { skips.append($0) }).makeAsyncIterator()
        // Behind a hook, an observer with a limit counts from the state that it asked for first.
        #expect(await states.next() == [])
        group.addTask {
          var seen = [0]
          while let state = await states.next() {
            let skipped = skips.entries.reduce(0, +)
            #expect(state.count == seen.count + skipped)
            seen.append(state.count)
            for _ in 0..<number { await Task.yield() }
          }
          #expect(seen.last == 500)
          return seen.count + skips.entries.reduce(0, +)
        }
      }
      await act()
      for await count in group { #expect(count == 501) }
    }
  }
}
