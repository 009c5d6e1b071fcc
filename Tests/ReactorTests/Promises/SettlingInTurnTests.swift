import Reactor
import TestLimits
import TestSupport
import Testing

/// An effect on the reactor that waits for an action before it has suspended: its turn is under
/// way.
@Suite(.bounded) struct SettlingInTurnTests {
  @Test func `an effect that waits at once for what it has sent lets its own turn end first`() async
  {
    let reactor = ScriptedReactor { reactor, action in
      guard action == 1 else { return .just(action) }
      return .run { emit in
        await reactor.send(2).settled
        await emit(1)
      }
    }
    var actions = reactor.actions().makeAsyncIterator()
    await reactor.send(1).settled
    #expect(await reactor.currentState == [2, 1])
    // Streams of actions are notified at the end of a turn.
    #expect(await actions.next() == 1)
    #expect(await actions.next() == 2)
  }

  @Test func `an effect that waits at once for its own action waits until it is cancelled`() async {
    let own = Log<ActionReceipt<ScriptedReactor>>()
    let reactor = ScriptedReactor { reactor, action in
      guard action == 1 else { return .just(action) }
      return .run { _ in
        reactor.note("waits")
        await own.entries[0].settled
        reactor.note("cancelled: \(Task.isCancelled)")
      }
    }
    // The receipt is there before the action can be taken.
    await reactor.turn { own.append($0.send(1)) }
    await reactor.send(2).settled
    #expect(await reactor.lines == ["waits"])
    own.entries[0].cancel()
    await own.entries[0].settled
    await reactor.wait { $0.lines.count == 2 }
    #expect(await reactor.lines == ["waits", "cancelled: true"])
  }
}
