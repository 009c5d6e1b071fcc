import Foundation
import RepositoryCore

/// Every component in each of its states, with the file that it is in; rendered from fixed states.
enum CataloguePage {
  /// A component in one state.
  struct Specimen {
    let title: String
    /// The file of the component, as the compiler has it.
    let file: String
    let html: HTML
  }

  static let body: HTML = {
    let specimens = all.map { one in
      """
      <section class="specimen"><h2>\(one.title) <code>\(one.file)</code></h2>\(one.html)</section>
      """ as HTML
    }
    return """
      <h1>Catalogue</h1><p class="quiet">Every component in each of its states, and the file that it \
      is in. The buttons do nothing here.</p><div inert>\(specimens)</div>
      """
  }()

  static var all: [Specimen] { rows + states + failures + details + screens + around }

  static func specimens(in file: String, _ all: [(String, HTML)]) -> [Specimen] {
    all.map { Specimen(title: $0.0, file: file, html: $0.1) }
  }

  static func one(_ name: String, _ summary: String?, _ stars: Int = 1234) -> Repository {
    guard let id = RepositoryID(name) else { fatalError("'\(name)' is no repository's name") }
    return Repository(
      id: id, summary: summary, language: "Swift", stars: stars, forks: 56, openIssues: 7,
      license: "MIT", topics: ["actors", "server"],
      updated: Date(timeIntervalSince1970: 1_770_000_000))
  }

  static func list(_ rows: [ListRow]) -> HTML {
    "<ol class=\"rows\">\(unique(rows.map { RowViews.row($0).html }))</ol>"
  }

  /// Removes ids, which must be unique in a page, and attributes that a script reacts to.
  static func unique(_ parts: [HTML]) -> HTML {
    let text = parts.map(\.text).joined()
    return HTML(
      safe: text.replacing(
        #/ ((id|aria-describedby|data-tab)="[^"]*"|data-auto|data-back|autofocus)/#, with: ""))
  }

  static func look(
    _ route: Route, _ change: (inout Look) -> Void = { _ in }
  ) -> Look {
    var look = Look(
      place: Place(WindowID(), at: route), shell: .init(), lists: .init(), login: .init(),
      settings: .init())
    change(&look)
    return look
  }

  private static func status(
    of list: ListName = .everything, _ change: (inout RepositoriesState) -> Void
  ) -> HTML {
    var state = RepositoriesState()
    change(&state)
    let end = RepositoriesPage.more(state, of: list)
    let (status, doing) = (RepositoriesPage.status(state), RepositoriesPage.doing(state, of: list))
    return unique(["<div class=\"status\">\(status)\(doing)</div>", end])
  }

  private static func failure(
    _ error: GitHubError, of list: ListName = .everything, isRetrying: Bool = false
  ) -> HTML {
    let failure = RepositoriesState.Failure(
      error: error, during: .first, attempts: 2, isRetrying: isRetrying)
    return unique(["<div class=\"status\">\(Failures.view(failure, of: list))</div>"])
  }

  static let plain = one("alder-works/ember-parser", "A small parser for the rest of us")

  private static var rows: [Specimen] {
    let header = ListRow.Header(list: .everything, count: 30, total: 3000)
    let long =
      "an-organisation-with-a-very-long-name/"
      + "a-repository.whose-name_goes-on-and-on-and-on-until-nobody-reads-it-any-more"
    let sentence = "It says all that there is to say, and then says it again. "
    return specimens(
      in: RowViews.file,
      [
        (
          "Rows of every kind",
          list([
            .header(header), .announcement(.init(id: 1, text: "fjord released a new version.")),
            .repository(plain, .off), .advertisement,
            .repository(one("juniper/loom", "A fast queue", 182_400), .on),
            .loadMore(.automatic(.everything)),
          ])
        ),
        (
          "Headers: of a search, of a list whose end is not known, of a complete one, on its way",
          list([
            .header(.init(list: .everything, text: "swift", count: 30, total: 71)),
            .header(.init(list: .own, count: 30)), .header(.init(list: .own, count: 12, total: 12)),
            .header(.init(list: .everything)),
          ])
        ),
        (
          "A repository, one that is starred, and one whose star waits for the login",
          list([
            .repository(plain, .off), .repository(one("juniper/loom", "A queue", 182_400), .on),
            .repository(one("wren/opal", "A map"), .waiting),
          ])
        ),
        (
          "Without a description; with a long name and a long description",
          list([
            .repository(one("fjord/moss", nil), .off),
            .repository(one(long, String(repeating: sentence, count: 4)), .off),
          ])
        ),
        (
          "From right to left, in wide letters, and with what HTML knows",
          list([
            .repository(one("wren/opal", "مكتبة صغيرة وسريعة لقراءة البيانات"), .off),
            .repository(one("wren/jade", "並行処理のための小さなライブラリ"), .off),
            .repository(one("wren/iris", "<script>alert(1)</script> & \"more\""), .off),
          ])
        ),
        (
          "On its way", list([.header(.init(list: .everything)), .placeholder(0), .placeholder(1)])
        ),
        (
          "The end: loading, after a failure, and of all",
          list([.loadMore(.loading), .loadMore(.manual(.own)), .loadMore(.end)])
        ),
      ])
  }

  private static var states: [Specimen] {
    specimens(
      in: RepositoriesPage.file,
      [
        (
          "Loading, refreshing, searching",
          [RepositoriesState.Activity.first, .refresh, .search].reduce("") { html, activity in
            "\(html)\(status { ($0.activity, $0.text) = (activity, "swift") })"
          }
        ),
        ("Loaded", status { ($0.isLoaded, $0.total, $0.repositories) = (true, 3000, [plain]) }),
        (
          "One that is found, and the own ones so far",
          [
            status { ($0.isLoaded, $0.total, $0.repositories) = (true, 1, [plain]) },
            status(of: .own) { ($0.isLoaded, $0.repositories, $0.next) = (true, [plain], 2) },
          ].reduce("") { "\($0)\($1)" }
        ),
        ("Nothing found", status { ($0.isLoaded, $0.total) = (true, 0) }),
        ("No own ones", status(of: .own) { ($0.isLoaded, $0.total) = (true, 0) }),
      ])
  }

  private static var failures: [Specimen] {
    specimens(
      in: Failures.file,
      [
        ("No network, tried again by itself", failure(.offline, isRetrying: true)),
        ("No network", failure(.offline)),
        ("A slow answer", failure(.slow)),
        ("An error as an answer", failure(.response(status: 502))),
        ("An answer that cannot be read", failure(.unreadable)),
        (
          "Asked too often",
          failure(.rateLimited(until: Date(timeIntervalSince1970: 1_770_000_000)))
        ),
        ("A user whom GitHub does not know", failure(.notFound, of: .own)),
      ])
  }
}
