import Reactor
import ReactorTesting

struct Oops: Error {}

/// Runs a test of a search screen.
func search(
  _ strictness: Strictness = .exhaustive, seed: UInt64 = 0,
  _ body: @escaping @Sendable (ReactorTest<SearchReactor>) async throws -> Void
) async throws {
  try await simulate(seed: seed) { simulation in
    let reactor = SearchReactor(clock: simulation.clock)
    try await body(await ReactorTest(reactor, in: simulation, strictness: strictness))
  }
}

/// What a test of a search screen that is to fail says; it is finished here.
func searchFailures(
  _ strictness: Strictness = .exhaustive, seed: UInt64 = 0,
  _ body: @escaping @Sendable (ReactorTest<SearchReactor>) async throws -> Void
) async -> [String] {
  await texts {
    try await search(strictness, seed: seed) { test in
      try await body(test)
      await test.finish()
    }
  }
}

actor SearchReactor: Reactor {
  enum Action: Equatable {
    case type(String), find(String), set(String), fail, wait, later, say, nothing
  }
  enum Mutation: Equatable { case setQuery(String), setLoading(Bool), setResults([String]) }
  enum Output: Equatable { case found(Int) }
  struct State: Equatable {
    var query = ""
    var isLoading = false
    var results: [String] = []
  }

  let initialState = State()
  let pipeline = Pipeline()
  private let clock: any Clock<Duration>

  init(clock: any Clock<Duration>) { self.clock = clock }

  func lane(for action: Action) -> Lane? {
    switch action {
    case .find: .latest("find").debounced(for: .milliseconds(300), clock: clock)
    default: nil
    }
  }

  func mutate(action: Action) -> MutationStream<Mutation> {
    switch action {
    case .type(let text):
      send(.find(text))
      return .just(.setQuery(text))
    case .set(let text): return .just(.setQuery(text))
    case .find(let text):
      return .run { emit in
        await emit(.setLoading(true))
        await emit(.setResults([text + "!"]))
        await emit(.setLoading(false))
        self.output(.found(1))
      }
    case .fail: return .run { _ in throw Oops() }
    case .wait: return .run { _ in try await self.clock.sleep(for: .seconds(60)) }
    case .later:
      return .run { emit in
        try await self.clock.sleep(for: .seconds(1))
        await emit(.setLoading(true))
      }
    case .say: return .run { _ in self.output(.found(7)) }
    case .nothing: return .empty
    }
  }

  func reduce(state: inout State, mutation: Mutation) {
    switch mutation {
    case .setQuery(let query): state.query = query
    case .setLoading(let isLoading): state.isLoading = isLoading
    case .setResults(let results): state.results = results
    }
  }
}
