import Reactor
import ReactorTesting
import TestLimits
import TestSupport
import Testing

@Suite(.bounded) struct SimulatedBatchingTests {
  @Test func `an interval makes one notification of many states, whatever the order of tasks`()
    async throws
  {
    try await simulate(seeds: TestCounts.seeds(upTo: 50)) { simulation in
      let reactor = TickReactor()
      let states = reactor.state(
        batching: .interval(.milliseconds(16), clock: simulation.clock), where: { _, _ in true })
      let shown = Log<Int>()
      let watching = Task(executorPreference: simulation.executor) {
        for await state in states { shown.append(state) }
      }
      await simulation.settle()
      for _ in 1...10 { reactor.send(1) }
      await simulation.advance(by: .milliseconds(15))
      #expect(shown.entries == [0])
      await simulation.advance(by: .milliseconds(1))
      #expect(shown.entries == [0, 10])
      reactor.send(5)
      await simulation.advance(by: .milliseconds(16))
      #expect(shown.entries == [0, 10, 15])
      watching.cancel()
    }
  }

  @Test func `a tick makes one notification of what was sent before it`() async throws {
    try await simulate { simulation in
      let reactor = TickReactor()
      let states = reactor.state(batching: .tick, where: { _, _ in true })
      let shown = Log<Int>()
      let watching = Task(executorPreference: simulation.executor) {
        for await state in states { shown.append(state) }
      }
      await simulation.settle()
      for _ in 1...1000 { reactor.send(1) }
      await simulation.settle()
      #expect(shown.entries == [0, 1000])
      watching.cancel()
    }
  }
}
