import Reactor
import TestLimits
import TestSupport
import Testing

// The table of saga helpers on the page Coming from, copied by hand.

private actor WatchingReactor: LanedReactor {
  enum Action {
    case load(String), search(String), logIn(String), type(String), scroll(String), stop
  }
  typealias Mutation = String

  let initialState: [String] = []
  let pipeline = Pipeline()
  let reports = ReportLog()
  let service = HeldService()
  let clock: any Clock<Duration>

  init(clock: any Clock<Duration>) { self.clock = clock }

  func lane(for action: Action) -> Lane? {
    switch action {
    // takeEvery, takeLatest, takeLeading, debounce, throttle
    case .load: nil
    case .search: .latest("search")
    case .logIn: .leading("login")
    case .type: .concurrent("type").debounced(for: .milliseconds(300), clock: clock)
    case .scroll: .concurrent("scroll").throttled(for: .milliseconds(100), clock: clock)
    case .stop: nil
    }
  }

  func mutate(action: Action) -> MutationStream<String> {
    switch action {
    case .load(let text), .search(let text), .logIn(let text), .type(let text), .scroll(let text):
      return .run { emit in await emit(try await service.get(text)) }
    case .stop:
      cancel(lane: "search")
      return .just("stopped")
    }
  }

  func reduce(state: inout [String], mutation: String) { state.append(mutation) }

  nonisolated func report(_ report: ReactorReport) { reports.append(report) }
}

@Suite(.bounded) struct SagaHelperTests {
  private let clock = MillisecondClock()
  private let reactor: WatchingReactor
  private var service: HeldService { reactor.service }

  init() { reactor = WatchingReactor(clock: clock) }

  @Test func `takeEvery: each action has an effect of its own`() async {
    let receipts = [reactor.send(.load("a")), reactor.send(.load("b"))]
    #expect(await service.asked(2) == ["a", "b"])
    service.answer("b")
    await receipts[1].settled
    service.answer("a")
    await receipts[0].settled
    #expect(await reactor.currentState == ["b", "a"])
  }

  @Test func `takeLatest: a newer action cancels the older one's effect`() async {
    let receipts = [reactor.send(.search("a")), reactor.send(.search("b"))]
    await receipts[0].settled
    service.answer("a", "b")
    await receipts[1].settled
    #expect(service.questions.entries.sorted() == ["a", "b"])
    #expect(await reactor.currentState == ["b"])
    #expect(reactor.reports.problems == ["evicted(search)"])
  }

  @Test func `takeLeading: what comes while an effect runs is dropped`() async {
    let receipts = [reactor.send(.logIn("a")), reactor.send(.logIn("b"))]
    await receipts[1].settled
    service.answer("a", "c")
    await receipts[0].settled
    await reactor.send(.logIn("c")).settled
    #expect(service.questions.entries == ["a", "c"])
    #expect(await reactor.currentState == ["a", "c"])
    #expect(reactor.reports.problems == ["dropped(login)"])
  }

  @Test func `debounce: the last action starts once it has been quiet`() async {
    let receipts = [reactor.send(.type("a")), reactor.send(.type("b"))]
    await receipts[0].settled
    _ = await clock.hand.sleeps.entries(upTo: 2)
    #expect(service.questions.entries == [])
    clock.hand.advance(to: 300)
    service.answer("b")
    await receipts[1].settled
    #expect(await reactor.currentState == ["b"])
  }

  @Test func `debounce: an effect that runs is not disturbed by the next one`() async {
    let first = reactor.send(.type("a"))
    await clock.hand.advance(past: 300)
    _ = await service.asked(1)
    let second = reactor.send(.type("b"))
    await clock.hand.advance(past: 600)
    #expect(await service.asked(2) == ["a", "b"])
    service.answer("a", "b")
    await first.settled
    await second.settled
    #expect(await reactor.currentState.sorted() == ["a", "b"])
  }

  @Test func `throttle: the first at once, then the last one of the window`() async {
    let receipts = ["a", "b", "c"].map { reactor.send(.scroll($0)) }
    service.answer("a", "b", "c")
    await receipts[0].settled
    await receipts[1].settled
    #expect(await reactor.currentState == ["a"])
    await clock.hand.advance(past: 100)
    await receipts[2].settled
    #expect(await reactor.currentState == ["a", "c"])
    #expect(reactor.reports.problems == ["superseded(scroll)"])
  }

  @Test func `cancel: from an action, from outside, and by a receipt`() async {
    let first = reactor.send(.search("a"))
    await reactor.send(.stop).settled
    await first.settled

    let second = reactor.send(.search("b"))
    reactor.cancel(lane: "search")
    await second.settled

    let third = reactor.send(.load("c"))
    third.cancel()
    await third.settled

    #expect(await reactor.currentState == ["stopped"])
    #expect(reactor.reports.problems == [])
  }
}
