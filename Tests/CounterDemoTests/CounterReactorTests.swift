import Reactor
import TestLimits
import TestSupport
import Testing

@testable import CounterDemo

@Suite(.bounded) struct CounterReactorTests {
  private let counter: HeldCounter

  init() async throws { counter = try await HeldCounter() }

  @Test func `it begins at 0, with no change under way and no alert`() async {
    #expect(await counter.state == CounterReactor.State())
    #expect(await !counter.state.isLoading)
    #expect(await counter.state.alert == nil)
  }

  @Test func `a change first loads, and then shows the value`() async {
    var states = counter.reactor.state.makeAsyncIterator()
    _ = await states.next()
    await counter.change(.increase(by: 1))
    let loading = await states.next()
    #expect(loading?.value == 0)
    #expect(loading?.isLoading == true)
    let done = await states.next()
    #expect(done?.value == 1)
    #expect(done?.isLoading == false)
  }

  @Test func `the alert fires with the new value, not before`() async {
    var states = counter.reactor.state.makeAsyncIterator()
    _ = await states.next()
    await counter.change(.increase(by: 1))
    #expect(await states.next()?.alert == nil)
    #expect(await states.next()?.alert == "increased!")
  }

  @Test func `an increase adds the given amount`() async {
    await counter.change(.increase(by: 5))
    #expect(await counter.state.value == 5)
  }

  @Test func `a decrease goes below 0, and alerts`() async {
    await counter.change(.decrease(by: 5))
    #expect(await counter.state.value == -5)
    #expect(await counter.state.alert == "decreased!")
  }

  @Test func `three increases at once overlap and end at 3`() async {
    var states = counter.reactor.state.makeAsyncIterator()
    for _ in 0..<3 { counter.reactor.send(.increase(by: 1)) }
    await counter.clock.waitForSleeps(3)
    for number in 0..<3 { await counter.clock.wake(number) }
    for seen in [[0, 0], [0, 1], [0, 2], [0, 3], [1, 2], [2, 1], [3, 0]] {
      let state = await states.next()
      #expect([state?.value, state?.changesUnderWay] == seen)
    }
  }

  @Test func `a change that is cancelled ends the loading, and adds nothing`() async {
    let receipts = [1, 2].map { counter.reactor.send(.increase(by: $0)) }
    await counter.clock.waitForSleeps(2)
    receipts[0].cancel()
    #expect(await counter.reactor.state.first { $0.changesUnderWay == 1 } != nil)
    for number in 0..<2 { await counter.clock.wake(number) }
    await receipts[1].settled
    #expect(await counter.state.value == 2)
    #expect(await !counter.state.isLoading)
  }

  @Test func `an alert fires for each change, though its text is the same`() async {
    await counter.change(.increase(by: 1))
    let first = await counter.state.$alert
    let second = counter.reactor.send(.increase(by: 1))
    await counter.clock.waitForSleeps(2)
    #expect(await !counter.state.$alert.isNewer(than: first))
    await counter.clock.wake(1)
    await second.settled
    #expect(await counter.state.$alert.isNewer(than: first))
    #expect(await counter.state.alert == "increased!")
  }
}

@Suite(.bounded) struct CounterReactorAtOnceTests {
  private let counter: HeldCounter

  init() async throws { counter = try await HeldCounter() }

  @Test func `a value is set at once`() async {
    await counter.apply(.set(42))
    #expect(await counter.state.value == 42)
    #expect(await counter.clock.requests == [])
  }

  @Test func `a reset is done at once`() async {
    await counter.apply(.set(42))
    await counter.apply(.reset)
    #expect(await counter.state.value == 0)
    #expect(await counter.clock.requests == [])
  }

  @Test func `neither a set nor a reset fires an alert`() async {
    let before = await counter.state.$alert
    await counter.apply(.set(42))
    await counter.apply(.reset)
    #expect(await !counter.state.$alert.isNewer(than: before))
  }

  @Test(arguments: [(CounterReactor.Action.set(10), 10, 15), (.reset, 0, 5)])
  func `during a change they take effect, and the change still adds`(
    action: CounterReactor.Action, atOnce: Int, inTheEnd: Int
  ) async {
    await counter.apply(.set(100))
    let change = counter.reactor.send(.increase(by: 5))
    await counter.clock.waitForSleeps(1)
    await counter.apply(action)
    #expect(await counter.state.value == atOnce)
    #expect(await counter.state.isLoading)
    await counter.clock.wake(0)
    await change.settled
    #expect(await counter.state.value == inTheEnd)
    #expect(await !counter.state.isLoading)
  }
}
