import Foundation
import RepositoryCore

/// The components of the screens other than the list, in each of their states.
extension CataloguePage {
  static var details: [Specimen] {
    func detail(_ change: (inout DetailReactor.State) -> Void) -> HTML {
      var state = DetailReactor.State(id: plain.id)
      change(&state)
      return unique([
        DetailPage.facts(state, look(.detail(plain.id))), DetailPage.readme(state),
        DetailPage.neighbours(state),
      ])
    }
    let text = "## A README\n\nWith a `word` in it.\n\n| a | b |\n|---|---|\n| 1 | 2 |"
    return specimens(
      in: DetailPage.file,
      [
        ("A detail on its way", detail { $0.isLoading = true }),
        (
          "A detail",
          detail { state in
            (state.repository, state.readme) = (plain, Markdown.html(text))
            state.neighbours = [
              one("alder-works/opal-maps", nil), one("alder-works/flint", nil, 12),
            ]
          }
        ),
        ("A detail without a README and without neighbours", detail { $0.repository = plain }),
        (
          "A detail of which hardly anything is known",
          detail { $0.repository = Repository(id: plain.id) }
        ),
        ("A detail that there is not", detail { $0.failure = .notFound }),
        ("A detail that could not be loaded", detail { $0.failure = .offline }),
        (
          "A detail that could not be loaded anew",
          detail { ($0.repository, $0.failure) = (plain, .response(status: 502)) }
        ),
      ])
  }

  static var screens: [Specimen] {
    func favourites(_ rows: [Repository], user: String? = "ada") -> HTML {
      let look = look(.favourites) { look in
        look.lists.visitor.user = user
        look.lists.visitor.favourites.favourites = rows.map { .init($0, since: $0.updated) }
      }
      var view = PageView(title: "")
      FavouritesPage.add(to: &view, look)
      let parts = ["status", "doing"].map { view.regions[$0] ?? HTML.none }
      let status: HTML = "<div class=\"status\">\(parts)</div>"
      let rows: HTML = rows.isEmpty ? .none : list(rows.map { .repository($0, .on) })
      return unique([status, rows, view.regions["more"] ?? .none])
    }
    func login(_ change: (inout Look) -> Void) -> HTML {
      let look = look(.login(next: "/"), change)
      var view = PageView(title: "")
      LoginPage.add(to: &view, look)
      return unique([LoginPage.body(view, look, next: "/")])
    }
    let others = (1...2).map { one("fjord/moss-\($0)", nil).id }
    let loom = one("juniper/loom", "A fast queue", 182_400)
    return specimens(
      in: FavouritesPage.file,
      [
        ("Favourites of nobody", favourites([], user: nil)),
        ("No favourites yet", favourites([])),
        ("Favourites", favourites([plain, loom])),
      ])
      + specimens(
        in: LoginPage.file,
        [
          ("The login", login { _ in }),
          ("The login, for a star", login { $0.shell.waitsForLogin = [plain.id] }),
          ("The login, for several", login { $0.shell.waitsForLogin = others + [plain.id] }),
          ("The login refuses", unique(LoginReactor.Failure.allCases.map(LoginPage.failure))),
        ])
      + specimens(
        in: SettingsPage.file,
        [
          ("Settings", settings { _ in }),
          (
            "Settings of somebody who is logged in",
            settings { look in
              look.login.user = ada
              (look.settings.theme, look.settings.showsAnnouncements) = (.dark, false)
            }
          ),
          ("What goes wrong", unique(Weather.allCases.map(SettingsPage.weather))),
        ])
      + specimens(
        in: AdvertisementPage.file,
        [("The page of the advertisement", unlinked(unique([AdvertisementPage.body])))])
  }

  /// A page has one heading of the first level.
  private static func unlinked(_ html: HTML) -> HTML {
    HTML(
      safe: html.text.replacing("<h1>", with: "<p class=\"lead\"><b>").replacing(
        "</h1>", with: "</b></p>"))
  }

  static let ada = LoginReactor.User(name: "ada", epoch: 1)

  private static func settings(_ change: (inout Look) -> Void) -> HTML {
    var view = PageView(title: "")
    SettingsPage.add(to: &view, look(.settings, change))
    return unique([view.regions["settings"] ?? .none])
  }

  /// The components around every screen, and those that replace one.
  static var around: [Specimen] {
    func tabs(_ route: Route, _ change: (inout Look) -> Void = { _ in }) -> HTML {
      "<div class=\"tabs\">\(Layout.tabs(look(route, change)))</div>"
    }
    let longest = String(repeating: "ada-", count: 7) + "ad"
    let errors: [(String, Int, String)] = [
      ("A page that there is not", 404, ErrorPage.nothing),
      ("A page from before a login", 403, ErrorPage.outdated),
      ("Too many requests", 429, ErrorPage.tooOften),
      ("Too many visitors from one address", 429, ErrorPage.address),
      ("A full house", 503, ErrorPage.house),
      ("An end, or a beginning", 503, ErrorPage.anew),
      ("Our own fault", 500, ErrorPage.ours),
    ]
    return specimens(
      in: Layout.file,
      [
        ("Tabs", unique([tabs(.everything), tabs(.own), tabs(.favourites), tabs(.settings)])),
        (
          "Tabs of somebody with favourites, and of a long name",
          unique([
            tabs(.everything) { look in
              look.login.user = ada
              look.lists.visitor.favourites.favourites = [.init(plain, since: plain.updated)]
            },
            tabs(.settings) { $0.login.user = .init(name: longest, epoch: 1) },
          ])
        ),
        ("An answer", unique([Layout.toast(.init("The colours are saved."), number: 1)])),
        (
          "An answer that can be taken back",
          unique([
            Layout.toast(
              .init("Added moss.", undo: .init(.remove(plain.id), of: "ada")), number: 1)
          ])
        ),
        (
          "Offline, and at the end",
          unique([
            Layout.banner(look(.settings) { $0.shell.isOffline = true }),
            Layout.banner(look(.settings) { $0.shell.isClosing = true }),
          ])
        ),
      ])
      + specimens(in: ErrorPage.file, errors.map { ($0.0, unique([ErrorPage.body($0.1, $0.2)])) })
  }
}
