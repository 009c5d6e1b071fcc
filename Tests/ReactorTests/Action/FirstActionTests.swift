import Reactor
import ReactorComposition
import TestLimits
import TestSupport
import Testing

@Suite(.bounded) struct FirstActionTests {
  @Test func `a reactor whose state is observed takes its first action`() async {
    let list = ListReactor()
    #expect(await list.state.first { $0.isLoaded } != nil)
  }

  @Test func `reading the state also starts the first action`() async {
    let list = ListReactor()
    #expect(await list.currentState.taken == [])
    #expect(await list.state.first { $0.taken == ["load"] } != nil)
  }

  @Test func `the first action precedes every sent action, and is taken once`() async {
    let list = ListReactor()
    await list.send("a").settled
    await list.send("b").settled
    #expect(await list.currentState.taken == ["load", "a", "b"])
  }

  @Test func `the first action is taken also with a bounded inbox and a name`() async {
    let list = ListReactor(2)
    await list.send("a").settled
    #expect(await list.currentState.taken == ["load", "a"])
  }

  @Test func `the first action takes no slot of the inbox`() async {
    let list = ListReactor(1)
    let receipt = list.send("a")
    #expect(!receipt.isRefused)
    await receipt.settled
    #expect(await list.currentState.taken == ["load", "a"])
    let patient = ListReactor(1, suspendsSenders: true)
    await patient.sendWhenRoom("b").settled
    #expect(await patient.currentState.taken == ["load", "b"])
  }

  @Test func `the first action precedes what was sent, though a stop was already queued`() async {
    let list = ListReactor()
    await list.turn { list in
      list.send("a")
      list.stop(.drain)
    }
    await list.stop(.drain).settled
    #expect(await list.currentState.taken == ["load", "a"])
  }

  @Test func `the first action is not taken again after a restart`() async {
    let list = ListReactor()
    await list.send("a").settled
    await list.restart()
    await list.send("b").settled
    #expect(await list.currentState.taken == ["load", "a", "b"])
  }

  @Test func `a reactor that is never used does not take its first action`() {
    let (loads, reports) = (Log<Int>(), ReportLog())
    _ = ListReactor(loads: loads, reports: reports)
    #expect(loads.count == 0)
    #expect(reports.count == 0)
  }

  @Test func `a reactor that is stopped before it began does not take its first action`() async {
    let (loads, reports) = (Log<Int>(), ReportLog())
    let list = ListReactor(loads: loads, reports: reports)
    await list.stop(.drain).settled
    #expect(loads.count == 0)
    #expect(reports.count == 0)
    #expect(await list.currentState.taken == [])
  }

  @Test func `a registry releases a reactor that never began`() async throws {
    let clock = ManualClock()
    let lists = ReactorRegistry<Int, ListReactor>(idle: .steps(1), clock: clock) { _ in
      ListReactor()
    }
    let released = Gate()
    try await lists.with(1) { await $0.leave(released) }
    await clock.advance(past: 1)
    await released.pass()
  }

  @Test func `the first action passes middleware as any other does`() async {
    let seen = Log<Int>()
    let stage = ActionStage(for: Int.self) { action in
      seen.append(action)
      return .change(action + 10)
    }
    let reactor = MiddlewareFirstReactor([stage])
    await reactor.send(1).settled
    #expect(seen.entries == [0, 1])
    #expect(await reactor.currentState == [10, 11])
  }

  @Test func `the first action precedes the others behind hooks as well`() async {
    let reactor = HookedFirstReactor()
    await reactor.send(1).settled
    #expect(await reactor.currentState == [0, 1])
  }
}

private actor ListReactor: Reactor {
  typealias Action = String
  enum Mutation { case taken(String), loaded }
  struct State {
    var taken: [String] = []
    var isLoaded = false
  }

  let initialState = State()
  let pipeline: ReactorPipeline<ListReactor>
  private let loads: Log<Int>
  private nonisolated let reports: ReportLog
  /// Opens when the reactor is released.
  private var released: Gate?

  init(
    _ limit: Int = .max, suspendsSenders: Bool = false, loads: Log<Int> = Log(),
    reports: ReportLog = ReportLog()
  ) {
    pipeline = ReactorPipeline(
      named: "list", inboxLimit: limit, suspendsSenders: suspendsSenders, first: "load")
    (self.loads, self.reports) = (loads, reports)
  }

  deinit { released?.open() }

  func leave(_ gate: Gate) { released = gate }

  func turn(_ body: @Sendable (isolated ListReactor) -> Void) { body(self) }

  func mutate(action: String) -> MutationStream<Mutation> {
    guard action == "load" else { return .just(.taken(action)) }
    loads.append(1)
    return .concat(.just(.taken(action)), .run { emit in await emit(.loaded) })
  }

  func reduce(state: inout State, mutation: Mutation) {
    switch mutation {
    case .taken(let action): state.taken.append(action)
    case .loaded: state.isLoaded = true
    }
  }

  nonisolated func report(_ report: ReactorReport) { reports.append(report) }
}

private actor HookedFirstReactor: Reactor {
  typealias Action = Int
  typealias Mutation = Int

  let initialState: [Int] = []
  let pipeline = Pipeline(first: 0)

  func transform(action: Actions) -> some AsyncSequence<Int, Never> { action.map { $0 } }

  func transform(mutation: Mutations) -> some AsyncSequence<Int, Never> { mutation.map { $0 } }

  func reduce(state: inout [Int], mutation: Int) { state.append(mutation) }
}

private actor MiddlewareFirstReactor: Reactor {
  typealias Action = Int
  typealias Mutation = Int

  let initialState: [Int] = []
  let pipeline: ReactorPipeline<MiddlewareFirstReactor>

  init(_ middleware: [any ActionMiddleware]) {
    pipeline = ReactorPipeline(through: middleware, first: 0)
  }

  func reduce(state: inout [Int], mutation: Int) { state.append(mutation) }
}
