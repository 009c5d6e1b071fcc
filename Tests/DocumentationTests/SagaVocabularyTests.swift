import Reactor
import TestLimits
import TestSupport
import Testing

// The effects of redux-saga on the page Coming from, copied by hand.

private actor SagaReactor: Reactor {
  enum Action: Equatable {
    case call, put, select, setQuery(String), load(String)
    case join, fork, spawn, all, allFast, race, retry
    case raceOfTakes, take, confirm, dismiss, channel, upload(String)
  }
  enum Mutation { case show(String), setQuery(String) }
  struct State: Equatable {
    var shown: [String] = []
    var query = ""
  }

  let initialState = State()
  let pipeline = Pipeline()
  let reports = ReportLog()
  let service: HeldService
  let clock: any Clock<Duration>

  init(service: HeldService, clock: any Clock<Duration>) {
    self.service = service
    self.clock = clock
  }

  func mutate(action: Action) -> MutationStream<Mutation> {
    switch action {
    case .call:
      .run { emit in
        let user = try await service.get("user")
        await emit(.show(user))
      }
    case .put:
      .run { emit in
        await emit(.show("one"))
        send(.load("two"))
      }
    case .select:
      .run { emit in
        let query = currentState.query
        await emit(.show(query))
      }
    case .setQuery(let query): .just(.setQuery(query))
    case .load(let text): .run { emit in await emit(.show(try await service.get(text))) }
    case .join:
      .run { emit in
        async let user = service.get("user")  // fork
        await emit(.show("loading"))
        await emit(.show(try await user))  // join
      }
    case .fork:
      .run { emit in
        try await withThrowingDiscardingTaskGroup { group in
          group.addTask { await emit(.show(try await self.service.get("child"))) }
          await emit(.show("parent"))
        }  // ends when its children have
      }
    case .spawn: .run { _ in send(.load("sync")) }
    case .all:
      .run { emit in
        async let user = service.get("user")
        async let orders = service.get("orders")
        let all = try await (user, orders)
        await emit(.show("\(all.0) and \(all.1)"))
      }
    case .allFast:
      .run { emit in
        let ids = ["a", "b", "c"]
        try await withThrowingDiscardingTaskGroup { group in
          for id in ids { group.addTask { await emit(.show(try await self.service.get(id))) } }
        }
      }
    case .race:
      .run { emit in
        let answer = try await race(
          { try await service.get("near") }, or: { try await service.get("far") })
        await emit(.show(answer))
      }
    case .raceOfTakes:
      .run { emit in
        let confirmed = actions { $0 == .confirm }
        let dismissed = actions { $0 == .dismiss }
        let first = try await race({ await confirmed.next() }, or: { await dismissed.next() })
        await emit(.show(first == .confirm ? "confirmed" : "dismissed"))
        let second = try await race({ await confirmed.next() }, or: { await dismissed.next() })
        await emit(.show(second == .confirm ? "confirmed" : "dismissed"))
      }
    case .retry:
      .run { emit in
        let items = try await retry(3, delay: .constant(.seconds(2)), clock: clock) {
          try await service.get("items")
        }
        await emit(.show(items))
      }
    case .take:
      .run { emit in
        let answers = actions { $0 == .confirm }  // opened first: nothing slips past
        await emit(.show("sure?"))
        guard await answers.next() != nil else { return }
        await emit(.show("sure"))
      }
    case .confirm, .dismiss: .empty
    case .channel:
      .run { emit in
        for await case .upload(let file) in actions() {
          await emit(.show(try await service.get(file)))
        }
      }
    case .upload: .empty
    }
  }

  func reduce(state: inout State, mutation: Mutation) {
    switch mutation {
    case .show(let text): state.shown.append(text)
    case .setQuery(let query): state.query = query
    }
  }

  nonisolated func report(_ report: ReactorReport) { reports.append(report) }
}

@Suite(.bounded) struct SagaVocabularyTests {
  private let clock = MillisecondClock()

  private func reactor(failing failures: Int = 0) -> SagaReactor {
    SagaReactor(service: HeldService(failing: failures), clock: clock)
  }

  @Test func `call: an effect awaits a service`() async {
    let reactor = reactor()
    reactor.service.answer("user")
    await reactor.send(.call).settled
    #expect(await reactor.currentState.shown == ["user"])
  }

  @Test func `put: a mutation at once, an action in its turn`() async {
    let reactor = reactor()
    reactor.service.answer("two")
    await reactor.sendTracked(.put).settled
    #expect(await reactor.currentState.shown == ["one", "two"])
  }

  @Test func `select: an effect reads the state as it is then`() async {
    let reactor = reactor()
    reactor.send(.setQuery("swift"))
    await reactor.send(.select).settled
    #expect(await reactor.currentState.shown == ["swift"])
  }

  @Test func `fork and join: a child runs while its parent goes on`() async {
    let reactor = reactor()
    let receipt = reactor.send(.join)
    _ = await reactor.state.first { $0.shown == ["loading"] }
    reactor.service.answer("user")
    await receipt.settled
    #expect(await reactor.currentState.shown == ["loading", "user"])
  }

  @Test func `fork: a parent ends only when its children have`() async {
    let reactor = reactor()
    let receipt = reactor.send(.fork)
    _ = await reactor.state.first { $0.shown == ["parent"] }
    reactor.service.answer("child")
    await receipt.settled
    #expect(await reactor.currentState.shown == ["parent", "child"])
  }

  @Test func `fork: cancelling the parent cancels its children`() async {
    let reactor = reactor()
    let receipt = reactor.send(.fork)
    // The two run side by side: both have to have come so far.
    _ = await reactor.service.asked(1)
    _ = await reactor.state.first { $0.shown == ["parent"] }
    receipt.cancel()
    await receipt.settled
    #expect(await reactor.currentState.shown == ["parent"])
  }

  @Test func `spawn: work that is sent is not waited for, nor cancelled with its sender`() async {
    let reactor = reactor()
    let receipt = reactor.send(.spawn)
    await receipt.settled
    receipt.cancel()
    reactor.service.answer("sync")
    #expect(await reactor.state.first { !$0.shown.isEmpty }?.shown == ["sync"])
  }

  @Test func `all: both at the same time, both answers`() async {
    let reactor = reactor()
    let receipt = reactor.send(.all)
    #expect(await reactor.service.asked(2) == ["orders", "user"])
    reactor.service.answer("user", "orders")
    await receipt.settled
    #expect(await reactor.currentState.shown == ["user and orders"])
  }

  @Test func `all: in a group, any number, and the first error ends the rest`() async {
    let reactor = reactor()
    reactor.service.answer("a", "b", "c")
    await reactor.send(.allFast).settled
    #expect(await Set(reactor.currentState.shown) == ["a", "b", "c"])

    let failing = self.reactor(failing: 1)
    await failing.send(.allFast).settled
    #expect(failing.reports.problems == ["effectFailed"])
    #expect(await failing.currentState.shown == [])
  }

  @Test func `race: the first answer wins, and the other is no longer waited for`() async {
    let reactor = reactor()
    let receipt = reactor.send(.race)
    #expect(await reactor.service.asked(2) == ["far", "near"])
    reactor.service.answer("far")
    await receipt.settled
    #expect(await reactor.currentState.shown == ["far"])
  }

  @Test func `race of two takes: what the loser has taken is not lost`() async {
    let reactor = reactor()
    let receipt = reactor.send(.raceOfTakes)
    reactor.send(.confirm)
    reactor.send(.dismiss)
    await receipt.settled
    #expect(await Set(reactor.currentState.shown) == ["confirmed", "dismissed"])
  }

  @Test func `retry: three calls in all, with time in between`() async {
    let reactor = reactor(failing: 2)
    reactor.service.answer("items")
    let receipt = reactor.send(.retry)
    await clock.hand.advance(past: 2000)
    await clock.hand.advance(past: 4000)
    await receipt.settled
    #expect(await reactor.currentState.shown == ["items"])
    #expect(reactor.service.questions.count == 3)
  }

  @Test func `take: an effect waits for a later action`() async {
    let reactor = reactor()
    let receipt = reactor.send(.take)
    reactor.send(.upload("other"))
    reactor.send(.confirm)
    await receipt.settled
    #expect(await reactor.currentState.shown == ["sure?", "sure"])
  }

  @Test func `actionChannel: later actions are buffered, and processed one by one`() async {
    let reactor = reactor()
    reactor.send(.channel)
    for file in ["a", "b", "c"] { reactor.send(.upload(file)) }
    #expect(await reactor.service.asked(1) == ["a"])
    reactor.service.answer("a", "b", "c")
    #expect(await reactor.state.first { $0.shown.count == 3 }?.shown == ["a", "b", "c"])
    await reactor.stop().settled
  }
}
