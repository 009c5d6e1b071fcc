import Reactor
import TestSupport
import Testing

/// Whose task-local values the work of an action has: its sender's, of those that are named; never
/// anybody else's.
@Suite(.timeLimit(.minutes(5))) struct TaskLocalsTests {
  private static let count = 2000

  /// How the senders send.
  enum Sending: CaseIterable { case plainly, awaiting, tracked, whenRoom, asking }

  private static func burst<L: Looker>(_ looker: L, _ sending: Sending) async {
    await withTaskGroup { group in
      for action in 1...count {
        group.addTask {
          await Request.with(action) {
            switch sending {
            case .plainly: looker.send(action)
            case .awaiting: await looker.send(action).settled
            case .tracked: await looker.sendTracked(action).settled
            case .whenRoom: await looker.sendWhenRoom(action)
            case .asking: _ = await looker.outcome(of: action)
            }
          }
        }
      }
    }
    _ = await looker.setup.ended.entries(upTo: count)
  }

  /// Whether nobody has seen a value that is not named, and everybody the sender's of the one that
  /// is.
  private static func check<L: Looker>(
    _: L.Type, _ sending: Sending, _ change: @Sendable (inout LookerSetup) -> Void = { _ in }
  ) async {
    for usesReactor in [true, false] {
      for isNamed in [false, true] {
        let looker = L.with { setup in
          setup.usesReactor = usesReactor
          if isNamed { setup.carried = TaskLocals(Request.$id) }
          change(&setup)
        }
        await burst(looker, sending)
        let sightings = looker.setup.sightings.entries
        let effects = sightings.filter { $0.place == .opening || $0.place == .effect }
        #expect(effects.count == 2 * count)
        #expect(effects.allSatisfy { $0.other == 0 })
        #expect(effects.allSatisfy { $0.id == (isNamed ? $0.action : 0) })
        guard isNamed else { continue }
        let others = sightings.filter { $0.place == .mutate || $0.place == .reduce }
        #expect(others.allSatisfy { $0.id == $0.action })
      }
    }
  }

  @Test(arguments: Sending.allCases)
  func `an effect has those of its own sender that are named, and no others`(
    sending: Sending
  ) async {
    await Self.check(PlainLooker.self, sending)
  }

  @Test(arguments: [Sending.plainly, .awaiting])
  func `so it is where actions wait in lanes`(sending: Sending) async {
    await Self.check(LaneLooker.self, sending)
  }

  @Test(arguments: Sending.allCases)
  func `so it is behind transform(action:)`(sending: Sending) async {
    await Self.check(ActionHookLooker.self, sending)
  }

  @Test(arguments: Sending.allCases)
  func `so it is before transform(mutation:)`(sending: Sending) async {
    await Self.check(MutationHookLooker.self, sending)
  }

  @Test func `so it is between both`() async {
    await Self.check(TwoHookLooker.self, .awaiting)
  }

  @Test func `so it is where the inbox has a limit`() async {
    await Self.check(PlainLooker.self, .whenRoom) {
      $0.inbox = .atMost(10, whenFull: .suspend)
    }
  }
}

/// The same for single actions, where it matters who wakes whom.
@Suite(.timeLimit(.minutes(5))) struct CarryingTests {
  @Test func `without a sender's value, a named one is the default, whoever takes the turn`() async
  {
    let looker = PlainLooker.with { $0.carried = TaskLocals(Request.$id) }
    let receipt = looker.send(1)
    await Request.with(7) { await receipt.settled }
    #expect(looker.setup.sightings.entries.allSatisfy { $0.id == 0 })
  }

  @Test func `several can be named`() async {
    let looker = PlainLooker.with {
      $0.carried = TaskLocals(Request.$id).and(TaskLocals(Request.$other))
    }
    await Request.with(7) { await looker.send(1).settled }
    let sightings = looker.setup.sightings.entries
    #expect(sightings.allSatisfy { $0.id == 7 && $0.other == 7 })
    #expect(sightings.count == 5)
  }

  @Test func `a job that takes turns has nobody's`() async {
    let looker = PlainLooker.with { _ in }
    await Request.with(7) { _ = looker.send(1) }
    _ = await looker.setup.ended.entries(upTo: 1)
    #expect(looker.setup.sightings.entries.allSatisfy { $0.id == 0 && $0.other == 0 })
  }

  @Test func `what waits in a lane keeps its own when another one's end starts it`() async {
    let looker = LaneLooker.with { $0.carried = TaskLocals(Request.$id) }
    await looker.turn { looker in
      for action in 1...3 { Request.$id.withValue(action) { _ = looker.send(action) } }
    }
    _ = await looker.setup.ended.entries(upTo: 3)
    #expect(looker.setup.sightings.entries.allSatisfy { $0.id == $0.action })
  }

  @Test func `one that is evicted from a lane has its own, and the next one too`() async {
    let looker = LaneLooker.with {
      $0.carried = TaskLocals(Request.$id)
      $0.lane = { _ in .latest("a") }
    }
    await looker.turn { looker in
      for action in 1...3 { Request.$id.withValue(action) { _ = looker.send(action) } }
    }
    _ = await looker.setup.ended.entries(upTo: 3)
    let sightings = looker.setup.sightings.entries
    #expect(sightings.filter { $0.place == .effect }.count == 3)
    #expect(sightings.allSatisfy { $0.id == $0.action && $0.other == 0 })
  }

  @Test func `after a restart it is as before`() async {
    let looker = ActionHookLooker.with { $0.carried = TaskLocals(Request.$id) }
    await Request.with(1) { await looker.send(1).settled }
    await Request.with(9) { await looker.restart() }
    await Request.with(2) { await looker.send(2).settled }
    let sightings = looker.setup.sightings.entries
    #expect(sightings.filter { $0.action == 2 }.count == 5)
    #expect(sightings.allSatisfy { $0.id == $0.action })
  }

  @Test func `one that is cancelled before it is taken leaves the next one its own`() async {
    let looker = PlainLooker.with { $0.carried = TaskLocals(Request.$id) }
    let last = await looker.turn { looker in
      for action in 1...2 { Request.$id.withValue(action) { looker.send(action) }.cancel() }
      return Request.$id.withValue(3) { looker.send(3) }
    }
    await last.settled
    let sightings = looker.setup.sightings.entries
    #expect(sightings.count == 5)
    #expect(sightings.allSatisfy { $0.action == 3 && $0.id == 3 })
  }

  @Test func `what an effect sends brings along what the effect has bound`() async {
    let looker = PlainLooker.with { $0.carried = TaskLocals(Request.$id) }
    let first = ScriptedReactor { _, action in
      .run { _ in Request.$id.withValue(action) { _ = looker.send(action) } }
    }
    await Request.with(9) { await first.send(4).settled }
    _ = await looker.setup.ended.entries(upTo: 1)
    #expect(looker.setup.sightings.entries.allSatisfy { $0.id == 4 })
  }

  @Test(arguments: [false, true], [false, true])
  func `an effect that brings something along begins and ends within its turn`(
    usesReactor: Bool, isDecorated: Bool
  ) async {
    let chain = CarryingChain(usesReactor: usesReactor, isDecorated: isDecorated)
    await Request.with(7) { await chain.sendTracked(1).settled }
    // Had one not ended within its turn, the next one would have evicted it.
    #expect(chain.reports.problems == [])
    #expect(await chain.currentState == Array(1...100))
  }

  @Test func `nothing is kept of what actions have brought along`() async {
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

/// What a pipeline does by itself has nobody's task-local values.
@Suite(.timeLimit(.minutes(5))) struct OwnTaskTests {
  /// Looks whenever it is asked; ends after three.
  private struct Source: AsyncSequence, AsyncIteratorProtocol, Sendable {
    typealias Failure = Never
    let log: Log<Sighting>
    var rest = 3

    func makeAsyncIterator() -> Source { self }

    mutating func next() async -> Int? {
      log.append(Sighting(.elsewhere, of: rest))
      rest -= 1
      return rest < 0 ? nil : rest
    }

    mutating func next(isolation: isolated (any Actor)?) async -> Int? { await next() }
  }

  /// Looks whenever somebody sleeps, who is woken at once.
  private struct LookingClock: Clock {
    let log: Log<Sighting>
    var now: ContinuousClock.Instant { ContinuousClock().now }
    var minimumResolution: Duration { .zero }

    func sleep(until deadline: ContinuousClock.Instant, tolerance: Duration?) async throws {
      log.append(Sighting(.elsewhere, of: 0))
    }
  }

  @Test func `a hook over actions, and what it merges`() async {
    let log = Log<Sighting>()
    let reactor = ActionHookedReactor(hook: { _, actions in
      Erased(
        actions.merging(Source(log: log)).map { action in
          log.append(Sighting(.elsewhere, of: action))
          return action
        })
    })
    await Request.with(7) { await reactor.send(9).settled }
    let sightings = await log.entries(upTo: 8)
    #expect(sightings.allSatisfy { $0.id == 0 })
  }

  @Test func `a hook over mutations, and what it merges`() async {
    let log = Log<Sighting>()
    let reactor = MutationHookedReactor(hook: { _, mutations in
      Erased(
        mutations.merging(Source(log: log)).map { mutation in
          log.append(Sighting(.elsewhere, of: mutation))
          return mutation
        })
    })
    await Request.with(7) { await reactor.send(9).settled }
    let sightings = await log.entries(upTo: 8)
    #expect(sightings.allSatisfy { $0.id == 0 })
  }

  @Test func `a hook over states`() async {
    let log = Log<Sighting>()
    let reactor = StateHookedReactor(hook: { _, states in
      Erased(
        states.map { state in
          log.append(Sighting(.elsewhere, of: state.count))
          return state
        })
    })
    await Request.with(7) { await reactor.send(9).settled }
    let sightings = await log.entries(upTo: 2)
    #expect(sightings.allSatisfy { $0.id == 0 })
  }

  @Test func `a lane's time`() async {
    let log = Log<Sighting>()
    let looker = LaneLooker.with {
      $0.lane = { _ in
        .latest("a").debounced(for: .seconds(1), clock: LookingClock(log: log))
      }
    }
    await Request.with(7) { await looker.send(1).settled }
    #expect(log.entries.count == 1)
    #expect((log.entries + looker.setup.sightings.entries).allSatisfy { $0.id == 0 })
  }
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
