import Foundation
import Reactor
import ReactorTesting
import RepositoryCore
import Testing

/// The list, step by step.
@Suite(.timeLimit(.minutes(2))) struct ListsTests {
  typealias ListTest = ReactorTest<ListsReactor>
  typealias Failure = RepositoriesState.Failure

  private func list(_ body: @escaping @Sendable (ListTest, StandIn) async throws -> Void)
    async throws
  {
    try await simulate { simulation in
      let github = StandIn(simulation.clock)
      let reactor = ListsReactor(
        github, settings: SettingsReactor(), clock: simulation.clock)
      try await body(await ReactorTest(reactor, in: simulation), github)
    }
  }

  /// A list with its first page.
  private func loaded(_ body: @escaping @Sendable (ListTest, StandIn) async throws -> Void)
    async throws
  {
    try await list { test, github in
      await test.send(everything: .load) { $0.activity = .first }
      await test.advance(by: .seconds(1))
      await test.receive(everything: .loaded(StandIn.page("", 1))) {
        ($0.repositories, $0.total, $0.next) = (StandIn.page("", 1).items, 6, 2)
        ($0.activity, $0.isLoaded) = (nil, true)
      }
      try await body(test, github)
      await test.finish()
    }
  }

  @Test func `the first view shows placeholders, then the first page`() async throws {
    try await list { test, _ in
      await test.send(everything: .load) { $0.activity = .first }
      #expect(test.state.everything.showsPlaceholders)
      await test.advance(by: .seconds(1))
      await test.receive(everything: nil) { state in
        (state.repositories, state.total, state.next) = (StandIn.page("", 1).items, 6, 2)
        (state.activity, state.isLoaded) = (nil, true)
      }
      #expect(!test.state.everything.showsPlaceholders)
      await test.send(everything: .load)
      await test.finish()
    }
  }

  @Test func `typed text is searched after a pause, the last text only`() async throws {
    try await loaded { test, github in
      await test.send(everything: .type("s"))
      await test.advance(by: .milliseconds(299))
      await test.send(everything: .type("swift"))
      await test.receiveReport { $0.isRoutine }
      await test.advance(by: .milliseconds(300))
      await test.receive(everything: .began(.search, text: "swift")) {
        ($0.text, $0.activity) = ("swift", .search)
      }
      await test.advance(by: .seconds(1))
      await test.receive(everything: nil) {
        ($0.repositories, $0.activity) = (StandIn.page("swift", 1).items, nil)
      }
      #expect(github.asked == ["/1", "swift/1"])
    }
  }

  @Test func `the newest search wins`() async throws {
    try await loaded { test, _ in
      await test.send(everything: .search("old")) { ($0.text, $0.activity) = ("old", .search) }
      await test.send(everything: .search("new")) { $0.text = "new" }
      await test.receiveReport { $0.isRoutine }
      await test.advance(by: .seconds(1))
      await test.receive(everything: nil) {
        ($0.repositories, $0.activity) = (StandIn.page("new", 1).items, nil)
      }
    }
  }

  @Test func `further pages are appended, never two at once and none after the end`() async throws {
    try await loaded { test, github in
      for page in 2...3 {
        await test.send(everything: .loadMore) { $0.activity = .more }
        await test.send(everything: .loadMore)
        await test.receiveReport { $0.isRoutine }
        await test.advance(by: .seconds(1))
        await test.receive(everything: nil) {
          $0.repositories += StandIn.page("", page).items
          ($0.next, $0.activity) = (page < 3 ? 3 : nil, nil)
        }
      }
      await test.send(everything: .loadMore)
      #expect(github.asked == ["/1", "/2", "/3"])
    }
  }

  @Test func `a refresh keeps the rows until its result arrives`() async throws {
    try await loaded { test, _ in
      await test.send(everything: .refresh) { $0.activity = .refresh }
      #expect(!test.state.everything.showsPlaceholders)
      await test.advance(by: .seconds(1))
      await test.receive(everything: nil) { $0.activity = nil }
    }
  }

  @Test func `a search cancels the page that is being loaded`() async throws {
    try await loaded { test, _ in
      await test.send(everything: .loadMore) { $0.activity = .more }
      await test.send(everything: .search("x")) { ($0.text, $0.activity) = ("x", .search) }
      await test.receiveReport { $0.isRoutine }
      await test.advance(by: .seconds(1))
      await test.receive(everything: nil) {
        ($0.repositories, $0.activity) = (StandIn.page("x", 1).items, nil)
      }
    }
  }

  @Test func `a start without network is retried by itself, later each time`() async throws {
    try await list { test, github in
      github.fails(.offline, .offline)
      await test.send(everything: .load) { $0.activity = .first }
      await test.advance(by: .seconds(1))
      await test.receive(everything: nil) {
        $0.failure = Failure(error: .offline, during: .first, attempts: 1, isRetrying: true)
      }
      await test.advance(by: .seconds(1))
      await test.receive(everything: .tried(2)) { $0.failure?.attempts = 2 }
      await test.advance(by: .seconds(1))
      await test.receive(everything: .failed(.offline, attempts: 2, isRetrying: true))
      await test.advance(by: .seconds(2))
      await test.receive(everything: .tried(3)) { $0.failure?.attempts = 3 }
      await test.advance(by: .seconds(1))
      await test.receive(everything: nil) {
        ($0.repositories, $0.total, $0.next) = (StandIn.page("", 1).items, 6, 2)
        $0.isLoaded = true
        ($0.activity, $0.failure) = (nil, nil)
      }
      await test.finish()
    }
  }

  @Test func `retrying can be stopped, and started by hand`() async throws {
    try await list { test, github in
      github.fails(.offline)
      await test.send(everything: .load) { $0.activity = .first }
      await test.advance(by: .seconds(1))
      await test.receive(everything: nil) {
        $0.failure = Failure(error: .offline, during: .first, attempts: 1, isRetrying: true)
      }
      await test.send(everything: .stopRetrying) {
        $0.activity = nil
        $0.failure?.isRetrying = false
      }
      await test.advance(by: .seconds(60))
      await test.send(everything: .retry) { ($0.activity, $0.failure) = (.first, nil) }
      await test.advance(by: .seconds(1))
      await test.receive(everything: nil) {
        ($0.repositories, $0.total, $0.next) = (StandIn.page("", 1).items, 6, 2)
        $0.isLoaded = true
        $0.activity = nil
      }
      await test.finish()
    }
  }

  @Test func `a first attempt is not stopped`() async throws {
    try await loaded { test, _ in
      await test.send(everything: .refresh) { $0.activity = .refresh }
      await test.send(everything: .stopRetrying)
      await test.advance(by: .seconds(1))
      await test.receive(everything: nil) { $0.activity = nil }
    }
  }

  @Test(arguments: [
    GitHubError.response(status: 422), .unreadable, .notFound,
    .rateLimited(until: Date(timeIntervalSince1970: 60)),
  ])
  func `an error that will not pass is shown at once`(error: GitHubError) async throws {
    try await loaded { test, github in
      github.fails(error)
      await test.send(everything: .refresh) { $0.activity = .refresh }
      await test.advance(by: .seconds(1))
      await test.receive(everything: nil) {
        $0.activity = nil
        $0.failure = Failure(error: error, during: .refresh, attempts: 1, isRetrying: false)
      }
    }
  }

  @Test func `a retry requests the page that failed`() async throws {
    try await loaded { test, github in
      github.fails(.unreadable)
      await test.send(everything: .loadMore) { $0.activity = .more }
      await test.advance(by: .seconds(1))
      await test.receive(everything: nil) {
        $0.activity = nil
        $0.failure = Failure(error: .unreadable, during: .more, attempts: 1, isRetrying: false)
      }
      await test.send(everything: .retry) { ($0.activity, $0.failure) = (.more, nil) }
      await test.advance(by: .seconds(1))
      await test.receive(everything: nil) {
        $0.repositories += StandIn.page("", 2).items
        ($0.next, $0.activity) = (3, nil)
      }
      #expect(github.asked == ["/1", "/2", "/2"])
    }
  }

  @Test func `in any order of events, one load is shown at the end`() async throws {
    try await simulate(seeds: 1...50) { simulation in
      let list = ListsReactor(
        StandIn(simulation.clock), settings: SettingsReactor(), clock: simulation.clock)
      let actions: [ListsReactor.ListAction] = [
        .load, .type("a"), .loadMore, .refresh, .search("b"), .loadMore,
      ]
      for action in actions { list.send(.list(.everything, action)) }
      await simulation.advanceToEnd()
      try #require(await list.currentState.everything.repositories == StandIn.page("b", 1).items)
      try #require(await list.currentState.everything.activity == nil)
    }
  }
}

/// Expectations of the list of all repositories; the rows follow from them.
extension ReactorTest<ListsReactor> {
  fileprivate func send(
    everything action: ListsReactor.ListAction,
    _ change: @Sendable (inout RepositoriesState) -> Void = { _ in },
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    column: UInt = #column
  ) async {
    await send(
      .list(.everything, action), { $0.change { change(&$0.everything) } }, fileID: fileID,
      filePath: filePath, line: line, column: column)
  }

  fileprivate func receive(
    everything mutation: ListMutation?,
    _ change: @Sendable (inout RepositoriesState) -> Void = { _ in },
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    column: UInt = #column
  ) async {
    let change: @Sendable (inout ListsState) -> Void = { $0.change { change(&$0.everything) } }
    if let mutation {
      await receive(
        .list(.everything, mutation), change, fileID: fileID, filePath: filePath, line: line,
        column: column)
    } else {
      await receive(change, fileID: fileID, filePath: filePath, line: line, column: column)
    }
  }
}
