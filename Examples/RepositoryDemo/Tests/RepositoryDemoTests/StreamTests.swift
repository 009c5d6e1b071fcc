import Foundation
import HTTPTypes
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
}
