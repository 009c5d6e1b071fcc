import Reactor
import ReactorTesting
import TestLimits
import TestSupport
import Testing

/// An event that is there is taken, also by a call that waits for no time at all.
@Suite(.bounded) struct SimulatedWithinTests {
  @Test func `an action that was taken is found, whichever task runs first`() async throws {
    try await simulate(seeds: 0..<200) { simulation in
      let (listens, taken, found) = (Gate(), Gate(), Log<Int?>())
      let reactor = ScriptedReactor { reactor, action in
        guard action == 0 else { return .empty }
        return .run { _ in
          let actions = reactor.actions { $0 == 2 }
          listens.open()
          await taken.pass()
          found.append(await actions.next(within: .zero, clock: simulation.clock))
        }
      }
      let receipt = reactor.send(0)
      await listens.pass()
      // Streams have an action once the turn after it begins.
      await reactor.send(2).settled
      await reactor.send(3).settled
      taken.open()
      await receipt.settled
      #expect(found.entries == [2])
    }
  }
}
