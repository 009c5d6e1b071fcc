import Hummingbird
import NIOCore
import Reactor
import RepositoryCore

/// Routes for developers and operators: the catalogue, the page `/inside`, and the metrics.
struct ServiceRoutes: Sendable {
  let desk: Desk
  let metrics: PrometheusMetrics

  func add(to router: Router<DemoContext>) {
    router.get("catalogue") { request, context in
      try await plain(.catalogue, request, context) { CataloguePage.body }
    }
    if let steps = desk.steps {
      router.get("inside") { request, context in
        try await plain(.inside, request, context) { InsidePage.body(steps) }
      }
    }
    router.get("metrics") { _, _ in
      Response(
        status: .ok, headers: [.contentType: "text/plain; version=0.0.4; charset=utf-8"],
        body: ResponseBody(byteBuffer: ByteBuffer(string: metrics.text)))
    }
    router.allow(.get, at: "catalogue", "metrics")
    if desk.steps != nil { router.allow(.get, at: "inside") }
  }

  /// A page that is not live.
  private func plain(
    _ route: Route, _ request: Request, _ context: DemoContext, _ body: () -> HTML
  ) async throws -> Response {
    try await desk.gate.visit(request, from: context.address) { shell, cookie in
      try await desk.greet(shell)
      let look = try await desk.look(Place(WindowID(), at: route), shell, cookie)
      return Response(html: Layout.page(Layout.view(look), look, body(), isLive: false))
    }
  }
}
