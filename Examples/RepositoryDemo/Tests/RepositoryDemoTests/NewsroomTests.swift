import Reactor
import ReactorComposition
import ReactorJournal
import ReactorTesting
import RepositoryCore
import ServiceLifecycleTestKit
import Testing

@testable import RepositoryDemo

/// Announcements, as each session shows them; everything runs on a simulated clock.
@Suite(.timeLimit(.minutes(2))) struct NewsroomTests {
  /// Some sessions, and a group that sends them announcements.
  private struct Bench: Sendable {
    let everybody = ReactorGroup<AppAction>()
    let shells: [ShellReactor]

    init(_ simulation: Simulation) async throws {
      let journal = try await Journal(.inMemory)
      let clock = simulation.clock
      let github = GitHubClient(FakeGitHub(count: 40, clock: clock), clock: clock)
      let accounts = AccountReactor.Registry(idle: nil) { user in
        try await journal.open(user) { AccountReactor(user: user, passwords: Scrypt(rounds: 16)) }
      }
      let favourites = FavouritesReactor.Registry(idle: nil) { user in
        try await journal.open(user) { FavouritesReactor(user: user) }
      }
      shells = (0..<3).map { _ in
        let login = LoginReactor(accounts: accounts) { _ in }
        return ShellReactor.launched(
          Screens(github, login: login, clock: clock), favourites: favourites, clock: clock)
      }
      for shell in shells {
        everybody.join(shell)
        shell.screens.app.send(.opened(.everything))
      }
    }

    /// The announcements among the rows of each session; a single element if they are the same.
    var announcements: Set<[Announcement]> {
      get async {
        var shown: Set<[Announcement]> = []
        for shell in shells {
          let rows = await shell.screens.lists.currentState.everything.rows
          shown.insert(
            rows.compactMap { if case .announcement(let one) = $0 { one } else { nil } })
        }
        return shown
      }
    }
  }

  /// The announcements of a seed, with the time at which each is made.
  private static func expected(
    _ count: Int, seed: UInt64, pause: Duration
  ) -> [(time: Duration, announcement: Announcement)] {
    var generator = AnnouncementGenerator(seed: seed)
    var time = Duration.zero
    return (0..<count).map { _ in
      let (pauses, announcement) = generator.next()
      time += pause * pauses
      return (time, announcement)
    }
  }

  /// Runs a newsroom; the body also receives a closure that shuts it down, as SIGTERM does, and
  /// waits for that.
  private func open(
    seed: UInt64 = 1, pause: Duration? = .seconds(10),
    _ body:
      @escaping @Sendable (
        _ bench: Bench, _ simulation: Simulation, _ end: @escaping @Sendable () async -> Void
      ) async throws -> Void
  ) async throws {
    // The shutdown of services uses tasks outside the simulation.
    try await simulate(seed: seed, awaitsOthers: true) { simulation in
      let bench = try await Bench(simulation)
      let newsroom = Newsroom(
        everybody: bench.everybody, pause: pause, seed: seed, clock: simulation.clock)
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

  @Test(arguments: 1...20 as ClosedRange<UInt64>)
  func `announcements are rows from when they are made, at their places, in every session`(
    seed: UInt64
  ) async throws {
    try await open(seed: seed) { bench, simulation, _ in
      let expected = Self.expected(3, seed: seed, pause: .seconds(10))
      await simulation.advance(by: expected[0].time - .milliseconds(1))
      #expect(await bench.announcements == [[]])
      await simulation.advance(by: .milliseconds(1))
      #expect(await bench.announcements == [[expected[0].announcement]])
      await simulation.advance(by: expected[2].time - expected[0].time)
      // By their places; of several at one place, the newest is first.
      let all = expected.map(\.announcement).sorted { ($0.place, $1.id) < ($1.place, $0.id) }
      #expect(await bench.announcements == [all])
      for shell in bench.shells {
        let rows = await shell.screens.lists.currentState.everything.rows
        for one in all {
          let above = rows.prefix { $0 != .announcement(one) }
          #expect(above.count { if case .repository = $0 { true } else { false } } == one.place)
        }
      }
    }
  }

  @Test func `of many announcements the newest are shown`() async throws {
    try await open { bench, simulation, _ in
      let expected = Self.expected(12, seed: 1, pause: .seconds(10))
      await simulation.advance(by: expected[11].time)
      let shown = await bench.announcements
      #expect(shown.count == 1)
      #expect(shown.first?.map(\.id).sorted() == [10, 11, 12])
    }
  }

  @Test func `at the end every session is notified, and no further announcement is made`()
    async throws
  {
    try await open { bench, simulation, end in
      await simulation.advance(by: .seconds(20))
      let shown = await bench.announcements
      #expect(shown != [[]])
      await end()
      await simulation.settle()
      for shell in bench.shells { #expect(await shell.currentState.isClosing) }
      await simulation.advance(by: .seconds(60))
      #expect(await bench.announcements == shown)
    }
  }

  @Test func `without announcements the newsroom waits for the end alone`() async throws {
    try await open(pause: nil) { bench, simulation, end in
      await simulation.advance(by: .seconds(3600))
      #expect(await bench.announcements == [[]])
      for shell in bench.shells { #expect(await !shell.currentState.isClosing) }
      await end()
      for shell in bench.shells { #expect(await shell.currentState.isClosing) }
    }
  }
}
