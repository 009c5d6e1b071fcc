import Reactor
import TestLimits
import TestSupport
import Testing

// The policies of Bloc, TCA and Actomaton on the page Coming from, copied by hand.

private enum CancelID { case search }

private actor PolicyReactor: LanedReactor {
  enum Action: Sendable {
    case refresh(String), save(String), logIn(String), search(String)
    case query(String), cancelQuery
    case preview(String), download(String), ping(String), mail(String), cancelDownloads
    case open(String)
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
    // Bloc
    case .refresh: .concurrent("refresh")  // concurrent()
    case .save: .sequential("save")  // sequential()
    case .logIn: .leading("login")  // droppable()
    case .search: .latest("search")  // restartable()
    // TCA
    case .query: .latest(CancelID.search)
    case .cancelQuery: nil
    // Actomaton
    case .preview: .latest("preview", atMost: 2)  // runNewest
    case .download: .concurrent("downloads", atMost: 2)  // runOldest, suspendNew
    case .ping: .leading("ping", atMost: 2)  // runOldest, discardNew
    case .mail: .concurrent("mail").spaced(by: .seconds(1), clock: clock)  // effectQueueDelay
    case .cancelDownloads, .open: nil
    }
  }

  func mutate(action: Action) -> MutationStream<String> {
    switch action {
    case .refresh(let text), .save(let text), .logIn(let text), .search(let text),
      .query(let text), .preview(let text), .download(let text), .ping(let text),
      .mail(let text):
      return .run { emit in await emit(try await service.get(text)) }
    case .cancelQuery:
      cancel(lane: CancelID.search)
      return .empty
    case .cancelDownloads:
      cancel(lane: "downloads")
      return .empty
    case .open(let text): return .run { _ in send(.refresh(text)) }
    }
  }

  func reduce(state: inout [String], mutation: String) { state.append(mutation) }

  nonisolated func report(_ report: ReactorReport) { reports.append(report) }
}

@Suite(.bounded) struct PolicyVocabularyTests {
  private let clock = MillisecondClock()
  private let reactor: PolicyReactor
  private var service: HeldService { reactor.service }

  init() { reactor = PolicyReactor(clock: clock) }

  @Test func `concurrent: everything runs at the same time`() async {
    let receipts = ["a", "b"].map { reactor.send(.refresh($0)) }
    #expect(await service.asked(2) == ["a", "b"])
    service.answer("a", "b")
    for receipt in receipts { await receipt.settled }
    #expect(await reactor.currentState.sorted() == ["a", "b"])
  }

  @Test func `sequential: the next waits for the one before`() async {
    let receipts = ["a", "b"].map { reactor.send(.save($0)) }
    service.answer("b")
    // It could be answered at once, and has yet to ask.
    #expect(await service.asked(1) == ["a"])
    service.answer("a")
    for receipt in receipts { await receipt.settled }
    #expect(await reactor.currentState == ["a", "b"])
  }

  @Test func `droppable: while one runs, others are dropped, and reported`() async {
    let receipts = ["a", "b"].map { reactor.send(.logIn($0)) }
    await receipts[1].settled
    service.answer("a", "b")
    await receipts[0].settled
    #expect(await reactor.currentState == ["a"])
    #expect(reactor.reports.problems == ["dropped(login)"])
  }

  @Test func `restartable: the newer one cancels the older, whose task ends`() async {
    let receipts = ["a", "b"].map { reactor.send(.search($0)) }
    await receipts[0].settled
    service.answer("b")
    await receipts[1].settled
    #expect(await reactor.currentState == ["b"])
    #expect(reactor.reports.problems == ["evicted(search)"])
  }

  @Test func `cancelInFlight: the newest of an id is left`() async {
    let receipts = ["a", "b"].map { reactor.send(.query($0)) }
    await receipts[0].settled
    service.answer("b")
    await receipts[1].settled
    #expect(await reactor.currentState == ["b"])
  }

  @Test func `cancel(id:): sent right after the start, it finds it`() async {
    let receipt = reactor.send(.query("a"))
    reactor.send(.cancelQuery)
    await receipt.settled
    #expect(await reactor.currentState == [])
    #expect(reactor.reports.problems == [])
  }

  @Test func `runNewest: of three, the oldest is evicted for the newest`() async {
    let receipts = ["a", "b", "c"].map { reactor.send(.preview($0)) }
    await receipts[0].settled
    service.answer("b", "c")
    for receipt in receipts { await receipt.settled }
    #expect(await reactor.currentState.sorted() == ["b", "c"])
    #expect(reactor.reports.problems == ["evicted(preview)"])
  }

  @Test func `runOldest, suspendNew: the third waits for one of two`() async {
    let receipts = ["a", "b", "c"].map { reactor.send(.download($0)) }
    #expect(await service.asked(2) == ["a", "b"])
    service.answer("b")
    await receipts[1].settled
    #expect(await service.asked(3) == ["a", "b", "c"])
    service.answer("a", "c")
    for receipt in receipts { await receipt.settled }
    #expect(reactor.reports.problems == [])
  }

  @Test func `runOldest, discardNew: the third is dropped`() async {
    let receipts = ["a", "b", "c"].map { reactor.send(.ping($0)) }
    await receipts[2].settled
    service.answer("a", "b", "c")
    for receipt in receipts { await receipt.settled }
    #expect(service.questions.entries.sorted() == ["a", "b"])
    #expect(reactor.reports.problems == ["dropped(ping)"])
  }

  @Test func `effectQueueDelay: starts keep their distance`() async {
    let receipts = ["a", "b"].map { reactor.send(.mail($0)) }
    service.answer("a", "b")
    await receipts[0].settled
    #expect(service.questions.entries == ["a"])
    await clock.hand.advance(past: 1000)
    await receipts[1].settled
    #expect(service.questions.entries == ["a", "b"])
  }

  @Test func `cancel(id): what runs is cancelled, what waits never starts`() async {
    let receipts = ["a", "b", "c"].map { reactor.send(.download($0)) }
    await reactor.send(.cancelDownloads).settled
    for receipt in receipts { await receipt.settled }
    #expect(service.questions.entries.sorted() == ["a", "b"])
    #expect(await reactor.currentState == [])
  }

  @Test func `updateQueue: actions that wait start, running ones are not affected`() async {
    let receipts = ["a", "b", "c"].map { reactor.send(.download($0)) }
    #expect(await service.asked(2) == ["a", "b"])
    await reactor.update(.concurrent("downloads", atMost: 3))
    #expect(await service.asked(3) == ["a", "b", "c"])
    service.answer("a", "b", "c")
    for receipt in receipts { await receipt.settled }
    #expect(await reactor.currentState.count == 3)
  }

  @Test func `tracksFeedbacks: what the action has sent is waited for as well`() async {
    service.answer("a")
    await reactor.sendTracked(.open("a")).settled
    #expect(await reactor.currentState == ["a"])
  }
}
