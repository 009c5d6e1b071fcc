import Reactor
import ReactorComposition
import ReactorREPL
import ReactorREPLTesting
import ReactorRuntime
import ReactorTesting
import TestLimits
import Testing

private actor Till: Reactor {
  enum Action: Sendable { case pay(Int), refund(Int, Reply<Int>), refuse }
  typealias Mutation = Int
  typealias State = Int
  struct Closed: ExpectedError, CustomStringConvertible {
    var description: String { "the till is closed; try 'pay 5'" }
  }

  let initialState = 0
  let pipeline = Pipeline()

  func mutate(action: Action) -> MutationStream<Int> {
    switch action {
    case .pay(let amount): return .just(amount)
    case .refund(let amount, let reply):
      reply(currentState - amount)
      return .just(-amount)
    case .refuse: return .run { _ in throw Closed() }
    }
  }

  func reduce(state: inout Int, mutation: Int) { state += mutation }
}

private struct TillScreen<Handle: ReactorHandle>: HandleScreen
where Handle.Action == Till.Action, Handle.State == Int {
  enum Command: ShellCommand {
    case pay(Int), refund(Int), refuse

    static var table: CommandTable<Self> {
      CommandTable([
        CommandSpec("pay", .number(), summary: "pay", example: "pay 5") { .pay($0) },
        CommandSpec("refund", .number(), summary: "pay back", example: "refund 5") { .refund($0) },
        CommandSpec("refuse", summary: "refuse") { .refuse },
      ])
    }
  }

  let reactor: HandleReactor<Handle>

  func perform(_ command: Command) async throws -> ScreenStep<HandleReactor<Handle>> {
    switch command {
    case .pay(let amount): .background(reactor.send(.perform(.pay(amount))))
    case .refund(let amount): .answer("\(try await reactor.ask { .refund(amount, $0) }) are left")
    case .refuse: .background(reactor.send(.perform(.refuse)))
    }
  }

  func prompt(of amount: Int) -> String { "\(amount) > " }

  func report(of amount: Int, after last: Int?) -> [String] {
    amount == last ? [] : ["there are \(amount)"]
  }
}

/// A handle whose subscriptions deliver one state and then nothing, as slow as one can be.
private final class LateHandle: ReactorHandle {
  typealias Action = Till.Action
  typealias State = Int
  typealias Output = Never

  let till = Till()
  let failures = Guarded(0)

  private func fails() -> Bool {
    failures.withLock { count in
      count -= 1
      return count >= 0
    }
  }

  nonisolated(nonsending) func send(_ action: Action) async throws { till.send(action) }
  nonisolated(nonsending) func outcome(of action: Action) async throws -> ActionOutcome {
    await till.outcome(of: action)
  }
  nonisolated(nonsending) func ask<Value: Sendable & Codable>(
    _ action: (Reply<Value>) -> Action
  ) async throws -> Value {
    try await till.ask(action)
  }

  var state: HandleStream<Int> {
    HandleStream { [self] in
      if fails() { throw Unreachable() }
      let state = await till.currentState
      let (never, end) = AsyncStream.makeStream(of: Never.self)
      var isFirst = true
      return {
        defer { isFirst = false }
        if isFirst { return state }
        for await _ in never {}
        withExtendedLifetime(end) {}
        return nil
      }
    }
  }

  var outputs: HandleStream<Never> { HandleStream { { nil } } }

  struct Unreachable: Error, CustomStringConvertible {
    var description: String { "the host is away" }
  }
}

@Suite(.bounded) struct HandleScreenTests {
  @Test func `each line of a script shows what it has changed before the next is read`()
    async throws
  {
    try await simulate(seeds: 0..<20) { simulation in
      let tills = ReactorRegistry<String, Till>(idle: nil) { _ in Till() }
      let reactor = HandleReactor(tills["1"], clock: simulation.clock)
      let console = await TestConsole(TillScreen(reactor: reactor), in: simulation, at: .pipe)
      await console.type("pay 5\npay 3\nrefund 2\npay 1\n")
      await console.end()
      #expect(
        console.said == [
          "there are 0", "there are 5", "there are 8", "there are 6", "6 are left", "there are 7",
        ])
      #expect(console.exitStatus == 0)
      _ = await tills.stop(.drain)
    }
  }

  @Test func `what was acknowledged is shown, also if its states arrive late`() async throws {
    try await simulate(seeds: 0..<20) { simulation in
      let handle = LateHandle()
      let reactor = HandleReactor(handle, clock: simulation.clock)
      let console = await TestConsole(TillScreen(reactor: reactor), in: simulation)
      #expect(console.prompt == "0 > ")
      await console.type("pay 5\n")
      #expect(console.prompt == "5 > ")
      await console.type("refund 2\npay 1\n")
      #expect(console.prompt == "4 > ")
      #expect(console.said == ["3 are left"])
    }
  }

  @Test func `changes of others are shown while a line is typed`() async throws {
    try await simulate { simulation in
      let tills = ReactorRegistry<String, Till>(idle: nil) { _ in Till() }
      let reactor = HandleReactor(tills["1"], clock: simulation.clock)
      let console = await TestConsole(TillScreen(reactor: reactor), in: simulation)
      await console.type("pa")
      try await tills["1"].send(.pay(7))
      await console.settle()
      #expect(console.prompt == "7 > ")
      #expect(console.line == "pa")
    }
  }

  @Test func `a refusal is one line, and counts as not done`() async throws {
    try await simulate { simulation in
      let handle = LateHandle()
      let reactor = HandleReactor(handle, clock: simulation.clock)
      let console = await TestConsole(TillScreen(reactor: reactor), in: simulation, at: .pipe)
      await console.type("refuse\npay 1\n")
      await console.end()
      #expect(console.errors == ["error: the till is closed; try 'pay 5'"])
      #expect(console.said.last == "there are 1")
      #expect(console.exitStatus == 1)
    }
  }

  @Test func `states that cannot be read are reported once, and read again each second`()
    async throws
  {
    try await simulate { simulation in
      let handle = LateHandle()
      handle.failures.withLock { $0 = 3 }
      let reactor = HandleReactor(handle, clock: simulation.clock)
      let console = await TestConsole(TillScreen(reactor: reactor), in: simulation)
      #expect(console.prompt == "(waiting) > ")
      await console.advance(by: .seconds(2))
      #expect(
        console.errors == [
          "error: the state cannot be read: the host is away; it is tried again"
        ])
      await console.advance(by: .seconds(1))
      #expect(console.prompt == "0 > ")
    }
  }

  @Test func `quitting does not wait for states`() async throws {
    try await simulate { simulation in
      let reactor = HandleReactor(LateHandle(), clock: simulation.clock)
      let console = await TestConsole(TillScreen(reactor: reactor), in: simulation)
      await console.type("pay 1\nquit\n")
      #expect(console.exitStatus == 0)
    }
  }
}
