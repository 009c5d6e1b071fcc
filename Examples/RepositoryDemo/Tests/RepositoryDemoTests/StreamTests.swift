import Foundation
import HTTPTypes
import RepositoryCore
import Testing

@testable import RepositoryDemo

/// Live pages over a socket, with a client that reads events as they arrive.
@Suite(.timeLimit(.minutes(2))) struct StreamTests {
  @Test func `a page that is current gets what changes, and nothing else`() async throws {
    try await browse { browser in
      let page = try await browser.visitor.list()
      let seen = try #require(page.value(after: "data-seen=\""))
      var events = try await browser.events(seen: seen)
      try await browser.visitor.post("/actions/search", ["q": "parser"], headers: [.live: "1"])
      let event = try #require(try await events.next())
      #expect(event["event"] == "page")
      #expect(event["data"]?.contains("\"all\"") == false)
      #expect(event["data"]?.contains("parser") == true)
    }
  }

  @Test func `a page that is not current gets everything once`() async throws {
    try await browse { browser in
      try await browser.visitor.list()
      var events = try await browser.events(seen: "something-else")
      let event = try #require(try await events.next())
      #expect(event["data"]?.contains("\"all\"") == true)
    }
  }

  @Test func `a page that reconnects has no gap and no repetition`() async throws {
    try await browse { browser in
      try await browser.visitor.list()
      var events = try await browser.events(seen: "nothing")
      let first = try #require(try await events.next())
      let id = try #require(first["id"])
      // A change while it is disconnected.
      try await browser.visitor.post("/actions/search", ["q": "parser"])
      var again = try await browser.events(last: id)
      let second = try #require(try await again.next())
      #expect(second["data"]?.contains("\"all\"") == true)
      // And once more, with only the following change in between.
      var third = try await browser.events(last: second["id"])
      try await browser.visitor.post("/actions/theme", ["theme": "dark"])
      let change = try #require(try await third.next())
      #expect(change["data"]?.contains("\"all\"") == false)
      #expect(change["data"]?.contains("dark") == true)
    }
  }

  @Test func `a page from before a login is reloaded`() async throws {
    try await browse { browser in
      try await browser.visitor.get("/login")
      var events = try await browser.events("/login", seen: "x")
      _ = try await events.next()
      try await browser.visitor.logIn()
      var event = try await events.next()
      while event?["event"] == "page" { event = try await events.next() }
      #expect(event?["event"] == "reload")
      #expect(try await events.next() == nil)
    }
  }

  @Test func `a stream needs a session, and a session has a limit of streams`() async throws {
    try await browse { browser in
      #expect(try await browser.events().status == 204)
      try await browser.visitor.get("/")
      #expect(try await browser.events("/nowhere").status == 404)
      var open: [Events] = []
      for _ in 0..<12 { open.append(try await browser.events()) }
      #expect(try await browser.events().status == 429)
      #expect(open.allSatisfy { $0.status == 200 })
    }
  }

  // MARK: Moves

  /// The fields that a page with scripts sends with each action.
  private func fields(_ visitor: Visitor, _ more: [String: String] = [:]) -> [String: String] {
    ["window": visitor.windowID, "index": "0", "back": "/"].merging(more) { $1 }
  }

  @Test func `a link that is pressed moves the window, with the body of the next screen`()
    async throws
  {
    try await browse { browser in
      let visitor = browser.visitor
      let page = try await visitor.list()
      let row = try #require(page.value(after: "id=\"row-"))
      var model = PageModel()
      var events = try await browser.events("/", window: visitor.windowID, last: "nothing")
      try await events.read(into: &model) { $0.isDone }
      let answer = try await visitor.post(
        "/actions/open", fields(visitor, ["to": "/repositories/\(row)"]), headers: [.live: "1"])
      #expect(answer.status == 204)
      #expect(answer.headers[.go] == nil)
      try await events.read(into: &model) { $0.place?.index == 1 }
      #expect(model.place?.address == "/repositories/\(row)")
      #expect(model.body?.contains("id=\"facts\"") == true)
      // The facts are part of the body, or arrive after it.
      try await events.read(into: &model) {
        $0.regions["facts"]?.contains("open issues") == true
          || $0.body?.contains("open issues") == true
      }
      try await visitor.post("/actions/back", fields(visitor), headers: [.live: "1"])
      try await events.read(into: &model) { $0.place?.index == 0 }
      #expect(model.body?.contains("id=\"row-\(row)\"") == true)
    }
  }

  @Test func `a window goes where its visitor may, also when it is not connected`() async throws {
    try await browse { browser in
      let visitor = browser.visitor
      try await visitor.list()
      try await visitor.post(
        "/actions/press", fields(visitor, ["tab": "own"]), headers: [.live: "1"])
      var model = PageModel()
      var events = try await browser.events("/", window: visitor.windowID, last: "nothing")
      try await events.read(into: &model) { $0.place != nil }
      #expect(model.place == .init(address: "/login?next=/own", index: 1))
      #expect(model.body?.contains("name=\"password\"") == true)
    }
  }

  @Test func `other windows stay where they are`() async throws {
    try await browse { browser in
      let visitor = browser.visitor
      try await visitor.list()
      let first = visitor.windowID
      try await visitor.get("/settings")
      #expect(visitor.windowID != first)
      var model = PageModel()
      var events = try await browser.events("/", window: first, last: "nothing")
      try await events.read(into: &model) { $0.isDone }
      try await visitor.post(
        "/actions/open", fields(visitor, ["to": "/favourites", "back": "/settings"]),
        headers: [.live: "1"])
      try await visitor.post("/actions/search", ["q": "parser"], headers: [.live: "1"])
      try await events.read(into: &model) { $0.values["q"] == "parser" && $0.isDone }
      #expect(model.place == .init(address: "/?q=parser", index: 0))
    }
  }

  @Test(arguments: ["/catalogue", "/nothing"])
  func `what is not shown in a window is loaded as a document`(path: String) async throws {
    try await browse { browser in
      let visitor = browser.visitor
      try await visitor.list()
      let answer = try await visitor.post(
        "/actions/open", fields(visitor, ["to": path]), headers: [.live: "1"])
      #expect(answer.headers[.go] == path)
    }
  }

  @Test func `a move without a window is refused`() async throws {
    try await browse { browser in
      let visitor = browser.visitor
      try await visitor.list()
      for fields in [["index": "0"], ["window": "x", "index": "0"], ["window": "1"]] {
        let answer = try await visitor.post("/actions/back", fields, headers: [.live: "1"])
        #expect(answer.status == 400)
      }
      // Without scripts, moves are links.
      #expect(try await visitor.post("/actions/back", fields(visitor)).status == 404)
    }
  }

  @Test func `a star that is removed by another session is removed here`() async throws {
    try await browse { browser in
      let visitor = browser.visitor
      try await visitor.logIn()
      let row = try #require(try await visitor.list().value(after: "id=\"row-"))
      try await visitor.post("/actions/favour", ["repository": row, "back": "/"])
      var model = PageModel()
      var events = try await browser.events("/", window: visitor.windowID, last: "nothing")
      let star = "value=\"\(row)\" aria-pressed=\""
      try await events.read(into: &model) { page in
        page.rows.contains { $0.contains("\(star)true") }
      }
      let other = browser.visitor.stranger()
      try await other.logIn()
      try await other.post("/actions/unfavour", ["repository": row, "back": "/"])
      try await events.read(into: &model) { page in
        page.rows.contains { $0.contains("\(star)false") }
      }
    }
  }
}
