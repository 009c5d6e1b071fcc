import Reactor

/// A search field: each keystroke begins a search that the next one makes pointless.
enum Search {
  /// How long it has to be quiet where keystrokes are debounced.
  static let pause = Duration.milliseconds(50)

  /// Waits as long as it is not cancelled, unless it is for the last keystroke.
  static func wait(for key: Int, of last: Int) async {
    guard key < last else { return }
    let (results, source) = AsyncStream.makeStream(of: Never.self)
    for await _ in results {}
    withExtendedLifetime(source) {}
  }
}

/// The state is the last keystroke that has been searched for.
actor SearchReactor: Reactor {
  enum Action: Sendable {
    /// Searched for at once.
    case search(Int)
    /// Searched for once it has been quiet.
    case debounced(Int)
  }
  typealias Mutation = Int

  let initialState = 0
  let pipeline = Pipeline()
  private let last: Int

  init(last: Int) { self.last = last }

  func lane(for action: Action) -> Lane? {
    switch action {
    case .search: .latest("search")
    case .debounced: .latest("search").debounced(for: Search.pause, clock: ContinuousClock())
    }
  }

  func mutate(action: Action) -> MutationStream<Int> {
    switch action {
    case .search(let key):
      .run { [last] emit in
        await Search.wait(for: key, of: last)
        await emit(key)
      }
    case .debounced(let key): .just(key)
    }
  }

  func reduce(state: inout Int, mutation: Int) { state = mutation }
}

/// Keystrokes, so many in a row.
package enum Keystrokes {
  /// Each cancels the search of the one before; until all searches have ended.
  package static let latestWins: Workload = { count in
    let reactor = SearchReactor(last: count)
    let watch = Stopwatch()
    for key in 1...count { reactor.send(.search(key)) }
    await reactor.stop(.drain).settled
    let reading = watch.reading
    check(await reactor.currentState, is: count)
    return reading
  }

  /// Searched for once it has been quiet for 50 ms; until the last has been, without these 50 ms.
  package static let debounced: Workload = { count in
    let reactor = SearchReactor(last: count)
    let watch = Stopwatch()
    for key in 1..<count { reactor.send(.debounced(key)) }
    await reactor.send(.debounced(count)).settled
    let reading = watch.reading.excluding(Search.pause)
    check(await reactor.currentState, is: count)
    return reading
  }
}
