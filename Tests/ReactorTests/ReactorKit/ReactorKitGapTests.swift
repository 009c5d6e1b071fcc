import AsyncAlgorithms
import Reactor
import TestLimits
import TestSupport
import Testing

/// What ReactorKit does not test at all; hooks, cancelling and release have suites of their own.
@Suite(.bounded) struct ReactorKitGapTests {
  @Test func `two observers each see every state in order`() async {
    let reactor = ScriptedReactor()
    let ready = Log<Int>()
    let observers = (0..<2).map { index in
      Task {
        var states: [[Int]] = []
        for await state in reactor.state {
          if states.isEmpty { ready.append(index) }
          states.append(state)
          if index == 0, state == [1] { reactor.send(2) }
          if state.count == 2 { break }
        }
        return states
      }
    }
    _ = await ready.entries(upTo: 2)
    reactor.send(1)
    for observer in observers { #expect(await observer.value == [[], [1], [1, 2]]) }
  }

  @Test func `an observer that leaves mid-stream does not disturb the other`() async {
    let reactor = ScriptedReactor()
    var staying = reactor.state.makeAsyncIterator()
    do {
      var leaving = reactor.state.makeAsyncIterator()
      #expect(await leaving.next() == [])
      await reactor.send(1).settled
      #expect(await leaving.next() == [1])
    }
    await reactor.send(2).settled
    for expected in [[], [1], [1, 2]] { #expect(await staying.next() == expected) }
  }

  @Test func `what the effect of a released reactor emits is ignored`() async {
    let gate = Gate()
    let emitted = Gate()
    var reactor: ScriptedReactor? = ScriptedReactor { _, _ in
      .run { emit in
        await gate.pass()
        await emit(1)
        emitted.open()
      }
    }
    let released = reactor?.released
    var states = reactor?.state.makeAsyncIterator()
    #expect(await states?.next() == [])
    reactor?.send(0)
    await gate.reached()
    reactor = nil
    await released?.pass()
    gate.open()
    await emitted.pass()
    #expect(await states?.next() == nil)
  }

  @Test func `replacing the whole state neither loses nor repeats a pulse`() async {
    let reactor = AlertReactor()
    var states = reactor.state.makeAsyncIterator()
    var last = await states.next()?.$alert
    for action: AlertReactor.Action in [
      .alert("a"), .count, .replaceKeeping, .replace("b"), .replace("b"), .count, .alert("end"),
    ] { reactor.send(action) }
    await reactor.stop().settled
    var alerts: [String?] = []
    while let state = await states.next() {
      if let last, state.$alert.isNewer(than: last) { alerts.append(state.alert) }
      last = state.$alert
    }
    #expect(alerts == ["a", "b", "b", "end"])
  }

  @Test func `the same alert twice is two pulses, other changes are none`() async {
    let reactor = AlertReactor()
    var states = reactor.state.makeAsyncIterator()
    var last = await states.next()?.$alert
    var fired: [Bool] = []
    for action: AlertReactor.Action in [.alert("1"), .count, .alert("1"), .count] {
      reactor.send(action)
      let pulse = await states.next()?.$alert
      if let pulse, let earlier = last { fired.append(pulse.isNewer(than: earlier)) }
      last = pulse
    }
    #expect(fired == [true, false, true, false])
    #expect(await reactor.currentState.count == 2)
  }

  @Test func `a late observer can detect that a pulse is old`() async throws {
    let reactor = AlertReactor()
    await reactor.send(.alert("old")).settled
    let seen = try #require(await reactor.state.first { _ in true }).$alert
    await reactor.send(.count).settled
    let again = try #require(await reactor.state.first { _ in true }).$alert
    #expect(!again.isNewer(than: seen))
    #expect(again.wrappedValue == "old")
  }

  @Test func `a hook over three streams at once keeps each stage`() async {
    let (outside, continuation) = AsyncStream<Int>.makeStream()
    let reactor = ActionHookedReactor { _, action in
      Erased(merge(action, outside).map { $0 + 1 })
    }
    await reactor.send(1).settled
    continuation.yield(10)
    #expect(await reactor.state.first { $0.count == 2 } == [2, 11])
  }
}

private actor AlertReactor: Reactor {
  enum Action { case alert(String), count, replace(String), replaceKeeping }
  struct State {
    @Pulse var alert: String?
    var count = 0
  }

  let initialState = State()
  let pipeline = Pipeline()

  func reduce(state: inout State, mutation: Action) {
    switch mutation {
    case .alert(let alert): state.alert = alert
    case .count: state.count += 1
    case .replace(let alert):
      var new = State()
      new.alert = alert
      state = new
    case .replaceKeeping:
      let old = state
      state = State()
      state = old
    }
  }
}
