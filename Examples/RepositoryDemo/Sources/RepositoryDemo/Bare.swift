import Hummingbird
import RepositoryCore

/// The list served by a plain actor: the cost of the page without reactors, streams and sessions.
///
/// For measurements only; see `Tests/load`.
actor Bare {
  private var lists = ListsState()

  init(_ github: any GitHub) async throws {
    let page = try await github.repositories(matching: "", page: 1)
    lists.change { lists in
      (lists.hasAdvertisement, lists.everything.isLoaded) = (true, true)
      lists.everything.repositories = page.items
      (lists.everything.total, lists.everything.next) = (page.total, page.next)
    }
  }

  func page() -> HTML {
    let look = Look(
      place: Place(WindowID(), at: .everything), shell: .init(), lists: lists, login: .init(),
      settings: .init())
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
