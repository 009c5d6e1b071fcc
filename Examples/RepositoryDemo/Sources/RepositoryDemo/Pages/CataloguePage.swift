import Foundation
import RepositoryCore

/// Every component in each of its states, rendered from fixed states; used for screenshots.
enum CataloguePage {
  static let body: HTML = {
    let specimens = all.map { title, html in
      "<section class=\"specimen\"><h2>\(title)</h2>\(html)</section>" as HTML
    }
    return """
      <h1>Catalogue</h1><p class="quiet">Every component in each of its states. The buttons do \
      nothing here.</p><div inert>\(specimens)</div>
      """
  }()

  static func one(_ name: String, _ summary: String?, _ stars: Int = 1234) -> Repository {
    guard let id = RepositoryID(name) else { fatalError("'\(name)' is no repository's name") }
    return Repository(
      id: id, summary: summary, language: "Swift", stars: stars, forks: 56, openIssues: 7,
      license: "MIT", topics: ["actors", "server"],
      updated: Date(timeIntervalSince1970: 1_770_000_000))
  }

  static func list(_ rows: [PageView.Row]) -> HTML {
    "<ol class=\"rows\">\(unique(rows.map(\.html)))</ol>"
  }

  /// Removes ids, which must be unique in a page, and attributes that a script reacts to.
  static func unique(_ parts: [HTML]) -> HTML {
    let text = parts.map(\.text).joined()
    return HTML(
      safe: text.replacing(#/ ((id|aria-describedby)="[^"]*"|data-auto|autofocus)/#, with: ""))
  }

  static func look(
    _ route: Route, _ change: (inout Look) -> Void = { _ in }
  ) -> Look {
    var look = Look(
      route: route, path: route.path, shell: .init(), list: .init(), login: .init(),
      settings: .init())
    change(&look)
    return look
  }

  private static func status(_ change: (inout RepositoriesState) -> Void) -> HTML {
    var state = RepositoriesState()
    change(&state)
    let end = RepositoriesPage.more(state)
    let (status, doing) = (RepositoriesPage.status(state), RepositoriesPage.doing(state))
    return unique(["<div class=\"status\">\(status)\(doing)</div>", end])
  }

  private static func failure(_ error: GitHubError, isRetrying: Bool = false) -> HTML {
    status {
      $0.failure = .init(error: error, during: .first, attempts: 2, isRetrying: isRetrying)
    }
  }

  static let plain = one("alder-works/ember-parser", "A small parser for the rest of us")

  private static var rows: [(String, HTML)] {
    [
      (
        "A repository, and one that is starred",
        list([
          RowViews.row(plain, isStarred: false),
          RowViews.row(one("juniper/loom", "A fast queue", 182_400), isStarred: true),
        ])
      ),
      (
        "Without a description; with a long name and a long description",
        list([
          RowViews.row(one("fjord/moss", nil), isStarred: false),
          RowViews.row(
            one(
              "an-organisation-with-a-very-long-name/"
                + "a-repository.whose-name_goes-on-and-on-and-on-until-nobody-reads-it-any-more",
              String(
                repeating: "It says all that there is to say, and then says it again. ", count: 4)),
            isStarred: false),
        ])
      ),
      (
        "From right to left, in wide letters, and with what HTML knows",
        list([
          RowViews.row(one("wren/opal", "مكتبة صغيرة وسريعة لقراءة البيانات"), isStarred: false),
          RowViews.row(one("wren/jade", "並行処理のための小さなライブラリ"), isStarred: false),
          RowViews.row(one("wren/iris", "<script>alert(1)</script> & \"more\""), isStarred: false),
        ])
      ),
      ("On its way", list(RowViews.placeholders(2))),
    ]
  }

  private static var states: [(String, HTML)] {
    [
      (
        "Loading, refreshing, searching, loading more",
        [RepositoriesState.Activity.first, .refresh, .search, .more].reduce("") { html, activity in
          "\(html)\(status { ($0.activity, $0.text) = (activity, "swift") })"
        }
      ),
      ("Loaded", status { ($0.total, $0.rows, $0.next) = (3000, [plain], 2) }),
      ("All of it", status { ($0.total, $0.rows, $0.text) = (1, [plain], "ember") }),
      ("Nothing found", status { $0.total = 0 }),
      ("No network, tried again by itself", failure(.offline, isRetrying: true)),
      ("No network", failure(.offline)),
      ("A slow answer", failure(.slow)),
      ("An error as an answer", failure(.response(status: 502))),
      ("An answer that cannot be read", failure(.unreadable)),
      ("Asked too often", failure(.rateLimited(until: Date(timeIntervalSince1970: 1_770_000_000)))),
    ]
  }

  private static var all: [(String, HTML)] { rows + states + details + screens + around }
}
