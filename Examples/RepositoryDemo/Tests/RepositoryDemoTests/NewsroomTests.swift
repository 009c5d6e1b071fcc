import Reactor
import ReactorComposition
import ReactorJournal
import ReactorTesting
import RepositoryCore
import ServiceLifecycleTestKit
import Synchronization
import Testing

@testable import RepositoryDemo

/// Notices, as each session shows them; everything runs on a simulated clock.
@Suite(.timeLimit(.minutes(2))) struct NewsroomTests {
  /// Some sessions, and a newsroom that sends them events.
  private struct Bench: Sendable {
    let everybody = ReactorGroup<AppEvent>()
    let shells: [ShellReactor]

    init(_ simulation: Simulation) async throws {
      let journal = try await Journal(.inMemory)
      let clock = simulation.clock
      let github = GitHubClient(FakeGitHub(count: 1, clock: clock), clock: clock)
      let accounts = AccountReactor.Registry(idle: nil) { user in
        try await journal.open(user) { AccountReactor(user: user, passwords: Scrypt(rounds: 16)) }
      }
      let favourites = FavouritesReactor.Registry(idle: nil) { user in
        try await journal.open(user) { FavouritesReactor(user: user) }
      }
      shells = (0..<3).map { _ in
        let screens = Screens(
          list: RepositoriesReactor(github, clock: clock),
          login: LoginReactor(accounts: accounts) { _ in }, settings: SettingsReactor())
        return ShellReactor(screens, favourites: favourites, clock: clock)
      }
      for shell in shells {
        App.join(everybody, shell)
        await shell.screens.settings.send(.setNotices(true)).settled
      }
    }

    /// What each session shows; a single element if it is the same for all.
    var toast: Set<String?> {
      get async {
        var shown: Set<String?> = []
        for shell in shells { shown.insert(await shell.currentState.toast?.text) }
        return shown
      }
    }
  }

  /// A fixed sequence of notices: the pause before each, and its text.
  private static func news(_ all: [(pauses: Double, text: String)])
    -> @Sendable () -> (
      pauses: Double, text: String
    )
  {
    let left = Mutex(all)
    return { left.withLock { $0.isEmpty ? (1000, "nothing more") : $0.removeFirst() } }
  }

  /// Runs a newsroom; the body also receives a closure that shuts it down, as SIGTERM does, and
  /// waits for that.
  private func open(
    seed: Int = 0, _ all: [(pauses: Double, text: String)], pause: Duration? = .seconds(10),
    _ body:
      @escaping @Sendable (
        _ bench: Bench, _ simulation: Simulation, _ end: @escaping @Sendable () async -> Void
      ) async throws -> Void
  ) async throws {
    // The shutdown of services uses tasks outside the simulation.
    try await simulate(seed: UInt64(seed), awaitsOthers: true) { simulation in
      let bench = try await Bench(simulation)
      let newsroom = Newsroom(
        everybody: bench.everybody, pause: pause, clock: simulation.clock, next: Self.news(all))
      try await testGracefulShutdown { trigger in
        let (ended, isEnding) = AsyncStream.makeStream(of: Void.self)
        let end: @Sendable () async -> Void = {
          trigger.triggerGracefulShutdown()
          for await _ in ended {}
        }
        async let running: Void = {
          defer { isEnding.finish() }
          try await newsroom.run()
        }()
        try await body(bench, simulation, end)
        await end()
        try await running
      }
    }
  }

  @Test(arguments: 1...20)
  func `news are shown when they happen, in their order, in every session`(
    seed: Int
  ) async throws {
    try await open(seed: seed, [(1, "one"), (0.5, "two")]) { bench, simulation, _ in
      await simulation.advance(by: .seconds(9))
      #expect(await bench.toast == [nil])
      await simulation.advance(by: .seconds(1))
      #expect(await bench.toast == ["one"])
      await simulation.advance(by: .seconds(4))
      #expect(await bench.toast == [nil])
      await simulation.advance(by: .seconds(1))
      #expect(await bench.toast == ["two"])
    }
  }

  @Test func `news that happen at the same time are shown one after the other`() async throws {
    let all = [(1.0, "one"), (0.1, "two"), (0.1, "three")]
    try await open(all) { bench, simulation, _ in
      await simulation.advance(by: .seconds(13))
      #expect(await bench.toast == ["one"])
      for text in ["two", "three"] {
        await simulation.advance(by: .seconds(text == "two" ? 1 : 4))
        #expect(await bench.toast == [text])
      }
      await simulation.advance(by: .seconds(4))
      #expect(await bench.toast == [nil])
    }
  }

  @Test func `of too many notices at once, the oldest are not shown`() async throws {
    let all = [(1.0, "0")] + (1...12).map { (0.0, "\($0)") }
    try await open(all) { bench, simulation, _ in
      await simulation.advance(by: .seconds(10))
      var shown: [Set<String?>] = []
      while await bench.toast != [nil] {
        shown.append(await bench.toast)
        await simulation.advance(by: .seconds(4))
      }
      #expect(shown == (["0"] + (5...12).map { "\($0)" }).map { [$0] })
    }
  }

  @Test func `at the end the notice shown is removed, and pending ones are not shown`() async throws
  {
    let all = [(1.0, "one"), (0, "two"), (0, "three")]
    try await open(all) { bench, simulation, end in
      await simulation.advance(by: .seconds(11))
      #expect(await bench.toast == ["one"])
      await end()
      await simulation.settle()
      for shell in bench.shells { #expect(await shell.currentState.isClosing) }
      #expect(await bench.toast == [nil])
      await simulation.advance(by: .seconds(60))
      #expect(await bench.toast == [nil])
    }
  }

  @Test func `without news the newsroom waits for the end alone`() async throws {
    try await open([], pause: nil) { bench, simulation, end in
      await simulation.advance(by: .seconds(3600))
      for shell in bench.shells { #expect(await !shell.currentState.isClosing) }
      await end()
      for shell in bench.shells { #expect(await shell.currentState.isClosing) }
    }
  }

  @Test func `random news have a text and a pause between them`() {
    for _ in 0..<100 {
      let (pauses, text) = Newsroom.chance()
      #expect((0.5...1.5).contains(pauses))
      #expect(text.hasSuffix("."))
    }
  }
}
