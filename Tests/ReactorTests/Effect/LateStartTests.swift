import Reactor
import ReactorRuntime
import Synchronization
import TestLimits
import TestSupport
import Testing

/// What is left where no task begins in place, as on Apple's systems before version 26.
///
/// Each in a process of its own, as it is decided for a whole process.
@Suite(.bounded) struct LateStartTests {
  #if DEBUG && (os(Linux) || os(macOS))
    @Test func `an effect runs, on the reactor and away from it, and settles`() async {
      await #expect(processExitsWith: .success) {
        ImmediateStart.isDisabled.store(true, ordering: .relaxed)
        let reactor = LateReactor()
        await reactor.send(.here(1)).settled
        await reactor.send(.elsewhere(2)).settled
        #expect(await reactor.currentState == [1, 2])
        withExtendedLifetime(reactor) {}
      }
    }

    @Test func `a sequential lane keeps its order, and a latest lane evicts`() async {
      await #expect(processExitsWith: .success) {
        ImmediateStart.isDisabled.store(true, ordering: .relaxed)
        let reactor = LateReactor()
        let receipts = (0..<100).map { reactor.send(.inLine($0)) }
        for receipt in receipts { await receipt.settled }
        #expect(await reactor.currentState == Array(0..<100))
        let first = reactor.send(.latest(100))
        await reactor.send(.latest(101)).settled
        await first.settled
        #expect(await reactor.currentState.last == 101)
        withExtendedLifetime(reactor) {}
      }
    }

    @Test func `an effect that is cancelled before it began does nothing`() async {
      await #expect(processExitsWith: .success) {
        ImmediateStart.isDisabled.store(true, ordering: .relaxed)
        let reactor = LateReactor()
        let receipt = await reactor.sendAndCancel(.here(1))
        guard case .cancelled = await receipt.outcome else {
          Issue.record("It has not been cancelled.")
          return
        }
        #expect(await reactor.currentState == [])
        withExtendedLifetime(reactor) {}
      }
    }

    @Test func `an error is reported, and a stop waits for what runs`() async {
      await #expect(processExitsWith: .success) {
        ImmediateStart.isDisabled.store(true, ordering: .relaxed)
        let reactor = LateReactor()
        await reactor.send(.failing).settled
        #expect(reactor.reports.entries.count == 1)
        reactor.send(.here(7))
        await reactor.stop(.drain).settled
        #expect(await reactor.currentState == [7])
        withExtendedLifetime(reactor) {}
      }
    }

    @Test func `hooks are called once, and actions go through them`() async {
      await #expect(processExitsWith: .success) {
        ImmediateStart.isDisabled.store(true, ordering: .relaxed)
        let reactor = ActionHookedReactor(hook: ActionHookedReactor.passing)
        reactor.send(1)
        #expect(await reactor.state.first { $0 == [1] } == [1])
        withExtendedLifetime(reactor) {}
      }
    }
  #endif
}

/// Effects of every kind that begins in place elsewhere.
private actor LateReactor: Reactor {
  enum Action: Sendable {
    case here(Int)
    case elsewhere(Int)
    case inLine(Int)
    case latest(Int)
    case failing
  }

  struct Failure: Error {}

  let initialState: [Int] = []
  let pipeline = Pipeline()
  let reports = ReportLog()
  private var last = 0

  func lane(for action: Action) -> Lane? {
    switch action {
    case .inLine: .sequential("line")
    case .latest: .latest("latest")
    default: nil
    }
  }

  func mutate(action: Action) -> MutationStream<Int> {
    switch action {
    case .here(let number), .inLine(let number):
      .run { emit in
        self.last = number
        await emit(number)
      }
    case .elsewhere(let number), .latest(let number): .run { emit in await emit(number) }
    case .failing: .run { _ in throw Failure() }
    }
  }

  func reduce(state: inout [Int], mutation: Int) { state.append(mutation) }

  nonisolated func report(_ report: ReactorReport) { reports.append(report) }

  func sendAndCancel(_ action: Action) -> ActionReceipt<LateReactor> {
    let receipt = send(action)
    receipt.cancel()
    return receipt
  }
}
