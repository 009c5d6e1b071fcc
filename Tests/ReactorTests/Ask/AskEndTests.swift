import TestLimits
import TestSupport
import Testing

@testable import Reactor

/// What an ask leaves behind, and what its end is called where several things end at once.
@Suite(.bounded) struct AskEndTests {
  /// Keeps a canary in its state, which its pipeline has for as long as itself.
  actor Keeper: Reactor {
    enum Action: Sendable {
      case twice(Canary, Reply<Int>)
      case keep(Canary, Reply<Int>)
    }
    enum Mutation: Sendable {
      case canary(Canary)
      case keep(Canary, Reply<Int>)
    }
    struct State: Sendable {
      var canaries: [Canary] = []
      var replies: [Reply<Int>] = []
    }

    let initialState = State()
    let pipeline = Pipeline()

    nonisolated func report(_ report: ReactorReport) {}

    func mutate(action: Action) -> MutationStream<Mutation> {
      switch action {
      case .twice(let canary, let reply):
        reply(1)
        reply(2)
        return .just(.canary(canary))
      case .keep(let canary, let reply): return .just(.keep(canary, reply))
      }
    }

    func reduce(state: inout State, mutation: Mutation) {
      switch mutation {
      case .canary(let canary): state.canaries.append(canary)
      case .keep(let canary, let reply):
        state.canaries.append(canary)
        state.replies.append(reply)
      }
    }
  }

  /// Its hook keeps every action for itself.
  actor Holder: Reactor {
    typealias Action = Reply<Int>
    typealias Mutation = Never
    let initialState = 0
    let pipeline = Pipeline()
    let held = Gate()

    nonisolated func report(_ report: ReactorReport) {}

    func transform(action: Actions) -> some AsyncSequence<Action, Never> {
      let held = held
      return action.filter { _ in
        try? await held.wait()
        return true
      }
    }

    func mutate(action: Action) -> MutationStream<Never> { .empty }
    func reduce(state: inout Int, mutation: Never) {}
  }

  /// Runs its jobs where they are enqueued, so that a resumed task goes on at once.
  final class InlineExecutor: SerialExecutor {
    func enqueue(_ job: consuming ExecutorJob) {
      UnownedJob(job).runSynchronously(on: asUnownedSerialExecutor())
    }

    func asUnownedSerialExecutor() -> UnownedSerialExecutor {
      UnownedSerialExecutor(ordinary: self)
    }
  }

  actor Asker {
    private nonisolated let executor = InlineExecutor()

    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    func ask(_ holder: Holder) async -> Answer { await Answer { try await holder.ask { $0 } } }
  }

  @Test func `a reply that was answered twice retains nothing`() async throws {
    let released = Gate()
    do {
      let keeper = Keeper()
      #expect(try await keeper.ask { .twice(Canary(released), $0) } == 1)
    }
    try await released.wait()
  }

  @Test func `a reply in a released reactor's state retains nothing after a cancel`()
    async throws
  {
    let released = Gate()
    do {
      let keeper = Keeper()
      let asking = Task { try await keeper.ask { .keep(Canary(released), $0) } }
      _ = await keeper.state.first { !$0.replies.isEmpty }
      asking.cancel()
      await #expect(throws: CancellationError.self) { try await asking.value }
    }
    try await released.wait()
  }

  @Test func `the time limit of an ask begins with the call`() async {
    let (office, clock) = (OfficeReactor(), ManualClock())
    // The reactor has no time for it before the third step.
    let asking = await office.turn { office in
      let asking = Task.immediate {
        await Answer { try await office.ask(within: .steps(5), clock: clock) { .gated(1, $0) } }
      }
      clock.advance(to: 3)
      return asking
    }
    #expect(await clock.sleeps.entries(upTo: 1) == [5])
    clock.advance(to: 5)
    #expect(await asking.value == .askError("timedOut(5.0 seconds)"))
  }

  @Test func `an ask's time limit may pass before the reactor takes it`() async {
    let (office, clock) = (OfficeReactor(), ManualClock())
    let asking = await office.turn { office in
      let asking = Task.immediate {
        await Answer { try await office.ask(within: .steps(5), clock: clock) { .gated(1, $0) } }
      }
      clock.advance(to: 7)
      return asking
    }
    #expect(await asking.value == .askError("timedOut(5.0 seconds)"))
    await office.stop(.drain).settled
    #expect(await office.currentState.count == 0)
  }

  @Test func `an ask that a hook holds when its reactor ends was never begun`() async {
    let (asker, holder) = (Asker(), Holder())
    let asking = Task { await asker.ask(holder) }
    await holder.held.reached()
    // Once more, so that the reactor does not wait for the hook.
    holder.stop()
    holder.stop()
    #expect(await asking.value == .askError("neverBegun"))
  }

  @Test func `an effect that throws at once after a wait in its lane answers with that`() async {
    enum Refusal: ExpectedError { case soldOut }
    let office = OfficeReactor { _, number, _ in
      .run { _ in if number == 2 { throw Refusal.soldOut } }
    }
    let first = office.asking { .laned(.sequential("desk"), 1, $0) }
    await office.gates[1].reached()
    let second = Task { try await office.ask { .lanedScript("desk", 2, $0) } }
    await office.wait { $0.depth(ofLane: "desk").waiting == 1 }
    office.gates[1].open()
    #expect(await first.value == .value(1))
    await #expect(throws: Refusal.soldOut) { try await second.value }
  }
}
