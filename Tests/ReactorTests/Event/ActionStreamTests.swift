import Reactor
import TestLimits
import TestSupport
import Testing

/// Case 15 of the peers' acceptance cases, and what `take` and `actionChannel` of redux-saga do.
@Suite(.bounded) struct ActionStreamTests {
  @Test func `an effect waits for a later action`() async {
    let reactor = ScriptedReactor { reactor, action in
      guard action == 1 else { return .just(action) }
      return .run { emit in
        let later = reactor.actions { $0 > 10 }
        await emit(1)
        await emit(await later.next() ?? 0)
      }
    }
    let receipt = reactor.send(1)
    reactor.send(5)
    reactor.send(11)
    await receipt.settled
    #expect(await reactor.currentState == [1, 5, 11, 11])
  }

  @Test func `actions that are taken while no task waits are buffered, in order`() async {
    let reactor = ScriptedReactor()
    let stream = reactor.actions { $0 % 2 == 0 }
    for action in 1...6 { reactor.send(action) }
    #expect(await stream.next() == 2)
    #expect(await stream.next() == 4)
    #expect(await stream.next() == 6)
  }

  @Test func `an action that was sent before the stream opened and is taken later is seen`() async {
    let reactor = ScriptedReactor()
    let stream = await reactor.turn { reactor in
      reactor.send(1)
      return reactor.actions()
    }
    #expect(await stream.next() == 1)
  }

  @Test func `an effect's own action is not a later one`() async {
    let reactor = ScriptedReactor { reactor, action in
      guard action == 1 else { return .empty }
      return .run { emit in
        let later = reactor.actions()
        await emit(await later.next() ?? 0)
      }
    }
    let receipt = reactor.send(1)
    reactor.send(7)
    await receipt.settled
    #expect(await reactor.currentState == [7])
  }

  @Test func `a drain ends the streams`() async {
    let reactor = ScriptedReactor { reactor, _ in
      .run { emit in
        for await action in reactor.actions() { await emit(action) }
      }
    }
    reactor.send(1)
    reactor.send(2)
    await reactor.stop(.drain).settled
    #expect(await reactor.currentState == [2])
  }

  @Test func `an action is delivered once its turn is over`() async {
    let reactor = ScriptedReactor()
    let stream = reactor.actions()
    reactor.send(1)
    _ = await stream.next()
    #expect(await reactor.currentState == [1])
  }

  @Test func `several tasks share a stream, each action goes to one`() async {
    let reactor = ScriptedReactor()
    let stream = reactor.actions()
    async let first = stream.next()
    async let second = stream.next()
    reactor.send(1)
    reactor.send(2)
    #expect(await Set([first, second]) == [1, 2])
  }

  @Test func `a time limit ends the waiting, and nothing is lost`() async {
    let (reactor, clock) = (ScriptedReactor(), ManualClock())
    let stream = reactor.actions()
    async let late = stream.next(within: .steps(5), clock: clock)
    await clock.advance(past: 5)
    #expect(await late == nil)
    reactor.send(1)
    #expect(await stream.next(within: .steps(5), clock: clock) == 1)
    #expect(clock.sleeperCount == 0)
  }

  @Test func `cancelling the task ends the waiting`() async {
    let stream = ScriptedReactor().actions()
    let task = Task { await stream.next() }
    task.cancel()
    #expect(await task.value == nil)
  }

  @Test func `a stream ends with the reactor, once its buffer has been read`() async {
    let reactor = ScriptedReactor()
    let stream = reactor.actions()
    reactor.send(1)
    await reactor.stop().settled
    var seen: [Int] = []
    for await action in stream { seen.append(action) }
    #expect(seen == [1])
    #expect(await reactor.actions().next() == nil)
  }

  @Test func `a stream does not retain the reactor`() async {
    var reactor: ScriptedReactor? = ScriptedReactor()
    let released = reactor?.released
    let stream = reactor?.actions()
    reactor = nil
    await released?.pass()
    #expect(await stream?.next() == nil)
  }

  @Test func `a stream that is released is removed`() async {
    let reactor = ScriptedReactor()
    for _ in 0..<100 { _ = reactor.actions() }
    let stream = reactor.actions()
    await reactor.send(1).settled
    #expect(await stream.next() == 1)
  }

  @Test func `behind a hook a stream has the actions that the hook passes`() async {
    let reactor = ActionHookedReactor(hook: { _, actions in
      Erased(actions.filter { $0 != 2 }.map { $0 * 10 })
    })
    let stream = reactor.actions()
    for action in 1...3 { reactor.send(action) }
    #expect(await stream.next() == 10)
    #expect(await stream.next() == 30)
  }
}
