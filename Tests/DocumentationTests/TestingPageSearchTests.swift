import Reactor
import ReactorTesting
import Testing
import TestLimits

// The samples of the page Testing a reactor about the search screen, copied by hand.

@Suite(.bounded) struct TestingPageSearchTests {
  actor SearchReactor: LanedReactor {
    enum Action { case search(String), clear }
    enum Mutation: Equatable { case setLoading(Bool), setResults([String]) }
    enum Output: Equatable { case found(Int) }
    struct State: Equatable {
      var isLoading = false
      var results: [String] = []
    }

    let initialState = State()
    let pipeline = Pipeline()
    let service: Service
    let clock: any Clock<Duration>

    init(service: Service, clock: any Clock<Duration> = ContinuousClock()) {
      self.service = service
      self.clock = clock
    }

    func lane(for action: Action) -> Lane? {
      switch action {
      case .search: .latest("search").debounced(for: .milliseconds(300), clock: clock)
      case .clear: nil
      }
    }

    func mutate(action: Action) -> MutationStream<Mutation> {
      switch action {
      case .search(let text):
        return .run { emit in
          await emit(.setLoading(true))
          do {
            let results = try await service.find(text)
            await emit(.setResults(results))
            await emit(.setLoading(false))
            output(.found(results.count))
          } catch {
            await emit(.setLoading(false))
            throw error
          }
        }
      case .clear:
        cancel(lane: "search")
        return .of(.setLoading(false), .setResults([]))
      }
    }

    func reduce(state: inout State, mutation: Mutation) {
      switch mutation {
      case .setLoading(let isLoading): state.isLoading = isLoading
      case .setResults(let results): state.results = results
      }
    }
  }

  struct Offline: Error {}

  /// Takes a second for every answer.
  actor Service {
    private let clock: any Clock<Duration>

    init(clock: any Clock<Duration>) { self.clock = clock }

    func find(_ text: String) async throws -> [String] {
      try await clock.sleep(for: .seconds(1))
      guard text != "offline" else { throw Offline() }
      return ["\(text)!"]
    }
  }

  typealias SearchTest = ReactorTest<SearchReactor>

  func search(_ body: @escaping @Sendable (SearchTest) async throws -> Void) async throws {
    try await simulate { simulation in
      let service = Service(clock: simulation.clock)
      let reactor = SearchReactor(service: service, clock: simulation.clock)
      try await body(await ReactorTest(reactor, in: simulation))
    }
  }

  @Test func `a search, from the key to the results`() async throws {
    try await search { test in
      await test.send(.search("swift"))  // the debounce holds it back
      await test.advance(by: .milliseconds(300))
      await test.receive(.setLoading(true)) { $0.isLoading = true }
      await test.advance(by: .seconds(1))
      await test.receive(.setResults(["swift!"])) { $0.results = ["swift!"] }
      await test.receive(.setLoading(false)) { $0.isLoading = false }
      await test.receiveOutput(.found(1))
      await test.finish()
    }
  }

  @Test func `while a user types, nothing is searched`() async throws {
    try await search { test in
      await test.send(.search("s"))
      await test.advance(by: .milliseconds(299))
      await test.send(.search("sw"))
      await test.receiveReport { $0.isRoutine }  // "s" never started
      await test.advance(by: .milliseconds(299))
      await test.send(.clear)  // cancels what waits, without a report
      await test.finish()
    }
  }

  @Test func `the newest search wins`() async throws {
    try await search { test in
      await test.send(.search("old"))
      await test.advance(by: .milliseconds(300))
      await test.receive(.setLoading(true)) { $0.isLoading = true }
      await test.send(.search("new"))
      await test.advance(by: .milliseconds(300))
      await test.receiveReport { report in
        if case .evictedFromLane("search") = report.problem { true } else { false }
      }
      await test.receive(.setLoading(true))  // it loads already
      await test.advance(by: .seconds(1))
      await test.receive(.setResults(["new!"])) { $0.results = ["new!"] }
      await test.receive(.setLoading(false)) { $0.isLoading = false }
      await test.receiveOutput(.found(1))
      await test.finish()
    }
  }

  @Test func `an error is reported, and the screen stops loading`() async throws {
    try await search { test in
      await test.send(.search("offline"))
      await test.advance(by: .milliseconds(300))
      await test.receive(.setLoading(true)) { $0.isLoading = true }
      await test.advance(by: .seconds(1))
      await test.receive(.setLoading(false)) { $0.isLoading = false }
      await test.receiveReport { report in
        if case .effectFailed(is Offline) = report.problem { true } else { false }
      }
      await test.finish()
    }
  }

  @Test func `clear cancels the search that runs`() async throws {
    try await search { test in
      await test.send(.search("swift"))
      await test.advance(by: .milliseconds(300))
      await test.receive(.setLoading(true)) { $0.isLoading = true }
      await test.send(.clear) { $0.isLoading = false }
      await test.advance(by: .seconds(1))
      await test.finish()
    }
  }

  @Test func `the newest search wins, in any order`() async throws {
    try await simulate(seeds: 1...100) { simulation in
      let service = Service(clock: simulation.clock)
      let search = SearchReactor(service: service, clock: simulation.clock)
      for text in ["a", "b", "c"] {
        search.send(.search(text))
        await simulation.advance(by: .milliseconds(300))
      }
      await simulation.advanceToEnd()
      try #require(await search.currentState == .init(isLoading: false, results: ["c!"]))
    }
  }

  @Test func `the service answers`() async throws {
    try await simulate { _ in
      let service = Service(clock: ImmediateClock())
      try #expect(await service.find("swift") == ["swift!"])
    }
  }
}
