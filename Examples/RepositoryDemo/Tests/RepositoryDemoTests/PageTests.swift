import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import RepositoryCore
import Testing

@testable import RepositoryDemo

/// The pages, by plain requests, as a browser without scripts sends them.
@Suite(.timeLimit(.minutes(2))) struct PageTests {
  @Test(arguments: [
    ("/?q=swift", "repositories for “swift”"), ("/favourites", "Your favourites"),
    ("/settings", "What goes wrong"), ("/login", "Password"), ("/catalogue", "Catalogue"),
    ("/advertisement", "One way for every change"),
  ])
  func `every screen is a page`(path: String, text: String) async throws {
    try await demo { client in
      let page = try await Visitor(client).get(path)
      #expect(page.status == 200)
      #expect(page.text.contains(text))
    }
  }

  @Test(arguments: [
    ("/", "Repositories"), ("/settings", "Settings · Repositories"),
    ("/catalogue", "Catalogue · Repositories"),
  ])
  func `a title has each part once`(path: String, title: String) async throws {
    try await demo { client in
      let page = try await Visitor(client).get(path)
      #expect(page.text.contains("<title>\(title)</title>"))
    }
  }

  @Test func `a list continues at its end, and is kept when the visitor returns`() async throws {
    try await demo { client in
      let visitor = Visitor(client)
      let rows = { (page: Visitor.Answer) in
        page.text.components(separatedBy: "id=\"row-").count - 1
      }
      #expect(rows(try await visitor.list()) == 30)
      let answer = try await visitor.post("/actions/more", ["back": "/"])
      #expect(answer.status == 303)
      #expect(answer.headers[.location] == "/")
      #expect(rows(try await visitor.get("/")) == 60)
    }
  }

  @Test func `a star leads to the login, and is given after it`() async throws {
    try await demo { client in
      let visitor = Visitor(client)
      let row = try #require(try await visitor.list().value(after: "id=\"row-"))
      let answer = try await visitor.post("/actions/favour", ["repository": row, "back": "/"])
      // After the login, back to the star.
      #expect(answer.headers[.location] == "/login?next=/%23star-\(row)")
      #expect(
        try await visitor.get("/login").text.contains("Log in to give <b>\(row)</b> its star"))

      try await visitor.logIn()
      #expect(try await visitor.get("/favourites").text.contains("id=\"row-\(row)\""))

      try await visitor.post("/actions/unfavour", ["repository": row, "back": "/favourites"])
      let empty = try await visitor.get("/favourites")
      #expect(empty.text.contains("No favourites yet"))
      let change = try #require(empty.value(after: "name=\"change\" value=\""))
      try await visitor.post("/actions/undo", ["change": change, "back": "/favourites"])
      #expect(try await visitor.get("/favourites").text.contains("id=\"row-\(row)\""))
    }
  }

  @Test func `a page that is not live has no answer, which would stay`() async throws {
    try await demo { client in
      let visitor = Visitor(client)
      try await visitor.logIn()
      let row = try #require(try await visitor.list().value(after: "id=\"row-"))
      try await visitor.post("/actions/favour", ["repository": row, "back": "/"])
      #expect(try await visitor.get("/settings").text.contains("id=\"undo\""))
      #expect(try await !visitor.get("/catalogue").text.contains("id=\"undo\""))
    }
  }

  @Test func `a star on a page that is still loading is given`() async throws {
    try await demo({ $0.latency = .milliseconds(300) }) { client in
      let row = try #require(try await Visitor(client).list().value(after: "id=\"row-"))
      let visitor = Visitor(client)
      try await visitor.logIn()
      // The detail is rendered before it has been loaded, and this visitor has not seen the list.
      #expect(try await visitor.get("/repositories/\(row)").status == 200)
      let answer = try await visitor.post("/actions/favour", ["repository": row, "back": "/"])
      #expect(answer.status == 303)
      #expect(try await visitor.get("/favourites").text.contains("id=\"row-\(row)\""))
    }
  }

  @Test func `a detail shows facts and README; a missing one is not found`() async throws {
    try await demo { client in
      let visitor = Visitor(client)
      let row = try #require(try await visitor.list().value(after: "id=\"row-"))
      try await visitor.post("/actions/reload", ["repository": row, "back": "/"])
      let page = try await visitor.get("/repositories/\(row)")
      #expect(page.text.contains("open issues"))
      #expect(page.text.contains("More of"))
      try await visitor.post("/actions/reload", ["repository": "no/body", "back": "/"])
      #expect(try await visitor.get("/repositories/no/body").status == 404)
      #expect(try await visitor.get("/repositories/no/..%2f").status == 404)
    }
  }

  @Test func `an error is shown, with a button that retries`() async throws {
    try await demo { client in
      let visitor = Visitor(client)
      try await visitor.get("/settings")
      try await visitor.post("/actions/weather", ["weather": "garbled"])
      #expect(try await visitor.list().text.contains("could not be read"))
      try await visitor.post("/actions/weather", ["weather": "fine"])
      try await visitor.post("/actions/retry", ["back": "/"])
      #expect(try await visitor.get("/").text.contains("id=\"row-"))
    }
  }

  @Test func `the advertisement is a row until its page has been opened`() async throws {
    try await demo { client in
      let visitor = Visitor(client)
      let page = try await visitor.list()
      #expect(page.text.contains("id=\"advertisement\""))
      #expect(try await visitor.get("/advertisement").text.contains("class=\"poster\""))
      #expect(try await !visitor.get("/").text.contains("id=\"advertisement\""))
    }
  }

  @Test func `own repositories require a login, and are listed after it`() async throws {
    try await demo { client in
      let visitor = Visitor(client)
      let answer = try await visitor.get("/own")
      #expect(answer.status == 303)
      #expect(answer.headers[.location] == "/login?next=/own")
      try await visitor.logIn()
      var page = try await visitor.get("/own")
      // A page waits until a load has begun, but not for its end.
      while page.text.contains("Loading…") { page = try await visitor.get("/own") }
      #expect(page.text.contains("<h1>Your repositories</h1>"))
      #expect(page.text.contains("id=\"row-ada/"))
      try await visitor.post("/actions/more", ["list": "own", "back": "/own"])
      #expect(try await visitor.get("/own").text.contains("That is all."))
      // The other list is as before.
      #expect(try await !visitor.list().text.contains("id=\"row-ada/"))
    }
  }

  @Test func `with a login, the page of the login leads to its target`() async throws {
    try await demo { client in
      let visitor = Visitor(client)
      try await visitor.logIn()
      let answer = try await visitor.get("/login?next=/own")
      #expect(answer.status == 303)
      #expect(answer.headers[.location] == "/own")
    }
  }

  @Test func `an unknown name becomes an account only if a new one is requested`()
    async throws
  {
    try await demo { client in
      let visitor = Visitor(client)
      try await visitor.get("/login")
      var fields = ["name": "ada", "password": "difference", "next": "/"]
      try await visitor.post("/login", fields)
      let page = try await visitor.get("/login").text
      #expect(page.contains("There is no account of this name."))
      // The typed name is shown again.
      #expect(page.contains("value=\"ada\""))
      #expect(try await !visitor.get("/settings").text.contains("<b>ada</b>"))
      fields["new"] = "yes"
      try await visitor.post("/login", fields)
      #expect(try await visitor.get("/settings").text.contains("<b>ada</b>"))
    }
  }

  @Test func `a new account does not have a name that another one has`() async throws {
    try await demo { client in
      try await Visitor(client).logIn()
      let visitor = Visitor(client)
      try await visitor.get("/login")
      try await visitor.post(
        "/login", ["name": "ada", "password": "analytical", "new": "yes", "next": "/"])
      #expect(try await visitor.get("/login").text.contains("Another account has this name"))
      #expect(try await !visitor.get("/settings").text.contains("<b>ada</b>"))
    }
  }

  @Test func `the login lists the rules for names and passwords`() async throws {
    try await demo { client in
      let page = try await Visitor(client).get("/login").text
      for text in [
        ">2 to 30 small letters, digits and hyphens<", ">8 characters or more<",
        "title=\"2 to 30 small letters, digits and hyphens\"", "title=\"8 characters or more\"",
      ] { #expect(page.contains(text)) }
    }
  }

  @Test func `logging out everywhere ends the session of another browser`() async throws {
    try await demo { client in
      let (one, other) = (Visitor(client), Visitor(client))
      try await one.logIn()
      try await other.logIn()
      #expect(try await other.get("/settings").text.contains("<b>ada</b>"))
      try await one.post("/actions/log-out-everywhere", ["back": "/settings"])
      for visitor in [one, other] {
        #expect(try await !visitor.get("/settings").text.contains("<b>ada</b>"))
      }
    }
  }

  @Test(arguments: [
    "/", "/favourites", "/settings", "/login", "/catalogue", "/advertisement", "/metrics",
    "/health", "/health/live", Assets.style.path, Assets.script.path,
  ])
  func `a head request gets the head of the page`(path: String) async throws {
    try await demo { client in
      let visitor = Visitor(client)
      let page = try await visitor.get(path)
      let head = try await visitor.ask(.head, path)
      #expect(head.status == page.status)
      #expect(head.headers[.contentType] == page.headers[.contentType])
      #expect(head.text.isEmpty)
    }
  }

  @Test(arguments: [
    ("/actions/undo", HTTPRequest.Method.get, "POST"), ("/actions/undo", .head, "POST"),
    ("/actions/undo", .put, "POST"), ("/actions/undo", .options, "POST"),
    ("/", .post, "GET, HEAD"), ("/settings", .delete, "GET, HEAD"),
    ("/login", .put, "GET, HEAD, POST"), ("/metrics", .post, "GET, HEAD"),
    ("/health/live", .post, "GET, HEAD"), (Assets.style.path, .put, "GET, HEAD"),
  ])
  func `another method is refused by name`(
    path: String, method: HTTPRequest.Method, allowed: String
  ) async throws {
    try await demo { client in
      let answer = try await Visitor(client).ask(method, path)
      #expect(answer.status == 405)
      #expect(answer.headers[.allow] == allowed)
    }
  }

  @Test func `a page that does not exist is reported as such`() async throws {
    try await demo { client in
      let page = try await Visitor(client).get("/nothing")
      #expect(page.status == 404)
      #expect(page.text.contains(ErrorPage.nothing))
    }
  }
}

/// The catalogue, which has every state of every component.
@Suite(.timeLimit(.minutes(2))) struct CatalogueTests {
  private let catalogue = CataloguePage.body.text

  @Test(arguments: LoginReactor.Failure.allCases)
  func `each refusal of the login is rendered`(failure: LoginReactor.Failure) {
    #expect(catalogue.contains(LoginPage.failure(failure).text))
  }

  @Test(arguments: [
    GitHubError.offline, .slow, .response(status: 502), .unreadable, .notFound,
    .rateLimited(until: Date(timeIntervalSince1970: 1_770_000_000)),
  ])
  func `each error of GitHub is rendered`(error: GitHubError) {
    #expect(catalogue.contains(Failures.title(error).escaped))
    if case .rateLimited = error { #expect(catalogue.contains(Failures.until(error).text)) }
  }

  @Test(arguments: [
    ErrorPage.nothing, ErrorPage.outdated, ErrorPage.tooOften, ErrorPage.address, ErrorPage.house,
    ErrorPage.anew, ErrorPage.ours,
  ])
  func `each page shown in place of another is rendered`(message: String) {
    #expect(catalogue.contains("<h1>\(message)</h1>"))
  }

  @Test(arguments: [
    "Loading…", "Refreshing…", "Searching for “swift”…", "Loading more…", "Nothing found",
    "That is all.", "Load more", "Trying again by itself", "It has no README.", "More of",
    "No description", "Your favourites", "No favourites yet", "2 repositories", "its star",
    "2 more their stars", "Log out everywhere", "What goes wrong", "aria-label=\"Advertisement\"",
    "fjord released a new version.", "Most starred", "30 of 3,000", "Results for “swift”",
    "Last updated", "30 so far", "all of them", "star waiting", "No repositories yet",
    "no user of this name", "class=\"poster\"", "class=\"badge\">1", "aria-label=\"Close\"", "Undo",
    "Offline:",
    "The service starts anew.", "placeholder", "dir=\"auto\">مكتبة", "aria-current=\"page\"",
  ])
  func `each state is rendered`(text: String) { #expect(catalogue.contains(text)) }

  @Test func `the catalogue of pages has no ids and no active elements`() {
    for part in [" id=\"", "data-auto", "data-back", "data-tab", "autofocus"] {
      #expect(!catalogue.contains(part))
    }
    #expect(catalogue.contains("<div inert>"))
  }

  /// The sources of the pages, by the name of the file.
  private static let sources: [String: String] = {
    let tests = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    let pages = tests.appending(path: "../../Sources/RepositoryDemo/Pages")
    let files = try? FileManager.default.contentsOfDirectory(
      at: pages, includingPropertiesForKeys: nil)
    let named = (files ?? []).map {
      ($0.lastPathComponent, (try? String(contentsOf: $0, encoding: .utf8)) ?? "")
    }
    return Dictionary(uniqueKeysWithValues: named)
  }()

  @Test func `the catalogue has the file of each component`() throws {
    let specimens = CataloguePage.all
    #expect(specimens.count > 40)
    for one in specimens {
      #expect(catalogue.contains("\(one.title.escaped) <code>\(one.file)</code>"))
      let name = try #require(one.file.split(separator: "/").last.map(String.init))
      #expect(Self.sources[name]?.contains("static let file = #fileID") == true)
    }
  }

  @Test(arguments: [
    ("class=\"row\"", "RowViews"), ("class=\"band header\"", "RowViews"),
    ("class=\"band announcement\"", "RowViews"), ("class=\"band advertisement\"", "RowViews"),
    ("class=\"band more\"", "RowViews"), ("placeholder", "RowViews"),
    ("class=\"failure ", "Failures"), ("class=\"fact-list\"", "DetailPage"),
    ("<form class=\"card\"", "LoginPage"), ("class=\"choices\"", "SettingsPage"),
    ("class=\"poster\"", "AdvertisementPage"), ("class=\"toast\"", "Layout"),
    ("class=\"banner\"", "Layout"), ("aria-current=\"page\"", "Layout"),
  ])
  func `a component is in the file that the catalogue names`(part: String, name: String) throws {
    let specimens = CataloguePage.all.filter { $0.file == "RepositoryDemo/\(name).swift" }
    #expect(specimens.contains { $0.html.text.contains(part) })
    // Where the source has the same text, up to the quotation marks in it.
    let source = try #require(Self.sources["\(name).swift"]).replacing("\\\"", with: "\"")
    #expect(source.contains(part))
  }

  @Test func `each file with components is in the catalogue`() {
    let named = Set(CataloguePage.all.compactMap { $0.file.split(separator: "/").last })
    let files = Self.sources.filter { $0.value.contains("static let file = #fileID") }
    #expect(named == Set(files.keys.map { Substring($0) }))
  }
}
