import AsyncAlgorithms
import Reactor
import TestLimits
import TestSupport
import Testing

/// A receipt settles when its action's own work has ended, however it ended.
///
/// Each of these would wait for ever if it did not hold.
@Suite(.bounded) struct SettlingTests {
  @Test func `settles when the effect has finished, not before`() async {
    let gate = Gate()
    let ended = Log<String>()
    let reactor = ScriptedReactor { _, action in
      .run { emit in
        await gate.pass()
        await emit(action)
        ended.append("effect")
      }
    }
    let receipt = reactor.send(1)
    let waiter = Task {
      await receipt.settled
      ended.append("settled")
    }
    await gate.reached()
    #expect(ended.count == 0)
    gate.open()
    await waiter.value
    #expect(ended.entries == ["effect", "settled"])
  }

  @Test func `settles when mutate returns nothing`() async {
    let reactor = ScriptedReactor { _, _ in .empty }
    var states = reactor.state.makeAsyncIterator()
    #expect(await states.next() == [])
    await reactor.send(1).settled
    reactor.stop()
    #expect(await states.next() == nil)
  }

  @Test func `settles for an empty merge and an empty concatenation`() async {
    let reactor = ScriptedReactor { _, action in action == 1 ? .merge([]) : .concat([]) }
    await reactor.send(1).settled
    await reactor.send(2).settled
    #expect(await reactor.currentState == [])
  }

  @Test func `settles when the effect throws`() async {
    let gate = Gate()
    let reactor = ScriptedReactor { _, _ in
      .run { _ in
        await gate.pass()
        throw Failure()
      }
    }
    let receipt = reactor.send(1)
    gate.open()
    await receipt.settled
    #expect(reactor.reports.problems == ["effectFailed"])
  }

  @Test func `settles when all parts of a merge have ended`() async {
    let gates = [Gate(), Gate()]
    let reactor = ScriptedReactor { _, _ in
      .merge(
        gates.indices.map { index in
          .run { emit in
            await gates[index].pass()
            await emit(index)
          }
        })
    }
    let receipt = reactor.send(1)
    await gates[0].reached()
    gates[0].open()
    _ = await reactor.state.first { $0 == [0] }
    gates[1].open()
    await receipt.settled
    #expect(await reactor.currentState == [0, 1])
  }

  @Test func `settles when cancelled before it was taken`() async {
    let reactor = ScriptedReactor()
    let receipt = await reactor.turn { reactor in
      let receipt = reactor.send(5)
      receipt.cancel()
      return receipt
    }
    await receipt.settled
    await reactor.send(6).settled
    #expect(await reactor.currentState == [6])
  }

  @Test func `settles when cancelled while it runs`() async {
    let gate = Gate()
    let reactor = ScriptedReactor { _, _ in .run { _ in try await gate.wait() } }
    let receipt = reactor.send(1)
    await gate.reached()
    receipt.cancel()
    await receipt.settled
    #expect(reactor.reports.count == 0)
  }

  @Test func `settles at once when refused`() async {
    let reactor = ScriptedReactor()
    await reactor.stop().settled
    let receipt = reactor.send(1)
    #expect(receipt.isRefused)
    await receipt.settled
    #expect(reactor.reports.problems == ["actionRefused"])
  }

  @Test func `settles when the reactor is released`() async {
    let gate = Gate()
    var reactor: ScriptedReactor? = ScriptedReactor { _, _ in
      .run { _ in try await gate.wait() }
    }
    let receipt = reactor?.send(1)
    await gate.reached()
    reactor = nil
    await receipt?.settled
  }

  @Test func `a waiter from before the reactor's release waits for the work`() async {
    let gate = Gate()
    var reactor: ScriptedReactor? = ScriptedReactor { _, _ in
      .run { _ in await gate.pass() }
    }
    let released = reactor?.released
    let receipt = reactor?.send(1)
    await gate.reached()
    async let waited: Void? = receipt?.settled
    reactor = nil
    await released?.pass()
    gate.open()
    await waited
  }

  @Test func `settles when a filter in the hook drops it`() async {
    let reactor = ActionHookedReactor { _, action in Erased(action.filter { $0 % 2 == 0 }) }
    await reactor.send(1).settled
    await reactor.send(2).settled
    await reactor.send(3).settled
    #expect(await reactor.currentState == [2])
  }

  @Test func `settles when a debounce in the hook holds it`() async {
    let clock = ManualClock()
    let reactor = ActionHookedReactor { _, action in
      Erased(action.debounce(for: .steps(1), clock: clock))
    }
    await reactor.send(1).settled
    await reactor.send(2).settled
    #expect(await reactor.currentState == [])
    await clock.advance(past: 1)
    #expect(await reactor.state.first { !$0.isEmpty } == [2])
  }

  @Test func `does not wait for what the work sent in turn`() async {
    let gate = Gate()
    let reactor = ScriptedReactor { reactor, action in
      guard action == 1 else { return .run { _ in await gate.pass() } }
      return .run { emit in
        reactor.send(2)
        await emit(1)
      }
    }
    await reactor.send(1).settled
    await gate.reached()
    #expect(await reactor.currentState == [1])
    gate.open()
  }

  @Test func `a waiter whose task is cancelled returns early; the work goes on`() async {
    let gate = Gate()
    let reactor = ScriptedReactor { _, action in
      .run { emit in
        await gate.pass()
        await emit(action)
      }
    }
    let receipt = reactor.send(1)
    let waiter = Task { await receipt.settled }
    await gate.reached()
    waiter.cancel()
    await waiter.value
    gate.open()
    await receipt.settled
    #expect(await reactor.currentState == [1])
  }

  @Test func `many may wait for one action, before and after it settles`() async {
    let gate = Gate()
    let reactor = ScriptedReactor { _, _ in .run { _ in await gate.pass() } }
    let receipt = reactor.send(1)
    await withTaskGroup { group in
      for _ in 0..<20 { group.addTask { await receipt.settled } }
      await gate.reached()
      gate.open()
    }
    await receipt.settled
  }

  @Test func `behind a mutation hook, settled means reduced`() async {
    let gate = Gate()
    let reactor = MutationHookedReactor { _, mutation in
      Erased(
        mutation.map { mutation in
          if mutation == 2 { await gate.pass() }
          return mutation
        })
    } _: { _, _ in
      .of(1, 2, 3)
    }
    let receipt = reactor.send(0)
    await gate.reached()
    async let settled: Void = receipt.settled
    gate.open()
    await settled
    #expect(await reactor.currentState == [1, 2, 3])
  }
}
