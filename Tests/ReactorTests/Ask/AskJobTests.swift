import Reactor
import TestLimits
import TestSupport
import Testing

/// An ask of an idle reactor takes the turn in place of a job, and leaves nothing behind.
@Suite(.bounded) struct AskJobTests {
  private actor Counter: Reactor {
    enum Action: Sendable { case add(Int), count(Reply<Int>) }
    typealias Mutation = Int

    nonisolated let initialState = 0
    nonisolated let pipeline = Pipeline()
    nonisolated let executor = ManualExecutor()
    nonisolated let reduced = Log<Int>()

    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    func mutate(action: Action) -> MutationStream<Int> {
      switch action {
      case .add(let number): return .just(number)
      case .count(let reply):
        reply(currentState)
        return .empty
      }
    }

    func reduce(state: inout Int, mutation: Int) {
      state += mutation
      reduced.append(mutation)
    }

    nonisolated func report(_ report: ReactorReport) {}
  }

  private let counter = Counter()

  private var executor: ManualExecutor { counter.executor }

  private func ask() -> Task<Int, any Error> {
    Task.immediate { [counter] in try await counter.ask { .count($0) } }
  }

  // In a process of its own: while others simulate, a job is made all the same.
  @Test func `an ask of an idle reactor is one job: the asker's own`() async {
    await #expect(processExitsWith: .success) { try await AskJobTests().askThreeTimes() }
  }

  private func askThreeTimes() async throws {
    for time in 1...3 {
      let asking = ask()
      await executor.run { [executor] in executor.runs == time }
      #expect(try await asking.value == 0)
      #expect(executor.isIdle)
    }
  }

  @Test func `an action whose outcome is awaited is one job as well`() async {
    await #expect(processExitsWith: .success) { await AskJobTests().askForOutcome() }
  }

  private func askForOutcome() async {
    let asking = Task.immediate { [counter] in await counter.outcome(of: .add(2)) }
    await executor.run { [counter] in counter.reduced.count == 1 }
    // What is left are the asker's looks at how it has ended.
    let looking = Task { [executor] in await executor.run { false } }
    #expect(await asking.value.isFinished)
    #expect(executor.isIdle)
    looking.cancel()
  }

  @Test func `an action that is sent while the asker resumes is taken later`() async throws {
    let asking = ask()
    counter.send(.add(5))
    await executor.run { [counter] in counter.reduced.count == 1 }
    #expect(try await asking.value == 0)
  }

  @Test func `an action that is sent after the ask is taken by a job again`() async throws {
    let asking = ask()
    await executor.run { [executor] in executor.runs == 1 }
    _ = try await asking.value
    counter.send(.add(5))
    await executor.run { [counter] in counter.reduced.count == 1 }
    #expect(counter.reduced.entries == [5])
  }

  @Test(arguments: [StopMode.drain, .cancel])
  func `a reactor that is stopped while the asker resumes ends`(mode: StopMode) async throws {
    let asking = ask()
    let ending = counter.stop(mode)
    Task { [executor] in await executor.run { false } }
    await ending.settled
    // It has come before the end.
    #expect(try await asking.value == 0)
    #expect(counter.send(.add(1)).refusal == .stopped)
  }

  @Test func `an action that is cancelled before the asker resumes is not taken`() async throws {
    let asking = Task.immediate { [counter] in await counter.outcome(of: .add(2)) }
    asking.cancel()
    Task { [executor] in await executor.run { false } }
    let outcome = await asking.value
    guard case .cancelled = outcome else { return #expect("\(outcome)" == "cancelled") }
    #expect(counter.reduced.entries.isEmpty)
    await counter.send(.add(3)).settled
    #expect(counter.reduced.entries == [3])
  }
}
