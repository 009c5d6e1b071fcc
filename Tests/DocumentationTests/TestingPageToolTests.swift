import Reactor
import ReactorTesting
import Testing
import TestLimits

// The samples of the page Testing a reactor about the smaller tools, copied by hand.

@Suite(.bounded) struct TestingPageToolTests {
  typealias CounterReactor = TestingPageCounterTests.CounterReactor

  // MARK: What reduce makes of it

  @Test func `what is added, and nothing else`() async {
    await spec(CounterReactor(), given: .init(value: 1), when: .add(2), .add(-5)) { $0.value = -2 }
  }

  // MARK: What a running reactor does

  @Test func `an increase, written down`() async {
    let counter = CounterReactor(clock: ImmediateClock())
    let recorder = await Recorder(counter)
    counter.send(.increase)
    #expect(await recorder.next(\.state, count: 3).map(\.value) == [0, 1, 1])
    #expect(recorder.all(\.mutation) == [.setLoading(true), .add(1), .setLoading(false)])
    await recorder.first(\.action) { $0 == .increase }
  }

  // MARK: Time as a string

  @Test func `an increase, drawn`() async throws {
    try await simulate { simulation in
      await marbles(
        CounterReactor(clock: simulation.clock), in: simulation,
        actions: "-a------|", ["a": .increase],
        states: "0l----[l1]-|"
      ) { $0.isLoading ? "l" : "\($0.value)" }
    }
  }

  // MARK: A screen without its reactor

  struct CounterLine {
    let counter: CounterReactor

    var text: String {
      get async {
        let state = await counter.currentState
        return state.isLoading ? "\(state.value)…" : "\(state.value)"
      }
    }

    func press(_ key: Character) { counter.send(key == "+" ? .increase : .decrease) }
  }

  @Test func `keys become actions, and states a line`() async throws {
    let stub = try await ReactorStub(CounterReactor())
    let line = CounterLine(counter: stub.reactor)

    line.press("+")
    line.press("-")
    #expect(await stub.actions(upTo: 2) == [.increase, .decrease])

    await stub.show(.init(value: 3, isLoading: true))
    #expect(await line.text == "3…")
  }
}
