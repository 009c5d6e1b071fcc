import Reactor
import TestLimits
import TestSupport
import Testing

/// Case 53 of the peers' acceptance cases (ReactorKit 35), and the traps around it.
@Suite(.bounded) struct PulseStreamTests {
  @Test func `every assignment fires, equal or not`() async {
    let reactor = ProfileReactor()
    // The place is taken here, and the state at this moment is where it begins.
    var alerts = reactor.state.pulses(of: \.$alert).makeAsyncIterator()
    await reactor.send(.touch).settled
    for action: ProfileReactor.Action in [
      .alert("1"), .setAge(1), .alert(nil), .alert("2"), .alert(nil), .setAge(2), .alert(nil),
      .alert("3"), .alert("3"),
    ] {
      reactor.send(action)
    }
    var seen: [String] = []
    while seen.count < 4, let alert = await alerts.next() {
      if let alert { seen.append(alert) }
    }
    #expect(seen == ["1", "2", "3", "3"])
    #expect(await reactor.currentState.age == 2)
  }

  @Test func `a late observer receives the last pulse only if it includes it`() async {
    let reactor = ProfileReactor()
    await reactor.send(.alert("old")).settled
    var late = reactor.state.pulses(of: \.$alert, includingLast: true).makeAsyncIterator()
    #expect(await late.next() == "old")

    var fresh = reactor.state.pulses(of: \.$alert).makeAsyncIterator()
    await reactor.send(.touch).settled
    reactor.send(.alert("new"))
    #expect(await fresh.next() == "new")
  }

  @Test func `a pulse that never fired is not delivered, with any option`() async {
    let reactor = ProfileReactor()
    let alerts = Task.immediate {
      await reactor.state.pulses(of: \.$alert, includingLast: true).collected()
    }
    await reactor.send(.setAge(1)).settled
    await reactor.stop().settled
    #expect(await alerts.value == [])
  }

  @Test func `replacing the whole state neither loses nor repeats a pulse`() async {
    let reactor = ProfileReactor()
    let alerts = Task.immediate {
      await reactor.state.pulses(of: \.$alert, includingLast: true).collected()
    }
    for action: ProfileReactor.Action in [
      .alert("1"), .replaceState, .alert("1"), .replaceState, .touch, .alert("2"),
    ] {
      await reactor.send(action).settled
    }
    await reactor.stop().settled
    #expect(await alerts.value == ["1", "1", "2"])
  }

  @Test(arguments: [StateBuffering.everyState, .newest, .last(1) { _ in }])
  func `an iterator receives every pulse that fires after it is made`(_ buffering: StateBuffering)
    async
  {
    let reactor = ProfileReactor()
    await reactor.send(.alert("old")).settled
    var alerts = reactor.state.buffering(buffering).pulses(of: \.$alert).makeAsyncIterator()
    await reactor.send(.alert("new")).settled
    await reactor.stop().settled
    #expect(await alerts.next() == "new")
    #expect(await alerts.next() == nil)
  }
}
