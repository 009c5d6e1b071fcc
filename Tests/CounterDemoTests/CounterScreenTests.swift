import Reactor
import ReactorREPL
import Testing
import TestLimits

@testable import CounterDemo

@Suite(.bounded) struct CounterScreenTests {
  private typealias State = CounterReactor.State

  private let screen = CounterScreen(
    reactor: CounterReactor(), outlet: .standard(isInteractive: false))

  @Test func `a state is a line`() {
    #expect(CounterScreen.line(State(value: 0)) == "value: 0")
    #expect(CounterScreen.line(State(value: -7)) == "value: -7")
  }

  @Test(arguments: [1, 3])
  func `the line shows that it loads, not how often`(changesUnderWay: Int) {
    let state = State(value: 2, changesUnderWay: changesUnderWay)
    #expect(CounterScreen.line(state) == "value: 2 (loading)")
  }

  @Test func `the prompt is the line, ready for typing`() {
    #expect(screen.prompt(of: State(value: 0)) == "value: 0 > ")
    #expect(screen.prompt(of: State(value: 2, changesUnderWay: 1)) == "value: 2 (loading) > ")
  }

  @Test func `the first state is new, but its pulses are not`() {
    var state = State(value: 3)
    state.alert = "increased!"
    #expect(screen.report(of: state, after: nil) == ["value: 3"])
  }

  @Test func `a state that is shown alike is not new`() {
    let last = State(value: 1, changesUnderWay: 1)
    #expect(screen.report(of: State(value: 1, changesUnderWay: 2), after: last) == [])
  }

  @Test func `an alert is printed above the value it announces`() {
    let last = State(value: 0, changesUnderWay: 1)
    var state = State(value: 1)
    state.alert = "increased!"
    #expect(screen.report(of: state, after: last) == ["alert: increased!", "value: 1"])
  }

  @Test func `an alert is shown each time that it fires`() {
    var state = State()
    for _ in 0..<2 {
      let last = state
      state.alert = "increased!"
      #expect(screen.report(of: state, after: last) == ["alert: increased!"])
      #expect(screen.report(of: state, after: state) == [])
    }
  }

  @Test func `an alert that is reset is not shown`() {
    let last = State()
    var state = last
    state.alert = nil
    #expect(screen.report(of: state, after: last) == [])
  }

  @Test func `a refusal is a failure, each time that it fires`() {
    var state = State()
    for _ in 0..<2 {
      let last = state
      state.refusal = "no"
      guard case .failure("no") = screen.notices(of: state, after: last).first else {
        Issue.record("no failure")
        return
      }
      #expect(screen.notices(of: state, after: state).isEmpty)
      #expect(screen.report(of: state, after: last) == [])
    }
  }
}
