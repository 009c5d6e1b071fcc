import AsyncAlgorithms
import Reactor
import TestLimits
import TestSupport
import Testing

// The samples of the DocC pages, copied by hand.

actor SearchReactor: Reactor {
  enum Action { case search(String), clear, endLoading }
  enum Mutation { case setLoading(Bool), setResults([String]) }
  struct State: Equatable {
    var isLoading = false
    var results: [String] = []
  }

  let initialState = State()
  let pipeline = Pipeline()

  private let find: @Sendable (String) async throws -> [String]

  init(find: @escaping @Sendable (String) async throws -> [String]) { self.find = find }

  func mutate(action: Action) -> MutationStream<Mutation> {
    switch action {
    case .clear: .just(.setResults([]))
    case .endLoading: .just(.setLoading(false))
    case .search(let text):
      .run { emit in
        await emit(.setLoading(true))
        await emit(.setResults(try await find(text)))
        await emit(.setLoading(false))
      }
      .onEnd { outcome, _ in if outcome != .finished { sendUnlessStopped(.endLoading) } }
    }
  }

  func reduce(state: inout State, mutation: Mutation) {
    switch mutation {
    case .setLoading(let isLoading): state.isLoading = isLoading
    case .setResults(let results): state.results = results
    }
  }
}

actor Recent: ActionTransforming, MutationTransforming, StateTransforming {
  typealias Action = String
  struct State { var words: [String] = [] }

  let initialState = State()
  let pipeline = Pipeline()

  func transform(action: Actions) -> some AsyncSequence<Action, Never> {
    action.removeDuplicates()
  }

  func transform(mutation: Mutations) -> some AsyncSequence<Mutation, Never> {
    mutation.map { $0.uppercased() }
  }

  func transform(state: States) -> some AsyncSequence<State, Never> {
    state.map { state in State(words: state.words.reversed()) }
  }

  func reduce(state: inout State, mutation: Mutation) { state.words.append(mutation) }
}

actor LatestReactor: LanedReactor {
  enum Action { case search(String) }
  enum Mutation { case setResults([String]) }
  struct State { var results: [String] = [] }

  let initialState = State()
  let pipeline = Pipeline()
  let clock: any Clock<Duration>
  private let find: @Sendable (String) async throws -> [String]

  nonisolated var unownedExecutor: UnownedSerialExecutor { MainActor.sharedUnownedExecutor }

  init(clock: any Clock<Duration>, find: @escaping @Sendable (String) async throws -> [String]) {
    self.clock = clock
    self.find = find
  }

  func lane(for action: Action) -> Lane? {
    switch action {
    case .search: .latest("search").debounced(for: .milliseconds(300), clock: clock)
    }
  }

  func mutate(action: Action) -> MutationStream<Mutation> {
    switch action {
    case .search(let text):
      .run { emit in await emit(.setResults(try await find(text))) }
    }
  }

  func reduce(state: inout State, mutation: Mutation) {
    switch mutation {
    case .setResults(let results): state.results = results
    }
  }

  nonisolated func report(_ report: ReactorReport) {}
}

@Suite(.bounded) struct GettingStartedTests {
  @Test func `a search fills the results`() async throws {
    let search = SearchReactor(find: { text in ["\(text)!"] })

    await search.send(.search("swift")).settled
    #expect(await search.currentState.results == ["swift!"])

    search.send(.clear)
    for await state in search.state where state.results.isEmpty { break }

    // What `mutate` returns can be looked at without the rest.
    var mutations = await search.mutate(action: .clear).makeAsyncIterator()
    guard case .setResults([]) = try await mutations.next() else {
      Issue.record("clear must empty the results")
      return
    }
  }

  @Test func `the latest search wins, on the main actor's executor`() async {
    let clock = MillisecondClock()
    let asked = Gate()
    let (slow, answer) = AsyncStream<[String]>.makeStream()
    let search = LatestReactor(clock: clock) { text in
      guard text == "slow" else { return [text] }
      asked.open()
      for await results in slow { return results }
      return []
    }
    let first = search.send(.search("slow"))
    await clock.hand.advance(past: 300)
    await asked.pass()
    let second = search.send(.search("fast"))
    await clock.hand.advance(past: 600)
    await second.settled
    answer.yield(["slow"])
    await first.settled
    #expect(await search.currentState.results == ["fast"])
  }

  @Test func `a search that is cancelled ends the loading`() async {
    let found = Gate()
    let search = SearchReactor(find: { _ in
      try await found.wait()
      return []
    })
    let receipt = search.send(.search("swift"))
    #expect(await search.state.first { $0.isLoading } != nil)
    receipt.cancel()
    #expect(await search.state.first { !$0.isLoading } != nil)
  }

  @Test func `the page Getting started works as written`() async {
    let search = SearchReactor(find: { text in ["\(text)!"] })

    search.send(.clear)
    await search.send(.search("swift")).settled
    #expect(await search.currentState.results == ["swift!"])

    let watching = Task {
      var last: SearchReactor.State?
      for await state in search.state { last = state }
      return last
    }

    await search.stop().settled
    #expect(await watching.value == .init(isLoading: false, results: ["swift!"]))
  }

  @Test func `the hooks of the page Hooks are called`() async {
    let recent = Recent()
    for word in ["a", "a", "b"] { await recent.send(word).settled }
    #expect(await recent.currentState.words == ["A", "B"])
    var states = recent.state.makeAsyncIterator()
    // Behind a hook, the newest state shown is the one to begin with.
    while let state = await states.next(), state.words != ["B", "A"] {}
  }
}
