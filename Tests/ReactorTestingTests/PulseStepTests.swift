import CustomDump
import Reactor
import ReactorTesting
import Testing
import TestLimits

/// Pulses in a step: one that fires has to be stated, also if its value stays.
@Suite(.bounded) struct PulseStepTests {
  private func test(
    _ strictness: Strictness = .exhaustive,
    _ body: @escaping @Sendable (ReactorTest<AlertReactor>) async -> Void
  ) async throws {
    try await simulate { simulation in
      let test = await ReactorTest(AlertReactor(), in: simulation, strictness: strictness)
      await body(test)
      await test.finish()
    }
  }

  private func failures(
    _ strictness: Strictness = .exhaustive,
    _ body: @escaping @Sendable (ReactorTest<AlertReactor>) async -> Void
  ) async -> [String] {
    await texts { try await test(strictness, body) }
  }

  // MARK: What passes

  @Test func `a pulse that fires is expected by assigning it`() async throws {
    try await test { test in
      await test.send(.alert("a")) { $0.alert = "a" }
      await test.send(.alert("a")) { $0.alert = "a" }
      await test.send(.alert(nil)) { $0.alert = nil }
      await test.send(.count) { $0.count = 1 }
    }
  }

  @Test func `a state may be assigned as a whole`() async throws {
    try await test { test in
      await test.send(.alert("a")) { $0.alert = "a" }
      await test.send(.count) { $0 = AlertReactor.State(count: 1, alert: "a") }
    }
  }

  @Test func `rows that move keep their pulses`() async throws {
    try await test { test in
      await test.send(.add) { $0.rows = [.init()] }
      await test.send(.add) { $0.rows.append(.init()) }
      await test.send(.flash(1)) { $0.rows[1].isLit = true }
      await test.send(.removeFirst) { $0.rows = [.init(isLit: true)] }
    }
  }

  @Test func `in a relaxed test, what is not asserted does not matter`() async throws {
    try await test(.relaxed) { test in
      await test.send(.alert("a"))
      await test.send(.alert("a"))
      await test.send(.alert("a")) { $0.alert = "a" }
    }
  }

  @Test func `a specification asserts pulses, too`() async {
    await spec(AlertReactor(), when: .alert(nil)) { $0.alert = nil }
  }

  // MARK: What fails, and what it says

  @Test func `a pulse that was not expected`() async {
    let texts = await failures { test in
      await test.send(.alert("a")) { $0.alert = "a" }
      await test.send(.alert("a"))
    }
    #expect(
      texts == [
        "pulse 'alert' fired unexpectedly; assign it in the closure, even if its value stays "
          + #"the same: $0.alert = "a""#
      ])
  }

  @Test func `a pulse that was expected and did not fire`() async {
    let text =
      "pulse 'alert' was expected to fire, and did not; assign it in reduce, or not in the closure"
    #expect(await failures { await $0.send(.nothing) { $0.alert = nil } } == [text])
    #expect(await failures(.relaxed) { await $0.send(.nothing) { $0.alert = nil } } == [text])
  }

  @Test func `in a relaxed test, only a pulse that fires in the step itself counts`() async {
    let texts = await failures(.relaxed) { test in
      test.reactor.send(.count)
      test.reactor.send(.alert("a"))
      await test.receive(.alert("a")) { $0.alert = "a" }
      await test.send(.nothing) { $0.alert = "a" }
    }
    #expect(
      texts == [
        "pulse 'alert' was expected to fire, and did not; assign it in reduce, or not in "
          + "the closure"
      ])
  }

  @Test func `a pulse deep in the state`() async {
    let texts = await failures { test in
      await test.send(.add) { $0.rows = [.init()] }
      await test.send(.flash(0)) { $0.rows[0].isLit = true }
      await test.send(.flash(0))
      await test.send(.name("x")) { $0.byName = ["x": .init(isLit: true)] }
    }
    #expect(
      texts == [
        "pulse 'rows[0].isLit' fired unexpectedly; assign it in the closure, even if its value "
          + "stays the same: $0.rows[0].isLit = true",
        #"pulse 'byName["x"].isLit' fired unexpectedly; assign it in the closure, even if its "#
          + #"value stays the same: $0.byName["x"].isLit = true"#,
      ])
  }

  @Test func `a mutation that fires a pulse, and that was not received`() async {
    let texts = await failures { $0.reactor.send(.alert(nil)) }
    #expect(
      texts == [
        """
        mutation 'alert(nil)' came at the start, and was not received before finish(); receive it:

        (pulse 'alert' fired, and nothing else changed)
        """
      ])
  }

  @Test func `a specification that leaves a pulse out`() async {
    let texts = await texts {
      await spec(AlertReactor(), when: .count, .alert(nil)) { $0.count = 1 }
    }
    #expect(
      texts == [
        "after count, alert(nil): pulse 'alert' fired unexpectedly; assign it in the closure, "
          + "even if its value stays the same: $0.alert = nil"
      ])
  }

  @Test func `a difference shows values, and no tickets`() async {
    let texts = await failures { await $0.send(.alert("a")) { $0.alert = "b" } }
    #expect(
      texts == [
        """
        the state differs from the expected one; expected (-), actual (+):

          AlertReactor.State(
            count: 0,
        -   _alert: "b",
        +   _alert: "a",
            rows: [],
            byName: [:]
          )
        """
      ])
  }

  @Test func `a pulse of any kind of value is dumped as the value`() {
    var number = Pulse(wrappedValue: 1)
    number.wrappedValue = 2
    #expect(String(customDumping: number) == "2")
    #expect(String(customDumping: Pulse(wrappedValue: "a")) == #""a""#)
    #expect(String(customDumping: Pulse(wrappedValue: String?.none)) == "nil")
    #expect(
      String(customDumping: Pulse(wrappedValue: [1])) == """
        [
          [0]: 1
        ]
        """)
    #expect(
      String(customDumping: Pulse(wrappedValue: AlertReactor.Row()))
        == "AlertReactor.Row(_isLit: false)")
    let pulse = Pulse(wrappedValue: Strictness.exhaustive)
    #expect(String(customDumping: pulse) == ".exhaustive")
  }
}

private actor AlertReactor: Reactor {
  enum Action: Equatable {
    case alert(String?), count, add, flash(Int), removeFirst, name(String), nothing
  }

  struct Row: Equatable { @Pulse var isLit = false }

  struct State: Equatable {
    var count = 0
    @Pulse var alert: String?
    var rows: [Row] = []
    var byName: [String: Row] = [:]
  }

  let initialState = State()
  let pipeline = Pipeline()

  func reduce(state: inout State, mutation: Action) {
    switch mutation {
    case .alert(let text): state.alert = text
    case .count: state.count += 1
    case .add: state.rows.append(Row())
    case .flash(let index): state.rows[index].isLit = true
    case .removeFirst: state.rows.removeFirst()
    case .name(let name): state.byName[name, default: Row()].isLit = true
    case .nothing: break
    }
  }
}
