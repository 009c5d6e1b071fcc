import Reactor
import ReactorComposition
import ReactorTesting
import RepositoryCore
import Testing

/// One action, and what each screen makes of it.
@Suite(.timeLimit(.minutes(2))) struct BroadcastTests {
  private let window = WindowID()

  private func place(_ route: Route, _ index: Int = 0) -> Place {
    Place(window, at: route, index: index)
  }

  private func route(_ bench: SessionBench) async -> Route? {
    await bench.router.currentState.windows[window]?.route
  }

  /// Logs in, and broadcasts that as the requests of a page do.
  private func logIn(_ bench: SessionBench) async {
    await bench.logIn()
    let login = await bench.login.currentState
    await bench.broadcast(.visitor(Visitor(user: "ada", generation: login.generation)))
  }

  @Test func `a session that is launched has an advertisement, and loads what is opened`()
    async throws
  {
    try await simulate { simulation in
      let bench = try await SessionBench(simulation)
      await simulation.settle()
      #expect(await bench.lists.currentState.hasAdvertisement)
      #expect(bench.github.asked == [])
      bench.router.send(.open(.settings, from: place(.everything)))
      await simulation.settle()
      #expect(bench.github.asked == [])
      bench.router.send(.back(from: place(.settings, 1)))
      await simulation.advance(by: .seconds(1))
      #expect(bench.github.asked == ["/1"])
      #expect(await bench.lists.currentState.everything.isLoaded)
      #expect(await !bench.lists.currentState.own.isLoaded)
    }
  }

  @Test func `a star without a login waits in the shell and in both lists, and moves its window`()
    async throws
  {
    try await simulate { simulation in
      let bench = try await SessionBench(simulation)
      bench.router.send(.connect(place(.everything)))
      let star = StandIn.page("", 1).items[0]
      await simulation.advance(by: .seconds(1))
      await bench.broadcast(.favourite(star, place(.everything)))
      await simulation.settle()
      #expect(await bench.shell.currentState.waitsForLogin == [star.id])
      let rows = await bench.lists.currentState.everything.rows
      #expect(rows.contains(.repository(star, .waiting)))
      #expect(await route(bench) == .login(next: "/#star-\(star.id)"))

      await logIn(bench)
      await simulation.settle()
      #expect(try await bench.starred == [star.id.name])
      #expect(await bench.lists.currentState.waiting == [])
      // What the login was for.
      #expect(await route(bench) == .everything)
    }
  }

  @Test func `a star with a login is set, and moves no window`() async throws {
    try await simulate { simulation in
      let bench = try await SessionBench(simulation)
      await logIn(bench)
      bench.router.send(.connect(place(.everything)))
      await bench.broadcast(.favourite(one("a/one"), place(.everything)))
      await simulation.settle()
      #expect(try await bench.starred == ["one"])
      #expect(await bench.lists.currentState.waiting == [])
      #expect(await route(bench) == .everything)
    }
  }

  @Test func `a star that is not given waits no longer`() async throws {
    try await simulate { simulation in
      let bench = try await SessionBench(simulation)
      await bench.broadcast(.favourite(one("a/one"), nil))
      await simulation.settle()
      #expect(await bench.lists.currentState.waiting == [one("a/one").id])
      await simulation.advance(by: .seconds(600))
      #expect(await bench.lists.currentState.waiting == [])
    }
  }

  @Test func `a tab moves its window, and that of the list clears the announcements`() async throws
  {
    try await simulate { simulation in
      let bench = try await SessionBench(simulation)
      bench.router.send(.connect(place(.everything)))
      await bench.broadcast(.announcement(Announcement(id: 1, text: "one")))
      await simulation.settle()
      await bench.broadcast(.pressed(.settings, place(.everything)))
      await simulation.settle()
      #expect(await route(bench) == .settings)
      #expect(await bench.lists.currentState.announcements.map(\.id) == [1])
      await bench.broadcast(.pressed(.everything, place(.settings, 1)))
      await simulation.settle()
      #expect(await route(bench) == .everything)
      #expect(await bench.lists.currentState.announcements == [])
    }
  }

  @Test func `the tab of own repositories leads to the login, and after it to the list`()
    async throws
  {
    try await simulate { simulation in
      let bench = try await SessionBench(simulation)
      bench.router.send(.connect(place(.settings)))
      await bench.broadcast(.pressed(.own, place(.settings)))
      await simulation.settle()
      #expect(await route(bench) == .login(next: "/own"))
      #expect(bench.github.asked == [])
      await logIn(bench)
      await simulation.settle()
      #expect(await route(bench) == .own)
      bench.router.send(.connect(place(.own, 1)))
      await simulation.advance(by: .seconds(1))
      #expect(bench.github.asked == ["of ada/1"])
      #expect(await bench.lists.currentState.own.repositories == StandIn.ownPage("ada", 1).items)
    }
  }

  @Test func `after a logout nothing of the user is left, and windows leave their list`()
    async throws
  {
    try await simulate { simulation in
      let bench = try await SessionBench(simulation)
      await logIn(bench)
      bench.router.send(.connect(place(.own)))
      await simulation.advance(by: .seconds(1))
      #expect(await bench.lists.currentState.own.isLoaded)
      let old = await bench.lists.currentState.visitor
      await bench.login.send(.logOut).settled
      await bench.broadcast(.visitor(Visitor(generation: 2)))
      // A stream that is late has still sent the old user.
      await bench.broadcast(.visitor(old))
      await simulation.settle()
      #expect(await bench.lists.currentState.own == RepositoriesState())
      #expect(await bench.lists.currentState.visitor.user == nil)
      #expect(await route(bench) == .login(next: "/own"))
    }
  }

  @Test func `a load of the own list ends when its user logs out`() async throws {
    try await simulate { simulation in
      let bench = try await SessionBench(simulation)
      await logIn(bench)
      await bench.broadcast(.opened(.own))
      await simulation.settle()
      #expect(await bench.lists.currentState.own.showsPlaceholders)
      await bench.broadcast(.visitor(Visitor(generation: 2)))
      await simulation.advance(by: .seconds(10))
      #expect(await bench.lists.currentState.own == RepositoriesState())
    }
  }

  @Test func `of the states of favourites the newest is shown, whichever arrives last`()
    async throws
  {
    try await simulate { simulation in
      let bench = try await SessionBench(simulation)
      var visitors: [Visitor] = []
      for changes in 1...3 {
        var visitor = Visitor(user: "ada", generation: 1)
        visitor.favourites.changes = changes
        visitor.favourites.favourites = (0..<changes).map {
          .init(one("a/number-\($0)"), since: day)
        }
        visitors.append(visitor)
      }
      for place in [1, 0, 2, 1, 0] { await bench.broadcast(.visitor(visitors[place])) }
      await simulation.settle()
      #expect(await bench.lists.currentState.visitor == visitors[2])
    }
  }

  @Test func `the advertisement is gone as soon as its page is open`() async throws {
    try await simulate { simulation in
      let bench = try await SessionBench(simulation)
      bench.router.send(.connect(place(.everything)))
      await simulation.advance(by: .seconds(1))
      #expect(await bench.lists.currentState.everything.rows.contains(.advertisement))
      bench.router.send(.open(.advertisement, from: place(.everything)))
      await simulation.settle()
      #expect(await route(bench) == .advertisement)
      bench.router.send(.back(from: place(.advertisement, 1)))
      await simulation.settle()
      #expect(await route(bench) == .everything)
      #expect(await !bench.lists.currentState.everything.rows.contains(.advertisement))
    }
  }

  @Test func `the newest announcements are rows, unless the visitor has disabled them`()
    async throws
  {
    try await simulate { simulation in
      let bench = try await SessionBench(simulation)
      for id in 1...5 {
        await bench.broadcast(.announcement(Announcement(id: id, text: "\(id)")))
        await simulation.settle()
      }
      #expect(await bench.lists.currentState.announcements.map(\.id) == [5, 4, 3])
      await bench.lists.send(.dismiss(announcement: 4)).settled
      #expect(await bench.lists.currentState.announcements.map(\.id) == [5, 3])
      await bench.shell.screens.settings.send(.setAnnouncements(false)).settled
      await bench.broadcast(.announcement(Announcement(id: 6, text: "6")))
      await simulation.advance(by: .seconds(5))
      #expect(await bench.lists.currentState.announcements.map(\.id) == [5, 3])
    }
  }

  @Test func `at the end no list is retried`() async throws {
    try await simulate { simulation in
      let bench = try await SessionBench(simulation)
      bench.github.fails(.offline, .offline, .offline, .offline, .offline, .offline)
      await bench.broadcast(.opened(.everything))
      await simulation.advance(by: .seconds(1))
      #expect(await bench.lists.currentState.everything.failure?.isRetrying == true)
      await bench.broadcast(.closing)
      await simulation.advance(by: .seconds(60))
      #expect(bench.github.asked == ["/1"])
      #expect(await bench.shell.currentState.isClosing)
    }
  }
}

/// The windows of one session.
@Suite(.timeLimit(.minutes(2))) struct RouterTests {
  @Test func `a request gets the route that its visitor may see`() async throws {
    try await simulate { simulation in
      let router = try await SessionBench(simulation).router
      let window = WindowID()
      #expect(try await router.ask { .enter(window, .settings, $0) } == .settings)
      #expect(try await router.ask { .enter(WindowID(), .own, $0) } == .login(next: "/own"))
      // A request that is redirected has no window.
      #expect(await Array(router.currentState.windows.keys) == [window])
    }
  }

  @Test func `windows of one session are at different places`() async throws {
    try await simulate { simulation in
      let router = try await SessionBench(simulation).router
      let places = [Place(WindowID(), at: .everything), Place(WindowID(), at: .settings)]
      for place in places { router.send(.connect(place)) }
      router.send(.open(.favourites, from: places[0]))
      await simulation.settle()
      let windows = await router.currentState.windows
      #expect(places.map { windows[$0.window]?.route } == [.favourites, .settings])
    }
  }

  @Test func `a window that connects again stays where it is`() async throws {
    try await simulate { simulation in
      let router = try await SessionBench(simulation).router
      let place = Place(WindowID(), at: .everything)
      router.send(.connect(place))
      router.send(.open(.settings, from: place))
      router.send(.connect(place))
      await simulation.settle()
      #expect(await router.currentState.windows[place.window]?.route == .settings)
    }
  }

  @Test func `a window that is not known any more begins where its browser is`() async throws {
    try await simulate { simulation in
      let router = try await SessionBench(simulation).router
      let place = Place(WindowID(), at: .settings, index: 4)
      router.send(.open(.favourites, from: place))
      await simulation.settle()
      #expect(await router.currentState.windows[place.window]?.index == 5)
    }
  }

  @Test func `of more windows than are kept, those that moved last are`() async throws {
    try await simulate { simulation in
      let router = try await SessionBench(simulation).router
      let limit = RouterReactor.State.limit
      let places = (0...limit).map { _ in Place(WindowID(), at: .settings) }
      for place in places.prefix(limit) { router.send(.connect(place)) }
      router.send(.open(.favourites, from: places[0]))
      router.send(.connect(places[limit]))
      await simulation.settle()
      let windows = await router.currentState.windows
      #expect(windows.count == limit)
      #expect(windows[places[0].window] != nil)
      #expect(windows[places[1].window] == nil)
    }
  }
}
