import Reactor
import TestLimits
import TestSupport
import Testing

// The claims of the pages Effects and Lanes, with one test for each; their samples are in
// NotesReactor.

@Suite(.bounded) struct EffectsPageTests {
  private let clock = MillisecondClock()
  private let reactor: NotesReactor
  private var service: HeldService { reactor.service }

  init() { reactor = NotesReactor(clock: clock) }

  /// Sends a search, and lets its time pass.
  private func begin(_ text: String, at step: Int) async -> ActionReceipt<NotesReactor> {
    let receipt = reactor.send(.search(text))
    await clock.hand.advance(past: step)
    return receipt
  }

  // MARK: Lanes and time

  @Test func `the search that runs is cancelled when the next one starts, not before`() async {
    let first = await begin("a", at: 300)
    _ = await service.asked(1)
    let second = reactor.send(.search("b"))
    await reactor.send(.confirm).settled
    #expect(reactor.reports.problems == [])
    await clock.hand.advance(past: 600)
    await first.settled
    #expect(reactor.reports.problems == ["evicted(search)"])
    service.answer("b")
    await second.settled
    #expect(await reactor.currentState.results == ["b"])
  }

  @Test func `an effect that sleeps first is cancelled as soon as the next one is sent`() async {
    let first = reactor.send(.lookUp("a"))
    await clock.hand.advance(past: 300)
    _ = await service.asked(1)
    let second = reactor.send(.lookUp("b"))
    await first.settled
    #expect(service.questions.entries == ["a"])
    await clock.hand.advance(past: 600)
    service.answer("b")
    await second.settled
    #expect(await reactor.currentState.results == ["b"])
  }

  @Test func `two kinds of action share a lane, two ids do not`() async {
    let disk = [reactor.send(.save("a")), reactor.send(.rename("b"))]
    let toggles = ["x", "x", "y"].map { reactor.send(.toggle($0)) }
    await toggles[1].settled
    #expect(await service.asked(3) == ["a", "x", "y"])
    service.answer("a", "b", "x", "y")
    for receipt in disk + toggles { await receipt.settled }
    #expect(reactor.reports.problems == ["dropped(x)"])
  }

  // MARK: Cancelling

  @Test func `clear cancels the search, and nothing is reported`() async {
    let receipt = await begin("a", at: 300)
    _ = await service.asked(1)
    await reactor.send(.clear).settled
    await receipt.settled
    #expect(await reactor.currentState.results == [])
    #expect(reactor.reports.problems == [])
  }

  @Test func `a cancel from outside reaches an action that a timer holds back`() async {
    let receipt = reactor.send(.search("a"))
    reactor.cancel(lane: "search")
    await receipt.settled
    #expect(service.questions.entries == [])
  }

  @Test func `a receipt cancels one action, and the next in its lane starts`() async {
    let receipt = reactor.send(.save("a"))
    let next = reactor.send(.save("b"))
    receipt.cancel()
    service.answer("a", "b")
    await next.settled
    #expect(await reactor.currentState.results == ["b"])
  }

  // MARK: Waiting

  @Test func `a question waits for its answer`() async {
    let receipt = reactor.send(.delete("a"))
    _ = await reactor.state.first { $0.question == "a" }
    service.answer("a")
    reactor.send(.confirm)
    await receipt.settled
    #expect(await reactor.currentState.removed == ["a"])
    #expect(await reactor.currentState.question == nil)
  }

  @Test func `a question that is dismissed ends`() async {
    let receipt = reactor.send(.delete("a"))
    reactor.send(.dismiss)
    await receipt.settled
    #expect(service.questions.entries == [])
  }

  @Test func `a question without an answer ends when its time is up`() async {
    let receipt = reactor.send(.delete("a"))
    await clock.hand.advance(past: 30_000)
    await receipt.settled
    #expect(service.questions.entries == [])
    #expect(await reactor.currentState.question == nil)
  }

  @Test func `a stream has an action that is taken, though its lane drops it or lets it wait`()
    async
  {
    let stream = reactor.actions()
    for action in [.save("a"), .save("b"), .toggle("x"), .toggle("x")] as [NotesReactor.Action] {
      reactor.send(action)
    }
    var seen: [NotesReactor.Action?] = []
    for _ in 1...4 { seen.append(await stream.next()) }
    #expect(seen == [.save("a"), .save("b"), .toggle("x"), .toggle("x")])
    #expect(await service.asked(2) == ["a", "x"])
    await reactor.stop().settled
  }

  @Test func `a tracked send waits for what the action has sent`() async {
    service.answer("a")
    await reactor.sendTracked(.open).settled
    #expect(await reactor.currentState.results == ["a"])
  }

  // MARK: Retry and race

  @Test func `retry and race lead to results, or to a report`() async {
    service.answer("items")
    await reactor.send(.refresh).settled
    #expect(await reactor.currentState.results == ["items"])
    let receipt = reactor.send(.askAround)
    await clock.hand.advance(past: 5000)
    await receipt.settled
    #expect(reactor.reports.problems == ["effectFailed"])
  }

  // MARK: The inbox, and the end

  @Test func `a sender that waits for a slot loses nothing`() async {
    for number in 0..<3000 { await reactor.sendWhenRoom(.add(number)) }
    // Now it may be full: this one has to wait as well.
    await reactor.sendWhenRoom(.confirm).settled
    #expect(await reactor.currentState.results == ["2999"])
    #expect(reactor.reports.problems == [])
  }

  @Test func `a sender that does not wait is refused while the inbox is full`() async {
    let refused = await reactor.turn { reactor in
      (0...1000).filter { reactor.send(.add($0)).isRefused }
    }
    #expect(refused == [1000])
    #expect(reactor.reports.problems == ["inboxFull"])
  }

  @Test func `a full lane refuses, and the outcome has the reason`() async {
    for line in ["a", "b", "c"] { reactor.send(.write(line)) }
    #expect(await status(of: "d") == 409)
    #expect(await reactor.depth(ofLane: "log") == LaneDepth(running: 1, waiting: 2))
    service.answer("a", "b", "c", "e")
    await reactor.stop(.drain).settled
    #expect(await reactor.currentState.results == ["c"])
    #expect(await status(of: "e") == 503)
    #expect(reactor.reports.problems == ["laneFull(log)", "actionRefused"])
  }

  private func status(of line: String) async -> Int {
    switch await reactor.outcome(of: .write(line)) {
    case .finished: return 200
    case .refused(.laneFull): return 409
    case .refused(.inboxFull): return 429
    case .refused(.stopped), .neverBegun: return 503
    default: return 500
    }
  }

  @Test func `a drain completes what runs and what waits; a restart goes on from there`() async {
    for name in ["a", "b"] { reactor.send(.save(name)) }
    let stopped = reactor.stop(.drain)
    service.answer("a", "b")
    await stopped.settled
    #expect(await reactor.currentState.results == ["b"])
    await reactor.restart()
    await reactor.send(.confirm).settled
    #expect(await reactor.currentState.results == ["b"])
    #expect(reactor.reports.problems == [])
  }

  @Test func `a drain within a time returns what it abandons`() async {
    reactor.send(.save("a"))
    _ = await service.asked(1)
    async let stopped = reactor.stop(.drain, within: .seconds(5), clock: clock)
    await clock.hand.advance(past: 5000)
    let late = await stopped
    for work in late { reactor.logger.append("\(work)") }
    let line = reactor.logger.entries.first ?? ""
    #expect(line.hasPrefix("\(reactor.identity): #0 'save', running in lane 'disk' for "))
  }

  @Test func `routine reports are distinguished from the others`() async {
    for _ in 1...2 { reactor.send(.toggle("x")) }
    await reactor.stop().settled
    reactor.send(.confirm)
    #expect(reactor.reports.problems == ["dropped(x)", "actionRefused"])
    #expect(reactor.logger.count == 1)
  }

  enum SignIn: CustomReactorReportable {
    case signIn(user: String, password: String)
    case signOut

    var reportDescription: String {
      switch self {
      case .signIn(let user, _): "sign in \(user)"
      case .signOut: "sign out"
      }
    }
  }

  @Test func `an action declares how it is shown`() {
    let report = ReactorReport(
      reactor: NotesReactor.self, action: SignIn.signIn(user: "ada", password: "secret"),
      problem: .actionRefused)
    #expect(
      report.description
        == "NotesReactor: action 'sign in ada' was refused: the reactor has been stopped")
  }

  @Test func `a report names the reactor, the action's number, and no payload`() async {
    await reactor.stop().settled
    reactor.send(.toggle("secret"))
    #expect(
      reactor.logger.entries == [
        "\(reactor.identity): action 'toggle' was refused: the reactor has been stopped"
      ])
  }

  // MARK: Where it can go wrong

  @Test func `an effect that waits for its own sequential lane is stuck until cancelled`() async {
    let receipt = reactor.send(.saveAndRename("a"))
    _ = await reactor.state.first { $0.results == ["saved"] }
    service.answer("a")
    // The rename waits behind it, whatever else is taken.
    await reactor.send(.confirm).settled
    #expect(service.questions.entries == [])
    reactor.cancel(lane: "disk")
    await receipt.settled
    #expect(await reactor.currentState.results == ["saved"])
  }
}
