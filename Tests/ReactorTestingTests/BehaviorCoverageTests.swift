import Reactor
import ReactorTesting
import Testing
import TestLimits

/// What a suite never asserted.
@Suite(.bounded) struct BehaviorCoverageTests {
  @Test func `without a test, nothing is asserted`() {
    let coverage = BehaviorCoverage(of: Shop.self)
    #expect(coverage.actions == ["add", "buy", "close"])
    #expect(coverage.mutations == ["added", "bought"])
    #expect(coverage.outputs == ["sold"])
    #expect(coverage.refusals == ["stopped"])
    #expect(coverage.lanes == [])
    #expect(
      coverage.description.hasPrefix(
        "Store<Never>, never asserted by 0 tests:\n  actions: add, buy"))
  }

  @Test func `what is asserted is left out`() async throws {
    let coverage = BehaviorCoverage(of: Kiosk.self)
    try await simulate { simulation in
      let test = await ReactorTest(Kiosk(clock: simulation.clock), in: simulation)
      await test.send(.add(1)) { $0 = 1 }
      await test.send(.buy)
      await test.send(.buy)
      await test.receiveReport()
      await test.advance(by: .seconds(1))
      await test.receive(.bought) { $0 = 0 }
      await test.receiveOutput(.sold)
      await test.finish()
    }
    #expect(coverage.actions == ["close"])
    #expect(coverage.mutations == [])
    #expect(coverage.outputs == [])
    #expect(coverage.refusals == ["inboxFull", "stopped"])
    #expect(coverage.lanes == [])
    #expect(
      "\(coverage)" == """
        Store<Int>, never asserted by 1 test:
          actions: close
          refusals: inboxFull, stopped
        """)
  }

  @Test func `a relaxed test asserts only what it states`() async throws {
    let coverage = BehaviorCoverage(of: Stall.self)
    try await simulate { simulation in
      let stall = Stall(clock: simulation.clock)
      let test = await ReactorTest(stall, in: simulation, strictness: .relaxed)
      stall.send(.add(1))
      await test.send(.buy)
      await test.advance(by: .seconds(1))
      await test.finish()
    }
    #expect(coverage.actions == ["add", "close"])
    #expect(coverage.mutations == ["added", "bought"])
    #expect(coverage.lanes == ["'buy' dropped"])
  }

  @Test func `a refusal after the end is asserted`() async throws {
    let coverage = BehaviorCoverage(of: Booth.self)
    try await simulate { simulation in
      let test = await ReactorTest(Booth(clock: simulation.clock), in: simulation)
      await test.reactor.stop().settled
      await test.sendRefused(.buy, because: .stopped)
      await test.finish()
    }
    #expect(coverage.refusals == ["inboxFull"])
  }
}

/// The trait collects for its suite, and for no other.
@Suite(.bounded, .behaviorCoverage(of: SearchReactor.self)) struct BehaviorCoverageTraitTests {
  @Test func `a test in a suite with the trait`() async throws {
    try await search { test in
      await test.send(.set("s")) { $0.query = "s" }
      await test.finish()
    }
  }
}

// A type for each test, since a value collects from all tests of a type.
private typealias Shop = Store<Never>
private typealias Kiosk = Store<Int>
private typealias Stall = Store<String>
private typealias Booth = Store<Bool>

private actor Store<Tag>: LanedReactor {
  enum Action { case buy, close, add(Int) }
  enum Mutation: Equatable { case bought, added(Int) }
  enum Output: Equatable { case sold }

  let initialState = 0
  let pipeline = Pipeline(inboxLimit: 10)
  private let clock: any Clock<Duration>

  init(clock: any Clock<Duration>) { self.clock = clock }

  func lane(for action: Action) -> Lane? {
    if case .buy = action { .leading("buy") } else { nil }
  }

  func mutate(action: Action) -> MutationStream<Mutation> {
    switch action {
    case .add(let number): .just(.added(number))
    case .close: .empty
    case .buy:
      .run { emit in
        try await self.clock.sleep(for: .seconds(1))
        await emit(.bought)
        self.output(.sold)
      }
    }
  }

  func reduce(state: inout Int, mutation: Mutation) {
    switch mutation {
    case .added(let number): state += number
    case .bought: state = 0
    }
  }
}
