import HTTPTypes
import Hummingbird
import Reactor
import ReactorComposition
import RepositoryCore

/// The actions of buttons.
///
/// A form and a script send the same request; only the answer differs.
struct ActionRoutes: Sendable {
  let desk: Desk
  let logins: RateLimit

  func add(to router: Router<DemoContext>) {
    router.post("actions/{name}") { request, context in
      try await act(context.parameters.get("name") ?? "", request, context)
    }
    router.post("login") { request, context in try await logIn(request, context) }
    router.allow(.post, at: "actions/{name}")
    router.allow(.get, .post, at: "login")
  }

  private func act(
    _ name: String, _ request: Request, _ context: DemoContext
  ) async throws -> Response {
    let form = try await FormData(request)
    return try await join(request, form, context) { shell, cookie in
      let isLive = request.headers[.live] != nil
      if ["favour", "reload"].contains(name) { try desk.allowDetail(cookie) }
      let done =
        isLive && Self.moves.contains(name)
        ? try await move(name, form, shell, cookie)
        : try await perform(name, form, shell, waits: !isLive)
      let back = form.back
      var response: Response
      if isLive {
        response = Response(status: .noContent)
        if case .goTo(let path) = done { response.headers[.go] = path }
      } else if case .goTo(let path) = done {
        response = .redirect(to: path)
      } else {
        response = .redirect(to: back)
      }
      // Only a logout removes the login cookie: another window may have logged in meanwhile.
      if case .hasLoggedOut = done {
        let login = await shell.screens.login.currentState
        if login.user == nil { response.set(desk.gate.login(VisitorCookie(cookie.session, login))) }
      }
      return response
    }
  }

  private enum Done { case isDone, goTo(String), hasLoggedOut }

  private func perform(
    _ name: String, _ form: FormData, _ shell: ShellReactor, waits: Bool
  ) async throws -> Done {
    /// A page without scripts shows the result, if it is available within a moment.
    func send<R: Reactor>(_ reactor: R, _ action: R.Action) async throws {
      let receipt = reactor.send(action)
      if waits { await Waiting.briefly { await receipt.settled } }
      try check(receipt.refusal)
    }
    func send(list action: ListsReactor.ListAction) async throws {
      let list: ListName = try form["list"].isEmpty ? .everything : choice(form["list"])
      try await send(shell.screens.lists, .list(list, action))
    }
    switch name {
    case "type": try await send(list: .type(form["q"]))
    case "search": try await send(list: .search(form["q"]))
    case "more": try await send(list: .loadMore)
    case "refresh": try await send(list: .refresh)
    case "retry": try await send(list: .retry)
    case "stop-retrying": try await send(list: .stopRetrying)
    case "dismiss-announcement":
      let id = try number(form["announcement"])
      try await send(shell.screens.lists, .dismiss(announcement: id))
    case "undo": try await send(shell, .undo(try number(form["change"])))
    case "undo-last": try await send(shell, .undoLast)
    case "start-over":
      // The next lists are the reset ones.
      await Waiting.briefly { await shell.send(.startOver).settled }
      return .goTo("/")
    case "dismiss": try await send(shell, .dismissToast)
    case "theme": try await send(shell.screens.settings, .setTheme(try choice(form["theme"])))
    case "announcements":
      let isOn = form["announcements"] == "on"
      try await send(shell.screens.settings, .setAnnouncements(isOn))
    case "weather":
      guard let board = desk.weather else { throw HTTPError(.notFound) }
      board.set(try choice(form["weather"]))
    case "favour": return try await favour(try id(form), form, shell, waits)
    case "unfavour":
      let receipt = shell.screens.app.send(.unfavourite(try id(form)))
      if waits { await Waiting.briefly { await receipt.settled } }
      try check(receipt)
    case "reload":
      try await desk.details.with(try id(form)) { try await send($0, .refresh) }
    // Actions that change the cookie are awaited.
    case "log-out":
      await shell.screens.login.send(.logOut).settled
      return .hasLoggedOut
    case "log-out-everywhere":
      await shell.screens.login.send(.logOutEverywhere).settled
      return .hasLoggedOut
    default: throw HTTPError(.notFound, message: "There is no such action.")
    }
    return .isDone
  }

  // MARK: Moves

  /// The moves of a window, which a page without scripts makes by links.
  private static let moves: Set = ["open", "press", "back", "arrive"]

  private func move(
    _ name: String, _ form: FormData, _ shell: ShellReactor, _ cookie: VisitorCookie
  ) async throws -> Done {
    guard let place = form.place else {
      throw HTTPError(.badRequest, message: "That is no window.")
    }
    try await desk.greet(shell)
    let (app, router) = (shell.screens.app, shell.screens.router)
    switch name {
    case "press": try check(app.send(.pressed(try choice(form["tab"]), place)))
    case "back": try check(router.send(.back(from: place)).refusal)
    case "arrive":
      if case .detail = place.route { try desk.allowDetail(cookie) }
      try check(router.send(.arrive(place)).refusal)
    default:
      // What is not shown in a window that stays is loaded as a document.
      guard let route = Route(address: form["to"]), route.isLive else {
        return .goTo(Route.local(form["to"]))
      }
      if case .detail = route { try desk.allowDetail(cookie) }
      try check(router.send(.open(route, from: place)).refusal)
    }
    return .isDone
  }

  private func favour(
    _ id: RepositoryID, _ form: FormData, _ shell: ShellReactor, _ waits: Bool
  ) async throws -> Done {
    let repository = try await repository(id, shell)
    try await desk.greet(shell)
    let app = shell.screens.app
    let receipt = app.send(.favourite(repository, waits ? nil : form.place))
    do { try check(receipt) } catch {
      app.send(.favouriteEnded(repository.id))
      throw error
    }
    let user = await shell.screens.login.currentState.user
    if let login = Access.routeToStar(repository.id, at: form.back, user: user?.name) {
      // So that the login page can show why the login is needed.
      await Waiting.briefly {
        _ = await shell.state.first { $0.waitsForLogin.contains(repository.id) }
      }
      // After the login, the page scrolls to the star that was pressed.
      return waits || form.place == nil ? .goTo(login.address) : .isDone
    }
    await Waiting.briefly { await receipt.settled }
    try check(receipt)
    return .isDone
  }

  /// An action that was refused must not be answered as accepted.
  private func check(_ refusal: ActionRefusal?) throws {
    if refusal != nil { throw RateLimiter.refusal }
  }

  private func check(_ receipt: GroupReceipt) throws {
    if !receipt.refusals.isEmpty { throw RateLimiter.refusal }
  }

  /// The repository as a screen of this session shows it: only an existing one can be starred.
  private func repository(_ id: RepositoryID, _ shell: ShellReactor) async throws -> Repository {
    let lists = await shell.screens.lists.currentState
    for list in ListName.allCases {
      if let one = lists[list].repositories.first(where: { $0.id == id }) { return one }
    }
    let detail = try await desk.details.with(id) { detail in
      await Waiting.briefly {
        await detail.begin()?.settled
        _ = await detail.state.first { !$0.isLoading }
      }
      return await detail.currentState.repository
    }
    guard let detail else { throw HTTPError(.notFound, message: "There is no such repository.") }
    return detail
  }

  private func logIn(_ request: Request, _ context: DemoContext) async throws -> Response {
    let form = try await FormData(request)
    guard logins.allows(context.address) else {
      throw HTTPError(.tooManyRequests, message: "Too many tries. Wait a minute.")
    }
    return try await join(request, form, context) { shell, cookie in
      let login = shell.screens.login
      let next = Route.local(form["next"])
      // The result of this request, not of the session: another request may log in at the same
      // time.
      let mine = try? await login.ask {
        .logIn(
          name: form["name"], password: form["password"], isNew: form["new"] == "yes", $0)
      }
      guard let mine else { return .redirect(to: Route.login(next: next).address) }
      // Actions that waited for this login finish before the next page is rendered.
      await Waiting.briefly { _ = await shell.state.first { $0.waitsForLogin.isEmpty } }
      var response = Response.redirect(to: next)
      response.set(desk.gate.login(VisitorCookie(cookie.session, mine)))
      return response
    }
  }

  /// Accepts only requests from a page of the same session.
  private func join(
    _ request: Request, _ form: FormData, _ context: DemoContext,
    _ body: (_ shell: ShellReactor, _ cookie: VisitorCookie) async throws -> Response
  ) async throws -> Response {
    let site = request.headers[.fetchSite] ?? "same-origin"
    let response: Response?? =
      ["same-origin", "none"].contains(site)
      ? try await desk.gate.join(request, from: context.address) { shell, cookie in
        desk.gate.signer.isRight(token: form["token"], cookie)
          ? try await body(shell, cookie) : nil
      } : nil
    guard let response = response ?? nil else {
      throw HTTPError(.forbidden, message: ErrorPage.outdated)
    }
    return response
  }

  private func id(_ form: FormData) throws -> RepositoryID {
    guard let id = RepositoryID(form["repository"]) else {
      throw HTTPError(.badRequest, message: "That is no repository's name.")
    }
    return id
  }

  private func number(_ text: String) throws -> Int {
    guard let number = Int(text) else {
      throw HTTPError(.badRequest, message: "That is no number.")
    }
    return number
  }

  private func choice<Choice: RawRepresentable<String>>(_ text: String) throws -> Choice {
    guard let choice = Choice(rawValue: text) else {
      throw HTTPError(.badRequest, message: "There is no such choice.")
    }
    return choice
  }
}

extension Response {
  fileprivate mutating func set(_ cookies: [HTTPField]) {
    for cookie in cookies { headers.append(cookie) }
  }
}

extension HTTPField.Name {
  static func known(_ name: String) -> Self {
    guard let field = Self(name) else { fatalError("'\(name)' is no name of a header") }
    return field
  }

  /// Marks a request of a script, whose page receives the result through its stream.
  static let live = known("X-Live")
  /// The path to which the script has to navigate.
  static let go = known("X-Go")
  static let fetchSite = known("Sec-Fetch-Site")
  static let lastEventID = known("Last-Event-ID")
}
