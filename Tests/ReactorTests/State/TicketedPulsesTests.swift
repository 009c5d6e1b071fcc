import Reactor
import TestLimits
import TestSupport
import Testing

@Suite(.bounded) struct TicketedPulsesTests {
  @Test func `an observer that subscribes again neither misses nor repeats a pulse`() async {
    let profile = ProfileReactor()
    var seen: UInt64 = 0
    var shown: [String?] = []
    for text in ["a", "b", "b", "c"] {
      await profile.send(.alert(text)).settled
      // A screen that is shown, and goes again after one alert.
      for await alert in profile.state.pulses(of: \.$alert, after: seen) {
        seen = alert.ticket
        shown.append(alert.wrappedValue)
        break
      }
    }
    #expect(shown == ["a", "b", "b", "c"])
  }

  @Test func `after the last ticket nothing is delivered until the pulse fires again`() async {
    let profile = ProfileReactor()
    await profile.send(.alert("old")).settled
    let seen = await profile.currentState.$alert.ticket
    var pulses = profile.state.pulses(of: \.$alert, after: seen).makeAsyncIterator()
    let next = Task.immediate { await pulses.next() }
    await profile.send(.touch).settled
    profile.send(.alert("new"))
    #expect(await next.value?.wrappedValue == "new")
  }

  @Test func `of several that fired meanwhile, the last one is delivered`() async {
    let profile = ProfileReactor()
    for text in ["a", "b", "c"] { await profile.send(.alert(text)).settled }
    var pulses = profile.state.pulses(of: \.$alert, after: 0).makeAsyncIterator()
    #expect(await pulses.next()?.wrappedValue == "c")
  }

  @Test func `a pulse that never fired is not delivered`() async {
    let profile = ProfileReactor()
    let pulses = profile.state.pulses(of: \.$alert, after: 0)
    await profile.send(.setName("x")).settled
    let all = Task.immediate { await pulses.collected().count }
    await profile.stop().settled
    #expect(await all.value == 0)
  }
}
