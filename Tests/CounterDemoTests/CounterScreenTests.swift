import Reactor
import Testing

@testable import CounterDemo

struct CounterScreenTests {
  private typealias State = CounterReactor.State

  @Test func `a state is a line`() {
    #expect(CounterScreen.line(State(value: 0)) == "value: 0")
    #expect(CounterScreen.line(State(value: -7)) == "value: -7")
  }

  @Test(arguments: [1, 3])
  func `the line says that it loads, not how often`(changesUnderWay: Int) {
    let state = State(value: 2, changesUnderWay: changesUnderWay)
    #expect(CounterScreen.line(state) == "value: 2 (loading)")
  }

  @Test func `the prompt is the line, ready for typing`() {
    #expect(CounterScreen.prompt(State(value: 0)) == "value: 0 > ")
    #expect(CounterScreen.prompt(State(value: 2, changesUnderWay: 1)) == "value: 2 (loading) > ")
  }

  @Test func `the first state is new`() {
    var screen = CounterScreen()
    #expect(screen.lines(for: State()) == [.output("value: 0")])
  }

  @Test func `what looks the same is not new`() {
    var screen = CounterScreen()
    _ = screen.lines(for: State(value: 1, changesUnderWay: 1))
    #expect(screen.lines(for: State(value: 1, changesUnderWay: 2)) == [])
  }

  @Test func `what has come back is new again`() {
    var screen = CounterScreen()
    _ = screen.lines(for: State(value: 1))
    _ = screen.lines(for: State(value: 2))
    #expect(screen.lines(for: State(value: 1)) == [.output("value: 1")])
  }

  @Test func `an alert stands above the value it announces`() {
    var screen = CounterScreen()
    _ = screen.lines(for: State(value: 0, changesUnderWay: 1))
    var state = State(value: 1)
    state.alert = "increased!"
    #expect(screen.lines(for: state) == [.output("alert: increased!"), .output("value: 1")])
  }

  @Test func `an alert is shown once`() {
    var screen = CounterScreen()
    var state = State()
    state.alert = "increased!"
    _ = screen.lines(for: state)
    #expect(screen.lines(for: state) == [])
  }

  @Test func `an alert that fires again is shown again`() {
    var screen = CounterScreen()
    var state = State()
    state.alert = "increased!"
    _ = screen.lines(for: state)
    state.alert = "increased!"
    #expect(screen.lines(for: state) == [.output("alert: increased!")])
  }

  @Test func `an alert that is taken back is not shown`() {
    var screen = CounterScreen()
    var state = State()
    _ = screen.lines(for: state)
    state.alert = nil
    #expect(screen.lines(for: state) == [])
  }

  @Test func `a refusal is an error, shown each time it fires`() {
    var screen = CounterScreen()
    var state = State()
    _ = screen.lines(for: state)
    for _ in 0..<2 {
      state.refusal = "no"
      #expect(screen.lines(for: state) == [.error("error: no")])
      #expect(screen.lines(for: state) == [])
    }
  }
}
