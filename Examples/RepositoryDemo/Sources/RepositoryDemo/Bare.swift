import Hummingbird
import RepositoryCore

/// The list served by a plain actor: the cost of the page without reactors, streams and sessions.
///
/// For measurements only; see `Tests/load`.
actor Bare {
  private var list = RepositoriesState()

  init(_ github: any GitHub) async throws {
    let page = try await github.repositories(matching: "", page: 1)
    (list.rows, list.total, list.next) = (page.items, page.total, page.next)
  }

  func page() -> HTML {
    let look = Look(
      route: .repositories, path: "/", shell: .init(), list: list, login: .init(), settings: .init()
    )
    let view = Layout.view(look)
    return Layout.page(view, look, Layout.body(view, look))
  }

  /// A router for that page, with the same middleware.
  static func router() async throws -> Router<DemoContext> {
    let fake = FakeGitHub(clock: ContinuousClock())
    let bare = try await Bare(GitHubClient(fake, clock: ContinuousClock()))
    let router = Router(context: DemoContext.self)
    router.add(middleware: SecurityHeaders(isSecure: false))
    router.add(middleware: RequestMetrics(PrometheusMetrics()))
    router.add(middleware: Tracing())
    router.add(middleware: ErrorPages())
    router.get("/") { _, _ in Response(html: await bare.page()) }
    return router
  }
}
