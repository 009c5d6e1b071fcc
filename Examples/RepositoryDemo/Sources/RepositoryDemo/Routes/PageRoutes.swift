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
    for route in [Route.repositories, .favourites, .settings, .login] {
      router.get(RouterPath(route.path)) { request, context in
        try await page(route, request, context)
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
      .get, at: "/", "favourites", "settings", "repositories/{owner}/{name}", "events",
      "assets/{file}")
  }

  private func page(
    _ route: Route, _ request: Request, _ context: DemoContext
  ) async throws -> Response {
    try await desk.gate.visit(request, from: context.address) { shell, cookie in
      if case .detail = route { try desk.allowDetail(cookie) }
      await shell.send(.visit(route)).settled
      try await prepare(route, request.uri.queryParameters["q"].map(String.init), shell)
      let look = try await desk.look(route, path: route.path, shell, cookie)
      let view = Layout.view(look)
      let next = FormData.local(request.uri.queryParameters["next"].map(String.init) ?? "/")
      var response = Response(html: Layout.page(view, look, Layout.body(view, look, next: next)))
      if look.detail?.failure == .notFound { response.status = .notFound }
      return response
    }
  }

  /// Starts missing loads of the screen, and waits for what a page without scripts has requested.
  private func prepare(_ route: Route, _ text: String?, _ shell: ShellReactor) async throws {
    let list = shell.screens.list
    switch route {
    case .repositories:
      let state = await list.currentState
      if let text, text != state.text || state.total == nil && state.activity == nil {
        await Waiting.briefly { await list.send(.search(text)).settled }
      } else {
        // While a load runs, the action would be dropped, and reported as a problem.
        if state.total == nil, state.activity == nil { list.send(.appear) }
        _ = await list.state.first { $0.total != nil || $0.activity != nil || $0.failure != nil }
      }
    case .detail(let id):
      try await desk.details.with(id) { detail in
        await detail.begin()
        _ = await detail.state.first { $0.repository != nil || $0.isLoading || $0.failure != nil }
      }
    default: break
    }
  }

  /// `/events?page=/&seen=…`: the stream of one page.
  private func events(_ request: Request, _ context: DemoContext) async throws -> Response {
    let page = request.uri.queryParameters["page"].map(String.init) ?? "/"
    let url = URLComponents(string: page)
    guard let path = url?.path, let route = Route(path: path) else {
      throw HTTPError(.notFound, message: "There is no such page.")
    }
    // After a restart of the service the session is new, and has loaded nothing.
    let text = url?.queryItems?.first { $0.name == "q" }?.value
    let address = context.address
    let cookie = try await desk.gate.join(request, from: address) { shell, cookie in
      if case .detail = route { try desk.allowDetail(cookie) }
      let state = await shell.screens.list.currentState
      if let text, state.total == nil, state.activity == nil {
        shell.screens.list.send(.search(text))
      } else {
        try await prepare(route, nil, shell)
      }
      return cookie
    }
    // So that the browser does not reconnect with an invalid cookie.
    guard let cookie else { return Response(status: .noContent) }
    guard let place = desk.streams.take(cookie.session) else {
      throw HTTPError(.tooManyRequests, message: "Too many windows are open.")
    }
    let seen = request.headers[.lastEventID] ?? request.uri.queryParameters["seen"].map(String.init)
    let stream = PageStream(
      desk: desk, route: route, cookie: cookie, address: address, seen: seen)
    return Response(
      status: .ok, headers: [.contentType: "text/event-stream", .cacheControl: "no-store"],
      body: ResponseBody { writer in
        defer { withExtendedLifetime(place) {} }
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
