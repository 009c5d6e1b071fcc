import Foundation
import HTTPTypes
import Hummingbird
import NIOCore
import Reactor
import ReactorComposition
import RepositoryCore

/// The pages, and the stream of each.
struct PageRoutes: Sendable {
  let desk: Desk

  func add(to router: Router<DemoContext>) {
    for path in ["/", "own", "favourites", "settings", "advertisement", "login"] {
      router.get(RouterPath(path)) { request, context in
        guard let route = Route(address: request.uri.string) else { throw HTTPError(.notFound) }
        return try await page(route, request, context)
      }
    }
    router.get("repositories/{owner}/{name}") { request, context in
      let (owner, name) = (
        context.parameters.get("owner") ?? "", context.parameters.get("name") ?? ""
      )
      guard let id = RepositoryID(owner: owner, name: name) else {
        throw HTTPError(.notFound, message: "There is no such repository.")
      }
      return try await page(.detail(id), request, context)
    }
    router.get("events") { request, context in try await events(request, context) }
    router.get("assets/{file}") { _, context in
      guard let file = context.parameters.get("file"), let asset = Assets.all[file] else {
        throw HTTPError(.notFound)
      }
      return asset.response
    }
    router.allow(
      .get, at: "/", "own", "favourites", "settings", "advertisement",
      "repositories/{owner}/{name}", "events",
      "assets/{file}")
  }

  private func page(
    _ requested: Route, _ request: Request, _ context: DemoContext
  ) async throws -> Response {
    try await desk.gate.visit(request, from: context.address) { shell, cookie in
      if case .detail = requested { try desk.allowDetail(cookie) }
      try await desk.greet(shell)
      if requested == .everything, let text = request.uri.queryParameters["q"].map(String.init) {
        await search(text, shell.screens.lists)
      }
      let window = WindowID()
      let route = try await shell.screens.router.ask { .enter(window, requested, $0) }
      guard route == requested else { return .redirect(to: route.address) }
      try await prepare(route, shell)
      let look = try await desk.look(Place(window, at: route), shell, cookie)
      let view = Layout.view(look)
      var response = Response(html: Layout.page(view, look, Layout.body(view, look)))
      if look.detail?.failure == .notFound { response.status = .notFound }
      return response
    }
  }

  /// Searches, unless the list shows that already.
  private func search(_ text: String, _ lists: ListsReactor) async {
    let state = await lists.currentState.everything
    guard text != state.text || state.isUntouched else { return }
    await Waiting.briefly { await lists.send(.list(.everything, .search(text))).settled }
  }

  /// Waits for the state of a screen that has been opened: one that is loaded, or being loaded.
  private func prepare(_ route: Route, _ shell: ShellReactor) async throws {
    let lists = shell.screens.lists
    switch route {
    case .everything: _ = await lists.state.first { !$0.everything.isUntouched }
    case .own:
      _ = await lists.state.first { !$0.own.isUntouched || $0.visitor.user == nil }
    case .detail(let id):
      try await desk.details.with(id) { detail in
        await detail.begin()
        _ = await detail.state.first { $0.repository != nil || $0.isLoading || $0.failure != nil }
      }
    default: break
    }
  }

  /// `/events?page=/&window=…&index=0&seen=…`: the stream of one window.
  private func events(_ request: Request, _ context: DemoContext) async throws -> Response {
    let query = request.uri.queryParameters
    let page = query["page"].map(String.init) ?? "/"
    guard let route = Route(address: page), route.isLive else {
      throw HTTPError(.notFound, message: "There is no such page.")
    }
    let window = query["window"].flatMap { WindowID(String($0)) } ?? WindowID()
    let index = query["index"].flatMap { Int($0) } ?? 0
    let place = Place(window, at: route, index: index, address: page)
    let text = URLComponents(string: page)?.queryItems?.first { $0.name == "q" }?.value
    let address = context.address
    let cookie = try await desk.gate.join(request, from: address) { shell, cookie in
      if case .detail = route { try desk.allowDetail(cookie) }
      let lists = shell.screens.lists
      // After a restart of the service the session is new, and has loaded nothing.
      if let text, await lists.currentState.everything.isUntouched {
        lists.send(.list(.everything, .search(text)))
      }
      return cookie
    }
    // So that the browser does not reconnect with an invalid cookie.
    guard let cookie else { return Response(status: .noContent) }
    guard let taken = desk.streams.take(cookie.session) else {
      throw HTTPError(.tooManyRequests, message: "Too many windows are open.")
    }
    let seen = request.headers[.lastEventID] ?? query["seen"].map(String.init)
    let stream = PageStream(
      desk: desk, place: place, cookie: cookie, address: address, seen: seen)
    return Response(
      status: .ok, headers: [.contentType: "text/event-stream", .cacheControl: "no-store"],
      body: ResponseBody { writer in
        defer { withExtendedLifetime(taken) {} }
        try await stream.write(to: &writer)
      })
  }
}

extension DetailReactor {
  /// Starts to load, unless it is loaded or loading.
  @discardableResult
  func begin() -> ActionReceipt<DetailReactor>? {
    currentState.isKnown || currentState.isLoading ? nil : send(.appear)
  }
}

/// For pages without scripts: waits for a result, but not for long.
enum Waiting {
  static func briefly(_ body: @escaping @Sendable () async -> Void) async {
    _ = try? await race {
      await body()
    } or: {
      try await Task.sleep(for: .seconds(2))
    }
  }
}

extension Response {
  init(html: HTML, status: HTTPResponse.Status = .ok) {
    self.init(
      status: status,
      headers: [.contentType: "text/html; charset=utf-8", .cacheControl: "private, no-cache"],
      body: ResponseBody(byteBuffer: ByteBuffer(string: html.text)))
  }
}
