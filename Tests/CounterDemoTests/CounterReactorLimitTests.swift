import Reactor
import ReactorJournal
import TestLimits
import TestSupport
import Testing

@testable import CounterDemo

@Suite(.bounded) struct CounterReactorLimitTests {
  private let counter: HeldCounter

  init() async throws { counter = try await HeldCounter() }
  private let between = "the value must stay between \(Int.min) and \(Int.max)"

  @Test(arguments: [(Int.max, CounterReactor.Action.increase(by: 1)), (.min, .decrease(by: 1))])
  func `a sum beyond either end is refused, and the value stays`(
    end: Int, action: CounterReactor.Action
  ) async {
    await counter.apply(.set(end))
    await counter.apply(action)
    #expect(await counter.state.value == end)
    #expect(await counter.state.alert == nil)
  }

  @Test func `the refusal names what does not fit where`() async {
    await counter.apply(.set(.max))
    await counter.apply(.increase(by: 2))
    #expect(await counter.state.refusal == "\(Int.max) cannot change by 2: \(between)")
  }

  @Test func `a change that is refused from the start never loads`() async {
    var states = counter.reactor.state.makeAsyncIterator()
    await counter.apply(.set(.max))
    await counter.apply(.increase(by: 1))
    for _ in 0..<3 { #expect(await states.next()?.isLoading == false) }
    #expect(await counter.clock.requests == [])
  }

  @Test func `a refusal fires each time, though its text is the same`() async {
    await counter.apply(.set(.max))
    await counter.apply(.increase(by: 1))
    let first = await counter.state.$refusal
    await counter.apply(.increase(by: 1))
    #expect(await counter.state.$refusal.isNewer(than: first))
  }

  @Test(arguments: [(Int.max, CounterReactor.Action.increase(by: 1)), (.min, .decrease(by: 1))])
  func `a sum that a set made too large is refused when the change ends`(
    end: Int, action: CounterReactor.Action
  ) async {
    let change = counter.reactor.send(action)
    await counter.clock.waitForSleeps(1)
    await counter.apply(.set(end))
    await counter.clock.wake(0)
    await change.settled
    #expect(await counter.state.value == end)
    #expect(await counter.state.refusal?.hasSuffix(between) == true)
    #expect(await counter.state.alert == nil)
    #expect(await !counter.state.isLoading)
  }

  @Test func `the lowest number cannot be taken away`() async {
    await counter.apply(.decrease(by: .min))
    #expect(await counter.state.value == 0)
    #expect(await counter.state.refusal == "0 cannot change by \(Int.min.magnitude): \(between)")
  }

  @Test func `either end itself can be reached`() async {
    await counter.change(.increase(by: .max))
    #expect(await counter.state.value == .max)
    #expect(await counter.state.refusal == nil)
  }
}

@Suite(.bounded) struct CounterReactorDelayTests {
  private let clock = StoppedClock()

  @Test func `a change takes half a second by default`() async throws {
    let counter = try await Journal(.inMemory).open("1") { CounterReactor(clock: clock) }
    counter.send(.increase(by: 1))
    await clock.waitForSleeps(1)
    #expect(await clock.requests == [.milliseconds(500)])
    await counter.stop().settled
  }

  @Test func `a change takes as long as configured`() async throws {
    let counter = try await Journal(.inMemory).open("1") {
      CounterReactor(delay: .seconds(2), clock: clock)
    }
    counter.send(.decrease(by: 1))
    await clock.waitForSleeps(1)
    #expect(await clock.requests == [.seconds(2)])
    await counter.stop().settled
  }
}

@Suite(.bounded) struct CounterReactorStopTests {
  private let counter: HeldCounter

  init() async throws { counter = try await HeldCounter() }

  @Test func `a change under way when it stops is not made`() async {
    let change = counter.reactor.send(.increase(by: 1))
    await counter.clock.waitForSleeps(1)
    await counter.reactor.stop().settled
    await counter.clock.wake(0)
    await change.settled
    #expect(await counter.state.value == 0)
    #expect(await counter.state.alert == nil)
  }

  @Test func `the states end when it stops, with the last one shown`() async {
    var states = counter.reactor.state.makeAsyncIterator()
    await counter.apply(.set(7))
    counter.reactor.send(.increase(by: 1))
    await counter.clock.waitForSleeps(1)
    await counter.reactor.stop().settled
    var values: [Int] = []
    while let state = await states.next() { values.append(state.value) }
    #expect(values == [0, 7, 7])
  }
}
