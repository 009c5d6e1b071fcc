import Reactor
import ReactorTesting
import Testing
import TestLimits

@testable import CounterDemo

/// Whole flows of the counter, every step of them asserted, on a stopped clock.
@Suite(.bounded) struct CounterFlowTests {
  private static let between = "the value must stay between \(Int.min) and \(Int.max)"

  /// Runs a test of a counter.
  private func flow(
    seed: UInt64 = 0, _ body: @escaping @Sendable (ReactorTest<CounterReactor>) async throws -> Void
  ) async throws {
    try await simulate(seed: seed) { simulation in
      let counter = CounterReactor(clock: simulation.clock)
      try await body(await ReactorTest(counter, in: simulation))
    }
  }

  // MARK: Changes

  @Test func `an increase loads for half a second, then counts and alerts`() async throws {
    try await flow { test in
      await test.begin(.increase(by: 5))
      #expect(test.state.isLoading)
      await test.advance(by: .milliseconds(499))
      await test.advance(by: .milliseconds(1))
      await test.receive(.end(adding: 5, alert: "increased!")) { $0.end(at: 5, "increased!") }
      #expect(!test.state.isLoading)
      await test.finish()
    }
  }

  @Test func `a decrease after it goes below 0`() async throws {
    try await flow { test in
      await test.begin(.increase(by: 1))
      await test.advance(by: .milliseconds(500))
      await test.receive { $0.end(at: 1, "increased!") }
      await test.begin(.decrease(by: 3))
      await test.advance(by: .milliseconds(500))
      await test.receive(.end(adding: -3, alert: "decreased!")) { $0.end(at: -2, "decreased!") }
      await test.finish()
    }
  }

  @Test func `two overlapping changes load until the second has ended`() async throws {
    try await flow { test in
      await test.begin(.increase(by: 1))
      await test.advance(by: .milliseconds(200))
      await test.begin(.decrease(by: 10))
      await test.advance(by: .milliseconds(300))
      await test.receive { $0.end(at: 1, "increased!") }
      #expect(test.state.isLoading)
      await test.advance(by: .milliseconds(200))
      await test.receive { $0.end(at: -9, "decreased!") }
      #expect(!test.state.isLoading)
      await test.finish()
    }
  }

  @Test(arguments: 0..<20 as Range<UInt64>)
  func `three changes at once end at 3, whichever is first`(seed: UInt64) async throws {
    try await flow(seed: seed) { test in
      for _ in 1...3 { await test.begin(.increase(by: 1)) }
      await test.advance(by: .milliseconds(500))
      for value in 1...3 { await test.receive { $0.end(at: value, "increased!") } }
      await test.finish()
    }
  }

  @Test func `a change by nothing loads as well`() async throws {
    try await flow { test in
      await test.begin(.increase(by: 0))
      await test.advance(by: .milliseconds(500))
      await test.receive { $0.end(at: 0, "increased!") }
      await test.finish()
    }
  }

  // MARK: At once

  @Test func `set and reset are done at once, without loading`() async throws {
    try await flow { test in
      await test.send(.set(42)) { $0.become(42) }
      await test.send(.reset) { $0.become(0) }
      await test.finish()
    }
  }

  @Test func `a set during a change is what the change adds to`() async throws {
    try await flow { test in
      await test.begin(.increase(by: 5))
      await test.send(.set(10)) { $0.become(10) }
      await test.advance(by: .milliseconds(500))
      await test.receive { $0.end(at: 15, "increased!") }
      await test.finish()
    }
  }

  @Test func `a reset cancels nothing`() async throws {
    try await flow { test in
      await test.begin(.decrease(by: 5))
      await test.send(.reset) { $0.become(0) }
      await test.advance(by: .milliseconds(500))
      await test.receive { $0.end(at: -5, "decreased!") }
      await test.finish()
    }
  }

  // MARK: What is refused

  @Test func `a change that does not fit is refused at once, and never loads`() async throws {
    try await flow { test in
      await test.send(.set(.max)) { $0.become(.max) }
      await test.send(.increase(by: 1)) {
        $0.refuse("\(Int.max) cannot change by 1: \(Self.between)")
      }
      await test.send(.set(.min)) { $0.become(.min) }
      await test.send(.decrease(by: 2)) {
        $0.refuse("\(Int.min) cannot change by -2: \(Self.between)")
      }
      await test.finish()
    }
  }

  @Test func `the lowest number cannot be taken away`() async throws {
    try await flow { test in
      await test.send(.decrease(by: .min)) {
        $0.refuse("0 cannot change by \(Int.min.magnitude): \(Self.between)")
      }
      await test.finish()
    }
  }

  @Test func `a change that no longer fits is refused when it ends`() async throws {
    try await flow { test in
      await test.begin(.increase(by: 1))
      await test.send(.set(.max)) { $0.become(.max) }
      await test.advance(by: .milliseconds(500))
      await test.receive(.end(adding: 1, alert: "increased!")) {
        $0.changesUnderWay -= 1
        $0.refuse("\(Int.max) cannot change by 1: \(Self.between)")
      }
      await test.finish()
    }
  }

  @Test func `of two changes to the limit, the second one is refused`() async throws {
    try await flow { test in
      await test.send(.set(.max - 1)) { $0.become(.max - 1) }
      for _ in 1...2 { await test.begin(.increase(by: 1)) }
      await test.advance(by: .milliseconds(500))
      await test.receive { $0.end(at: .max, "increased!") }
      await test.receive {
        $0.changesUnderWay -= 1
        $0.refuse("\(Int.max) cannot change by 1: \(Self.between)")
      }
      await test.finish()
    }
  }

  // MARK: The end

  @Test func `a stop cancels a change that is under way`() async throws {
    try await flow { test in
      await test.begin(.increase(by: 1))
      await test.reactor.stop().settled
      await test.advance(by: .milliseconds(500))
      await test.finish()
      #expect(test.state.value == 0)
    }
  }

  @Test func `a drain completes a change that is under way`() async throws {
    try await flow { test in
      await test.begin(.increase(by: 1))
      test.reactor.stop(.drain)
      await test.advance(by: .milliseconds(500))
      await test.receive { $0.end(at: 1, "increased!") }
      await test.finish()
    }
  }
}

extension ReactorTest<CounterReactor> {
  /// Sends an action whose change begins.
  fileprivate func begin(_ action: CounterReactor.Action, line: UInt = #line) async {
    await send(action, { $0.begin() }, line: line)
  }
}

extension CounterReactor.State {
  /// What a change that begins does to it.
  fileprivate mutating func begin() {
    changesUnderWay += 1
  }

  /// What a change that is made does to it.
  fileprivate mutating func end(at newValue: Int, _ newAlert: String) {
    changesUnderWay -= 1
    value = newValue
    alert = newAlert
  }

  fileprivate mutating func become(_ newValue: Int) {
    value = newValue
  }

  fileprivate mutating func refuse(_ reason: String) {
    refusal = reason
  }
}
