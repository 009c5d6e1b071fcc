import Reactor
import TestLimits
import TestSupport
import Testing

/// Which task-local values single actions have, where it matters which task wakes which.
@Suite(.bounded) struct CarryingTests {
  @Test func `without a sender's value, a carried one is the default in every job`() async {
    let looker = PlainTaskLocalReader.with { $0.carried = TaskLocals(Request.$id) }
    let receipt = looker.send(1)
    await Request.with(7) { await receipt.settled }
    #expect(looker.setup.readings.entries.allSatisfy { $0.id == 0 })
  }

  @Test func `several task-local values can be carried`() async {
    let looker = PlainTaskLocalReader.with {
      $0.carried = TaskLocals(Request.$id).and(TaskLocals(Request.$other))
    }
    await Request.with(7) { await looker.send(1).settled }
    let readings = looker.setup.readings.entries
    #expect(readings.allSatisfy { $0.id == 7 && $0.other == 7 })
    #expect(readings.count == 5)
  }

  @Test func `a job that takes turns has no task-local values`() async {
    let looker = PlainTaskLocalReader.with { _ in }
    await Request.with(7) { _ = looker.send(1) }
    _ = await looker.setup.ended.entries(upTo: 1)
    #expect(looker.setup.readings.entries.allSatisfy { $0.id == 0 && $0.other == 0 })
  }

  @Test func `an action that waits in a lane keeps its own values when another starts it`() async {
    let looker = LaneTaskLocalReader.with { $0.carried = TaskLocals(Request.$id) }
    await looker.turn { looker in
      for action in 1...3 { Request.$id.withValue(action) { _ = looker.send(action) } }
    }
    _ = await looker.setup.ended.entries(upTo: 3)
    #expect(looker.setup.readings.entries.allSatisfy { $0.id == $0.action })
  }

  @Test func `an evicted action has its own values, and so has the next one`() async {
    let looker = LaneTaskLocalReader.with {
      $0.carried = TaskLocals(Request.$id)
      $0.lane = { _ in .latest("a") }
    }
    await looker.turn { looker in
      for action in 1...3 { Request.$id.withValue(action) { _ = looker.send(action) } }
    }
    _ = await looker.setup.ended.entries(upTo: 3)
    let readings = looker.setup.readings.entries
    #expect(readings.filter { $0.place == .effect }.count == 3)
    #expect(readings.allSatisfy { $0.id == $0.action && $0.other == 0 })
  }

  @Test func `after a restart the values are carried as before`() async {
    let looker = ActionHookTaskLocalReader.with { $0.carried = TaskLocals(Request.$id) }
    await Request.with(1) { await looker.send(1).settled }
    await Request.with(9) { await looker.restart() }
    await Request.with(2) { await looker.send(2).settled }
    let readings = looker.setup.readings.entries
    #expect(readings.filter { $0.action == 2 }.count == 5)
    #expect(readings.allSatisfy { $0.id == $0.action })
  }

  @Test func `an action cancelled before it is taken does not affect the next one's values`() async
  {
    let looker = PlainTaskLocalReader.with { $0.carried = TaskLocals(Request.$id) }
    let last = await looker.turn { looker in
      for action in 1...2 { Request.$id.withValue(action) { looker.send(action) }.cancel() }
      return Request.$id.withValue(3) { looker.send(3) }
    }
    await last.settled
    let readings = looker.setup.readings.entries
    #expect(readings.count == 5)
    #expect(readings.allSatisfy { $0.action == 3 && $0.id == 3 })
  }

  @Test func `what an effect sends carries what the effect has bound`() async {
    let looker = PlainTaskLocalReader.with { $0.carried = TaskLocals(Request.$id) }
    let first = ScriptedReactor { _, action in
      .run { _ in Request.$id.withValue(action) { _ = looker.send(action) } }
    }
    await Request.with(9) { await first.send(4).settled }
    _ = await looker.setup.ended.entries(upTo: 1)
    #expect(looker.setup.readings.entries.allSatisfy { $0.id == 4 })
  }

  @Test func `a task that waits on the reactor lends mutate and reduce its other values`() async {
    let looker = PlainTaskLocalReader.with { $0.carried = TaskLocals(Request.$id) }
    await Request.with(7) { await looker.sendAndSettle(1) }
    let readings = looker.setup.readings.entries
    let (lent, own) = (
      readings.filter { $0.place == .mutate }, readings.filter { $0.place == .effect }
    )
    #expect(lent.map(\.other) == [7])
    #expect(own.map(\.other) == [0])
  }

  @Test func `a task that mutate creates has what mutate sees`() async {
    let seen = Log<Int>()
    let reactor = ScriptedReactor { _, _ in
      Task { seen.append(Request.other) }
      return .empty
    }
    await Request.with(7) { await reactor.sendAndSettle(1) }
    #expect(await seen.entries(upTo: 1) == [7])
  }

  @Test func `a hook that returns its input is called with the starting task's values`() async {
    let (plain, written) = (InputHook(), MadeHook())
    await Request.with(7) {
      _ = await plain.currentState
      _ = await written.currentState
    }
    #expect(plain.seen.entries == [7])
    #expect(written.seen.entries == [0])
  }

  @Test(arguments: [false, true], [false, true])
  func `an effect that carries values begins and ends within its turn`(
    usesReactor: Bool, isDecorated: Bool
  ) async {
    let chain = CarryingChain(usesReactor: usesReactor, isDecorated: isDecorated)
    await Request.with(7) { await chain.sendTracked(1).settled }
    // Had one not ended within its turn, the next one would have evicted it.
    #expect(chain.reports.problems == [])
    #expect(await chain.currentState == Array(1...100))
  }

  @Test func `no carried value is retained after its action`() async {
    final class Token: Sendable {}
    enum Kept { @TaskLocal static var token: Token? }
    let looker = LaneCarrier(TaskLocals(Kept.$token))
    weak let leaked: Token?
    do {
      let token = Token()
      leaked = token
      await Kept.$token.withValue(token) {
        await looker.send(1).settled
        await looker.send(2).settled
      }
      await looker.send(3).settled
    }
    await looker.wait { _ in leaked == nil }
  }
}

extension Reactor {
  /// Waits where the reactor runs, so that the waiting task takes the turn.
  fileprivate func sendAndSettle(_ action: Action) async { await send(action).settled }
}

private actor InputHook: Reactor, ActionTransforming {
  typealias Action = Int
  typealias Mutation = Int
  let initialState = 0
  let pipeline = Pipeline()
  let seen = Log<Int>()

  func transform(action: Actions) -> Actions {
    seen.append(Request.other)
    return action
  }

  func mutate(action: Int) -> MutationStream<Int> { .just(action) }
  func reduce(state: inout Int, mutation: Int) {}
}

private actor MadeHook: Reactor, ActionTransforming {
  typealias Action = Int
  typealias Mutation = Int
  let initialState = 0
  let pipeline = Pipeline()
  let seen = Log<Int>()

  func transform(action: Actions) -> some AsyncSequence<Int, Never> {
    seen.append(Request.other)
    return action.map { $0 }
  }

  func mutate(action: Int) -> MutationStream<Int> { .just(action) }
  func reduce(state: inout Int, mutation: Int) {}
}

/// Each action's effect sends the next one, into a lane where it would evict the effect.
private actor CarryingChain: Reactor {
  typealias Action = Int
  typealias Mutation = Int
  typealias State = [Int]

  let initialState: [Int] = []
  let pipeline = Pipeline(carrying: TaskLocals(Request.$id))
  let reports = ReportLog()
  let usesReactor: Bool
  let isDecorated: Bool

  init(usesReactor: Bool, isDecorated: Bool) {
    self.usesReactor = usesReactor
    self.isDecorated = isDecorated
  }

  func lane(for action: Int) -> Lane? { .latest("a") }

  func mutate(action: Int) -> MutationStream<Int> {
    let stream = stream(for: action)
    guard isDecorated else { return stream }
    return stream.map { $0 }.around { emit, body, _ in try await body(emit) }.onEnd { _, _ in }
  }

  private func stream(for action: Int) -> MutationStream<Int> {
    let sendNext: @Sendable () -> Void = { [weak self] in
      if action < 100 { self?.send(action + 1) }
    }
    if usesReactor {
      return .run { emit in
        self.check()
        await emit(action)
        sendNext()
      }
    }
    return .run { emit in
      await emit(action)
      sendNext()
    }
  }

  func check() { preconditionIsolated() }

  func reduce(state: inout [Int], mutation: Int) { state.append(mutation) }

  nonisolated func report(_ report: ReactorReport) { reports.append(report) }
}

/// A reactor with a lane, and nothing that keeps anything.
private actor LaneCarrier: Reactor {
  typealias Action = Int
  let initialState = 0
  let pipeline: ReactorPipeline<LaneCarrier>

  init(_ carried: TaskLocals) { pipeline = ReactorPipeline(carrying: carried) }

  func lane(for action: Int) -> Lane? { .leading("a") }

  func mutate(action: Int) -> MutationStream<Int> {
    .run { emit in
      await emit(action)
      await Task.yield()
    }
  }

  func reduce(state: inout Int, mutation: Int) { state += mutation }
}
