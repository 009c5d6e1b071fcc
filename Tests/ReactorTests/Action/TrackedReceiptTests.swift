import TestLimits
import TestSupport
import Testing

@testable import Reactor

@Suite(.bounded, .serialized) struct TrackedReceiptTests {
  /// Action n sends n - 1 when its gate is open, down to 0.
  private static func countdown(_ gates: [Gate]) -> ScriptedReactor {
    ScriptedReactor { reactor, action in
      .run { emit in
        await gates[action].pass()
        await emit(action)
        if action > 0 { reactor.send(action - 1) }
      }
    }
  }

  @Test func `a tracked receipt settles after everything the action has caused`() async {
    let gates = (0...5).map { _ in Gate() }
    let reactor = Self.countdown(gates)
    let receipt = reactor.sendTracked(5)
    for gate in gates { gate.open() }
    await receipt.settled
    #expect(await reactor.currentState == [5, 4, 3, 2, 1, 0])
  }

  @Test func `an ordinary receipt settles after its own work`() async {
    let gates = (0...1).map { _ in Gate() }
    let reactor = Self.countdown(gates)
    gates[1].open()
    await reactor.send(1).settled
    #expect(await reactor.currentState == [1])
    gates[0].open()
  }

  @Test func `sends from mutate, from reduce and from child tasks count`() async {
    let gate = Gate()
    let reactor = ScriptedReactor(onReduce: { reactor, mutation in
      if mutation == 2 { reactor.send(3) }
    }) { reactor, action in
      switch action {
      case 1:
        reactor.send(2)
        return .empty
      case 3:
        return .run { _ in
          async let child: Void = {
            await gate.pass()
            reactor.send(4)
          }()
          await child
        }
      default: return .just(action)
      }
    }
    let receipt = reactor.sendTracked(1)
    await gate.reached()
    gate.open()
    await receipt.settled
    #expect(await reactor.currentState == [2, 4])
  }

  @Test func `what other senders send meanwhile does not count`() async {
    let gate = Gate()
    let reactor = ScriptedReactor { _, action in
      .run { emit in
        if action == 2 { await gate.pass() }
        await emit(action)
      }
    }
    let receipt = await reactor.turn { reactor in
      let receipt = reactor.sendTracked(1)
      reactor.send(2)
      return receipt
    }
    await receipt.settled
    #expect(await reactor.currentState == [1])
    gate.open()
  }

  @Test func `an action that waits in a lane belongs to the chain it was sent in`() async {
    let gates = (0...3).map { _ in Gate() }
    let reactor = LanedReactor(script: { reactor, action in
      .run { emit in
        await gates[action].pass()
        await emit(action)
        if action == 2 { reactor.send(3) }
      }
    }) { _, _ in .sequential("a") }
    let tracked = await reactor.turn { reactor in
      // The tracked action comes first, and the other one starts in its wake.
      let tracked = reactor.sendTracked(1)
      reactor.send(2)
      return tracked
    }
    gates[1].open()
    await tracked.settled
    #expect(await reactor.currentState == [1])
    gates[2].open()
    gates[3].open()
    #expect(await reactor.state.first { $0.count == 3 } == [1, 2, 3])
  }

  @Test func `actions sent to another reactor count`() async {
    let gate = Gate()
    let child = ScriptedReactor { _, action in
      .run { emit in
        await gate.pass()
        await emit(action)
      }
    }
    let parent = ScriptedReactor { _, action in
      child.send(action)
      return .just(action)
    }
    let receipt = parent.sendTracked(1)
    await gate.reached()
    gate.open()
    await receipt.settled
    #expect(await child.currentState == [1])
  }

  @Test func `a tracked send inside a tracked send belongs to both`() async {
    let gate = Gate()
    let reactor = ScriptedReactor { reactor, action in
      guard action == 1 else {
        return .run { emit in
          await gate.pass()
          await emit(action)
        }
      }
      reactor.sendTracked(2)
      return .empty
    }
    let receipt = reactor.sendTracked(1)
    await gate.reached()
    gate.open()
    await receipt.settled
    #expect(await reactor.currentState == [2])
  }

  @Test func `a tracked receipt settles when actions are dropped, refused or filtered`() async {
    let dropping = LanedReactor { _, _ in .leading("a") }
    dropping.send(1)
    await dropping.sendTracked(2).settled
    dropping.gates[1].open()

    let swallowing = ActionHookedReactor(hook: { _, actions in
      Erased(actions.filter { _ in false })
    })
    await swallowing.sendTracked(1).settled

    let stopped = ScriptedReactor()
    stopped.stop()
    let refused = stopped.sendTracked(1)
    #expect(refused.isRefused)
    await refused.settled

    let cancelled = ScriptedReactor()
    let receipt = await cancelled.turn { reactor in
      let receipt = reactor.sendTracked(1)
      receipt.cancel()
      return receipt
    }
    await receipt.settled
    #expect(await cancelled.currentState == [])
  }

  @Test func `a tracked receipt settles when the reactor is stopped or released`() async {
    let reactor = ScriptedReactor { _, _ in .run { _ in try await Gate().wait() } }
    let receipt = reactor.sendTracked(1)
    reactor.stop()
    await receipt.settled

    var released: ScriptedReactor? = ScriptedReactor { _, _ in .run { _ in try await Gate().wait() }
    }
    let other = released?.sendTracked(1)
    released = nil
    await other?.settled
  }

  @Test func `behind hooks over actions and mutations it settles as well`() async {
    let reactor = MutationHookedReactor(hook: MutationHookedReactor.passing) { reactor, action in
      .run { emit in
        await emit(action)
        if action > 0 { reactor.send(action - 1) }
      }
    }
    await reactor.sendTracked(5).settled
    #expect(await reactor.currentState == [5, 4, 3, 2, 1, 0])
  }

  @Test func `a tracked action that never started is released`() async {
    let dropping = PlainLaned(lane: { _, _ in .leading("a") })
    dropping.send(1)
    await expectForgotten(by: dropping) { dropping.sendTracked(2) }

    let cutting = PlainLaned(lane: { _, _ in .leading("a") })
    await expectForgotten(by: cutting) {
      await cutting.turn { reactor in
        let receipt = reactor.sendTracked(1)
        reactor.cancel(lane: "a")
        return receipt
      }
    }

    let swallowing = ActionHookedLaned(lane: { _, _ in nil }) {
      $0.shapeActions = { Erased($0.filter { $0 != 1 }) }
    }
    await swallowing.flush()
    await expectForgotten(by: swallowing) { swallowing.sendTracked(1) }

    let stopping = PlainLaned(lane: { _, _ in .sequential("a") })
    await stopping.turn { _ = $0.send(1) }
    await expectForgotten(by: stopping) {
      let receipt = stopping.sendTracked(2)
      stopping.stop()
      return receipt
    }
  }

  /// Returns once what the action is tracked by is released.
  private func expectForgotten<R: Reactor>(
    by reactor: R, _ send: () async -> TrackedReceipt
  ) async {
    var receipt: TrackedReceipt? = await send()
    weak let chain = receipt?.chain
    await receipt?.settled
    receipt = nil
    await reactor.wait { _ in chain == nil }
  }

  @Test func `behind a hook over mutations, sends from reduce count`() async {
    let reactor = MutationHookedLaned(
      script: { reactor, action in
        action == 1 ? .just(1) : LaneOrders.gated(reactor, action)
      }, lane: { _, _ in nil }
    ) {
      $0.onReduce = { reactor, mutation in if mutation == 1 { reactor.send(2) } }
    }
    await reactor.flush()
    let receipt = reactor.sendTracked(1)
    await reactor.orders.gates[2].reached()
    async let settled: Void = receipt.settled
    reactor.orders.gates[2].open()
    await settled
    #expect(await reactor.currentState == [1, 2])
  }

  @Test func `what a hook leads to counts for its own action, whichever sender woke it`() async {
    let reactor = MutationHookedLaned(
      script: { reactor, action in
        action == 5 ? .just(5) : LaneOrders.gated(reactor, action)
      }, lane: { _, _ in nil }
    ) {
      $0.onReduce = { reactor, mutation in if mutation == 5 { reactor.send(6) } }
    }
    let receipt = reactor.sendTracked(1)
    await reactor.orders.gates[1].reached()
    reactor.send(5)
    await reactor.orders.gates[6].reached()
    reactor.orders.gates[1].open()
    await receipt.settled
    reactor.orders.gates[6].open()
  }
}
