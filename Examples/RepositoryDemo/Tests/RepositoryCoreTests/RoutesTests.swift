import RepositoryCore
import Testing

@Suite(.timeLimit(.minutes(2))) struct RouteTests {
  private static let all: [Route] = [
    .everything, .own, .favourites, .settings, .advertisement, .catalogue, .inside,
    .login(next: "/"), .login(next: "/own"), .login(next: "/#star-a/one"),
    .detail(one("apple/swift").id),
  ]

  @Test(arguments: all) func `a route is what its address is parsed to`(route: Route) {
    #expect(Route(address: route.address) == route)
  }

  @Test(arguments: [
    ("/?q=swift", Route.everything), ("/login", .login(next: "/")),
    ("/login?next=%2Fown", .login(next: "/own")), ("/own?x=1", .own),
  ])
  func `a query that is no part of a route is ignored`(address: String, route: Route) {
    #expect(Route(address: address) == route)
  }

  @Test(arguments: [
    "", "own", "/nothing", "/repositories/a", "/repositories/a/..", "/repositories/a/b/c",
    "//example.org/own", "https://example.org/own",
  ])
  func `an address that is no screen is no route`(address: String) {
    #expect(Route(address: address) == nil)
  }

  @Test(arguments: ["//example.org", "https://example.org", "/a b", "/\\example.org", "x", ""])
  func `a login leads to no other site`(next: String) {
    #expect(Route.local(next) == "/")
    #expect(Route(address: "/login?next=\(Route.escaped(next))") == .login(next: "/"))
  }
}

/// Which screens a visitor may see.
@Suite(.timeLimit(.minutes(2))) struct AccessTests {
  @Test(
    arguments: [
      Route.everything, .favourites, .settings, .advertisement, .catalogue,
      .detail(one("a/one").id),
    ], [nil, "ada"])
  func `most screens are for every visitor`(route: Route, user: String?) {
    #expect(Access.route(for: route, user: user) == route)
  }

  @Test func `own repositories require a login, which leads to them`() {
    #expect(Access.route(for: .own, user: nil) == .login(next: "/own"))
    #expect(Access.route(for: .own, user: "ada") == .own)
  }

  @Test(arguments: [
    ("/own", Route.own), ("/", .everything), ("/#star-a/one", .everything),
    ("/nothing", .everything), ("/login?next=/own", .everything),
  ])
  func `with a login, the login leads to its target`(next: String, target: Route) {
    #expect(Access.route(for: .login(next: next), user: "ada") == target)
    #expect(Access.route(for: .login(next: next), user: nil) == .login(next: next))
  }

  @Test func `a star without a login leads to the login, and back to the star`() {
    let id = one("a/one").id
    #expect(
      Access.routeToStar(id, at: "/?q=x#top", user: nil) == .login(next: "/?q=x#star-a/one"))
    #expect(Access.routeToStar(id, at: "/", user: "ada") == nil)
  }
}

@Suite(.timeLimit(.minutes(2))) struct NavigationTests {
  private let detail = Route.detail(one("a/one").id)

  private func at(_ navigation: Navigation) -> String {
    "\(navigation.index) \(navigation.route.path)"
  }

  @Test func `a window moves on, back and forward`() {
    var navigation = Navigation(at: .everything)
    navigation.open(detail)
    navigation.open(.settings)
    #expect(at(navigation) == "2 /settings")
    navigation.back()
    #expect(at(navigation) == "1 /repositories/a/one")
    navigation.arrive(at: .settings, index: 2)
    #expect(at(navigation) == "2 /settings")
    navigation.arrive(at: .everything, index: 0)
    #expect(at(navigation) == "0 /")
  }

  @Test func `the screen that a window shows is not opened again`() {
    var navigation = Navigation(at: .everything)
    navigation.open(.everything)
    #expect(navigation == Navigation(at: .everything))
  }

  @Test func `from a deep link, back leads to the screen that contains it`() {
    var navigation = Navigation(at: detail)
    navigation.back()
    #expect(at(navigation) == "0 /")
  }

  @Test func `positions that the browser no longer has are not gone back to`() {
    var navigation = Navigation(at: .everything)
    navigation.open(.settings)
    navigation.back()
    navigation.open(detail)
    navigation.back()
    navigation.arrive(at: detail, index: 1)
    navigation.back()
    #expect(at(navigation) == "0 /")
  }

  @Test func `a page that is loaded again keeps its position`() {
    var navigation = Navigation(at: detail)
    navigation.begin(at: 3)
    navigation.open(.settings)
    #expect(at(navigation) == "4 /settings")
    navigation.begin(at: 1)
    navigation.back()
    #expect(at(navigation) == "3 /repositories/a/one")
  }

  @Test func `in any sequence of moves a window follows its browser`() {
    var dice = Dice(seed: 5)
    let routes: [Route] = [.everything, .favourites, .settings, .advertisement, detail]
    for _ in 0..<200 {
      // A browser's history, of which the window's navigation must stay the current entry.
      var (history, index) = ([Route.everything], 0)
      var navigation = Navigation(at: .everything)
      for _ in 0..<30 {
        switch dice.next() % 4 {
        case 0, 1:
          let route = dice.one(of: routes)
          if route != history[index] {
            history = Array(history.prefix(index + 1)) + [route]
            index += 1
          }
          navigation.open(route)
        case 2:
          if index > 0 { index -= 1 } else { history[0] = .everything }
          navigation.back()
        default:
          index = Int(dice.next() % UInt64(history.count))
          navigation.arrive(at: history[index], index: index)
        }
        #expect(navigation.index == index)
        #expect(navigation.route == history[index])
      }
    }
  }
}
