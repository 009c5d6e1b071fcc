import Reactor
import ReactorJournal
import ReactorJournalTesting
import TestLimits
import TestSupport
import Testing

@testable import CounterDemo

/// What is kept of a counter, and how changes are taken back.
@Suite(.bounded) struct CounterUndoTests {
  private let counter: HeldCounter

  init() async throws { counter = try await HeldCounter() }

  @Test func `undo reverts changes, newest first, and redo makes them again`() async throws {
    await counter.change(.increase(by: 5))
    await counter.apply(.set(7))
    for value in [5, 0] {
      #expect(try await counter.reactor.undo())
      #expect(await counter.state.value == value)
    }
    #expect(try await !counter.reactor.undo())
    for value in [5, 7] {
      #expect(try await counter.reactor.redo())
      #expect(await counter.state.value == value)
    }
    #expect(try await !counter.reactor.redo())
  }

  @Test func `every counter that was ever stored can be read`() {
    assertGoldenJournal(
      of: CounterReactor.self,
      mutations: [.end(adding: 5, alert: "increased!"), .add(-2), .set(7)],
      states: [CounterReactor.State(value: 7)])
  }

  @Test func `a counter is restored as it was, in every process`() async {
    await assertReplayable(
      CounterReactor.self, [.end(adding: 5, alert: "increased!"), .add(-2), .set(.max), .add(1)])
  }

  @Test func `an amount that was added in between remains`() async throws {
    await counter.apply(.set(1))
    let change = counter.reactor.send(.increase(by: 10))
    await counter.clock.waitForSleeps(1)
    #expect(try await counter.reactor.undo())
    await counter.clock.wake(0)
    await change.settled
    #expect(await counter.state.value == 10)
  }

  @Test func `a change under way goes on loading while another is redone`() async throws {
    await counter.change(.increase(by: 1))
    try await counter.reactor.undo()
    counter.reactor.send(.increase(by: 10))
    await counter.clock.waitForSleeps(2)
    try await counter.reactor.redo()
    #expect(await counter.state.changesUnderWay == 1)
  }

  @Test func `a change that did not fit is not undone`() async throws {
    await counter.apply(.set(.max - 1))
    let changes = [2, 1].map { counter.reactor.send(.increase(by: $0)) }
    await counter.clock.waitForSleeps(1)
    await counter.clock.wake(0)
    for change in changes { await change.settled }
    #expect(await counter.state.value == .max)
    try await counter.reactor.undo()
    #expect(await counter.state.value == .max - 1)
  }

  @Test func `the history has what was done, and no transient state`() async throws {
    await counter.change(.increase(by: 5))
    await counter.apply(.set(-3))
    try await counter.reactor.undo()
    let history = try #require(counter.reactor.history)
    let lines = try await CounterHistory(history: history).lines(newest: 9)
    #expect(
      lines.map { $0.split(separator: "  ").filter { !$0.contains("T") }.joined(separator: "  ") }
        == [
          "1  value: 5  increased by 5, by action 1.0", "2  value: -3  set to -3, by action 1.1",
          "3  value: 5  undid 2",
        ])
    #expect(try await CounterHistory(history: history).lines(newest: 1).count == 1)
  }
}
