import Foundation
import HTTPTypes
import Testing

@testable import RepositoryDemo

/// Two windows of one browser, at the moment when one of them logs in or out.
///
/// Nothing depends on timing: each test determines which answer is created first, and which arrives
/// first.
@Suite(.timeLimit(.minutes(2))) struct CookieTests {
  /// When the page that the other window has requested is rendered, and when it arrives.
  enum Race: CaseIterable, Sendable {
    case madeBefore, madeAfter, arrivesFirst
  }

  /// - Returns: The other window, with the cookies that it had before.
  private func race(
    _ race: Race, _ visitor: Visitor, _ change: () async throws -> Visitor.Answer
  ) async throws -> Visitor {
    let other = visitor.window()
    var page: Visitor.Answer?
    if race == .madeBefore { page = try await other.get("/?q=swift") }
    let answer = try await change()
    if page == nil { page = try await other.get("/?q=swift") }
    let answers = [answer, page].compactMap { $0 }
    for one in race == .arrivesFirst ? answers.reversed() : answers { visitor.take(one) }
    return other
  }

  private func logIn(_ visitor: Visitor, _ name: String) async throws -> Visitor.Answer {
    let fields = ["name": name, "password": "difference", "new": "yes", "next": "/"]
    return try await visitor.post("/login", fields, takes: false)
  }

  private func user(_ visitor: Visitor) async throws -> String? {
    try await visitor.get("/settings").value(after: "You are <b>")?.components(
      separatedBy: "</b>"
    ).first
  }

  @Test(arguments: Race.allCases)
  func `a login is not undone by a page that was under way`(race: Race) async throws {
    try await demo { client in
      let visitor = Visitor(client)
      try await visitor.get("/login")
      let other = try await self.race(race, visitor) { try await logIn(visitor, "ada") }
      #expect(try await user(visitor) == "ada")
      #expect(try await user(other) == nil)
    }
  }

  @Test(arguments: Race.allCases)
  func `a logout is not undone either, and the earlier cookie is invalid`(
    race: Race
  ) async throws {
    try await demo { client in
      let visitor = Visitor(client)
      try await visitor.logIn()
      let other = try await self.race(race, visitor) {
        try await visitor.post("/actions/log-out", [:], takes: false)
      }
      #expect(try await user(visitor) == nil)
      #expect(try await user(other) == nil)
    }
  }

  @Test(arguments: Race.allCases)
  func `a logout of every window is not undone either`(race: Race) async throws {
    try await demo { client in
      let visitor = Visitor(client)
      try await visitor.logIn()
      let other = try await self.race(race, visitor) {
        try await visitor.post("/actions/log-out-everywhere", [:], takes: false)
      }
      #expect(try await user(visitor) == nil)
      #expect(try await user(other) == nil)
    }
  }

  @Test(arguments: Race.allCases)
  func `after another user's login, a session belongs to the new user`(race: Race) async throws {
    try await demo { client in
      let visitor = Visitor(client)
      try await visitor.logIn("ada")
      let other = try await self.race(race, visitor) { try await logIn(visitor, "bob") }
      #expect(try await user(visitor) == "bob")
      #expect(try await user(other) == nil)
    }
  }

  @Test func `a wrong password does not log in, and does not log the user out`() async throws {
    try await demo { client in
      let visitor = Visitor(client)
      try await visitor.logIn()
      let fields = ["name": "ada", "password": "analytical", "next": "/favourites"]
      let answer = try await visitor.post("/login", fields)
      #expect(answer.headers[.location] == "/login?next=/favourites")
      #expect(answer.headers[.setCookie] == nil)
      #expect(try await user(visitor) == "ada")
    }
  }

  @Test func `after a restart cookies are as valid as before`() async throws {
    let folder = NSTemporaryDirectory() + "cookies-\(UUID().uuidString)"
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let kept = Lines()
    try await demo({ $0.data = folder }) { client in
      let (ada, bob) = (Visitor(client), Visitor(client))
      try await ada.get("/login")
      kept.append(try #require(ada.cookie))
      try await ada.logIn("ada")
      kept.append(try #require(ada.cookie))
      try await bob.logIn("bob")
      kept.append(try #require(bob.cookie))
      try await bob.post("/actions/log-out", [:])
    }
    try await demo({ $0.data = folder }) { client in
      // The holder of the cookie from before the login comes first, and removes nothing.
      var users: [String?] = []
      for cookie in kept.all {
        users.append(try await user(Visitor(client, cookie: cookie)))
      }
      #expect(users == [nil, "ada", nil])
    }
  }
}
