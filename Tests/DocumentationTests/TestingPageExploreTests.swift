import Foundation
import Reactor
import ReactorDependencies
import ReactorJournal
import ReactorJournalTesting
import ReactorTesting
import Testing
import TestLimits

// The samples of the page Tests that search, copied by hand.

private actor CheckoutReactor: LanedReactor {
  enum Action: CaseIterable { case submit, cancel }
  enum Mutation: Equatable { case setSubmitting(Bool), setOrder(Int) }
  struct State: Equatable { var isSubmitting = false; var order: Int? }

  let initialState = State()
  let pipeline = Pipeline()
  let placeOrder: @Sendable () async throws -> Int

  init(placeOrder: @escaping @Sendable () async throws -> Int) { self.placeOrder = placeOrder }

  func lane(for action: Action) -> Lane? { action == .submit ? .leading("submit") : nil }

  func mutate(action: Action) -> MutationStream<Mutation> {
    switch action {
    case .submit:
      guard currentState.order == nil else { return .empty }
      return .concat(
        .just(.setSubmitting(true)),
        .run { emit in
          do { await emit(.setOrder(try await self.placeOrder())) } catch is Offline {}
          await emit(.setSubmitting(false))
        }
        .named("place order"))
    case .cancel:
      cancel(lane: "submit")
      return .just(.setSubmitting(false))
    }
  }

  func reduce(state: inout State, mutation: Mutation) {
    switch mutation {
    case .setSubmitting(let isSubmitting): state.isSubmitting = isSubmitting
    case .setOrder(let order): state.order = order
    }
  }
}

private struct Offline: Error {}

/// The orders that have arrived.
private actor Shop {
  private(set) var orders: [Int] = []

  func add() -> Int {
    orders.append(orders.count + 1)
    return orders.count
  }
}

@Suite(.bounded) struct TestingPageExploreTests {
  @Test func `nothing is left loading`() async {
    await explore(CheckoutReactor.self, actions: .cases) { run in
      run.whenIdle("nothing is submitting") { !$0.isSubmitting }
      return CheckoutReactor {
        try await run.delay(upTo: .seconds(2))
        if run.fails("offline") { throw Offline() }
        return 1
      }
    }
  }

  @Test func `there is one order`() async {
    await explore(CheckoutReactor.self, actions: .of(.submit)) { run in
      let shop = Shop()
      run.finally("there is one order") { _ in await shop.orders.count <= 1 }
      return CheckoutReactor {
        try await run.delay(upTo: .seconds(2))
        return await shop.add()
      }
    }
  }

  @Test func `a run that was printed`() async {
    await replay(
      CheckoutReactor.self,
      .send(.submit, world: [2]),
      .send(.cancel)
    ) { run in
      run.whenIdle("nothing is submitting") { !$0.isSubmitting }
      return CheckoutReactor {
        try await run.delay(upTo: .seconds(2))
        return 1
      }
    }
  }

  @Test func `choices of actions`() async {
    let actions = Choice<SearchAction>.oneOf(
      .of(.clear),
      .from(.text(count: 0...3)) { .search($0) },
      .from(.int(0...9), .bool) { .select($0, isOpen: $1) })
    let summary = await explore(SearchedReactor.self, actions: actions, runs: 50) { _ in
      SearchedReactor()
    }
    print(summary)
    #expect(summary.actions.count == 3)

    await explore(
      SearchedReactor.self,
      actions: { state in .oneOf(.of(.clear), .from(.element(of: state)) { .search($0) }) },
      runs: 50
    ) { _ in
      SearchedReactor()
    }
  }

  @Test func `the list is that of the model`() async {
    await explore(
      SearchedReactor.self, actions: .oneOf(.from(.text()) { .search($0) }, .of(.clear))
    ) { run in
      run.model("the list", [String]()) { texts, action in
        switch action {
        case .search(let text): texts.append(text)
        case .clear: texts = []
        case .select: break
        }
      } agrees: { texts, state in
        texts == state
      }
      return SearchedReactor()
    }
  }

  @Test func `a test that begins in a state`() async throws {
    try await simulate { simulation in
      let checkout = CheckoutReactor { 2 }
      let test = await ReactorTest(
        checkout, in: simulation, from: .init(isSubmitting: false, order: 1))
      await test.send(.submit)  // there is an order already
      await test.finish()
    }
  }

  @Test func `a recovered timer goes on`() async throws {
    try await simulate { simulation in
      let timer = EggReactor()
      let test = await ReactorTest(timer, in: simulation, recoveredFrom: .init(left: 2))
      await test.receive(.tick) { $0.left = 1 }  // sent by recovered()
      await test.finish()
    }
  }

  @Test func `submit shows, then places an order`() async {
    await spec(
      CheckoutReactor { 1 }, mutate: .submit,
      returns: .concat(.just(.setSubmitting(true)), .run("place order")), in: .leading("submit"))
    await spec(CheckoutReactor { 1 }, given: .init(order: 1), mutate: .submit, returns: .empty)
  }

  @Test func `a diary on a simulated date`() async throws {
    try await simulate { simulation in
      let diary = ReactorDependencies.with {
        $0.now = { simulation.date }
        $0.newID = { simulation.identifiers.nextUUID() }
        $0.random = simulation.random
      } make: {
        DiaryReactor()
      }
      let test = await ReactorTest(diary, in: simulation)
      await test.advance(by: .seconds(60))
      await test.send(.write) { $0 = ["00000000-0000-0000-0000-000000000001 at 60"] }
      await test.finish()
    }
  }
}

@Suite(.bounded, .behaviorCoverage(of: CheckoutReactor.self)) struct CheckoutTests {
  @Test func `an order`() async throws {
    try await simulate { simulation in
      let test = await ReactorTest(CheckoutReactor { 1 }, in: simulation)
      await test.send(.submit) { $0.order = 1 }
      await test.finish()
    }
  }
}

private enum SearchAction { case clear, search(String), select(Int, isOpen: Bool) }

private actor SearchedReactor: Reactor {
  typealias Action = SearchAction

  let initialState: [String] = []
  let pipeline = Pipeline()

  func reduce(state: inout [String], mutation: SearchAction) {
    switch mutation {
    case .clear: state = []
    case .search(let text): state.append(text)
    case .select: break
    }
  }
}

private actor EggReactor: Reactor, JournaledReactor {
  enum Action { case tick }
  enum Mutation: Codable, Equatable { case tick }
  struct State: Codable, Equatable { var left = 0 }

  static let journalName = "egg"
  static let journalVersion = 1
  static let initialState = State()
  let pipeline = Pipeline()

  func mutate(action: Action) -> MutationStream<Mutation> { .just(.tick) }

  static func reduce(state: inout State, mutation: Mutation) { state.left -= 1 }

  func recovered() { if currentState.left > 0 { send(.tick) } }
}

private actor DiaryReactor: Reactor {
  enum Action { case write }

  let initialState: [String] = []
  let pipeline = Pipeline()
  @ReactorDependency(\.now) private var now
  @ReactorDependency(\.newID) private var newID

  func mutate(action: Action) -> MutationStream<String> {
    .just("\(newID()) at \(Int(now().timeIntervalSinceReferenceDate))")
  }

  func reduce(state: inout [String], mutation: String) { state.append(mutation) }
}

private enum NowKey: ReactorDependencyKey {
  static var defaultValue: @Sendable () -> Date { { Date() } }
}
private enum NewIDKey: ReactorDependencyKey {
  static var defaultValue: @Sendable () -> UUID { { UUID() } }
}
private enum RandomKey: ReactorDependencyKey {
  static var defaultValue: any RandomNumberGenerator & Sendable { SystemRandomNumberGenerator() }
}

extension ReactorDependencies {
  fileprivate var now: @Sendable () -> Date {
    get { self[NowKey.self] }
    set { self[NowKey.self] = newValue }
  }

  fileprivate var newID: @Sendable () -> UUID {
    get { self[NewIDKey.self] }
    set { self[NewIDKey.self] = newValue }
  }

  fileprivate var random: any RandomNumberGenerator & Sendable {
    get { self[RandomKey.self] }
    set { self[RandomKey.self] = newValue }
  }
}
