import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import RepositoryCore
import Testing

@testable import RepositoryDemo

@Suite(.timeLimit(.minutes(2))) struct SecurityTests {
  @Test(arguments: ["/", "/settings", "/nothing", "/metrics", "/health/live", "/assets/none.css"])
  func `every answer has the headers`(path: String) async throws {
    try await demo { client in
      let headers = try await Visitor(client).get(path).headers
      #expect(
        headers[.contentSecurityPolicy]?.hasPrefix("default-src 'none'; script-src 'self'") == true)
      #expect(headers[.xContentTypeOptions] == "nosniff")
      #expect(headers[.known("X-Frame-Options")] == "DENY")
      for name in ["Referrer-Policy", "Cross-Origin-Opener-Policy", "Cross-Origin-Resource-Policy"]
      {
        #expect(headers[.known(name)]?.hasPrefix("same-origin") == true)
      }
      #expect(headers[.known("Permissions-Policy")]?.contains("camera=()") == true)
      #expect(headers[.strictTransportSecurity] == nil)
    }
    try await demo({ $0.isSecure = true }) { client in
      let headers = try await Visitor(client).get(path).headers
      #expect(headers[.strictTransportSecurity] != nil)
    }
  }

  @Test func `the cookie is not readable for scripts and other sites`() async throws {
    try await demo({ $0.isSecure = true }) { client in
      let visitor = Visitor(client)
      let page = try await visitor.get("/")
      let fields = ["name": "ada", "password": "difference", "new": "yes"]
      let login = try await visitor.post("/login", fields)
      #expect(login.headers[values: .setCookie].count == 2)
      for cookie in page.headers[values: .setCookie] + login.headers[values: .setCookie] {
        for part in ["HttpOnly", "SameSite=Lax", "Secure"] { #expect(cookie.contains(part)) }
      }
    }
  }

  @Test func `a request without the token of its own page changes nothing`() async throws {
    try await demo { client in
      let (one, other) = (Visitor(client), Visitor(client))
      try await one.get("/settings")
      try await other.get("/settings")
      let dark = ["theme": "dark"]
      #expect(try await one.post("/actions/theme", dark, token: "").status == 403)
      #expect(try await one.post("/actions/theme", dark, token: other.token).status == 403)
      #expect(
        try await one.post("/actions/theme", dark, headers: [.fetchSite: "cross-site"]).status
          == 403)
      #expect(
        try await Visitor(client).post("/actions/theme", dark, token: one.token).status == 403)
      #expect(try await one.get("/settings").text.contains("data-theme=\"system\""))
      #expect(try await one.post("/actions/theme", dark).status == 303)
      #expect(try await one.get("/settings").text.contains("data-theme=\"dark\""))
    }
  }

  @Test func `a forged or old cookie does not open another user's session`() async throws {
    try await demo { client in
      let ada = Visitor(client)
      try await ada.get("/login")
      let before = ada.cookie
      try await ada.logIn()
      let cookie = try #require(ada.cookie)
      let parts = cookie.components(separatedBy: "; ")
      let login = try #require(parts.first { $0.hasPrefix("login=") })
      let signed = login.dropLast() + (login.hasSuffix("0") ? "1" : "0")
      // A cookie from before the login, one with another user's name, one with another generation,
      // one with a wrong signature, and the login cookie sent as the session cookie.
      let forged = [
        before, cookie.replacing(".ada.", with: ".bob."), cookie.replacing(".1.", with: ".0."),
        cookie.replacing(login, with: signed), login.replacing("login=", with: "session="),
        "session=", "session=....; login=....",
      ]
      for text in forged where text != cookie {
        let page = try await Visitor(client, cookie: text).get("/settings")
        #expect(page.status == 200)
        #expect(!page.text.contains("<b>ada</b>"))
      }
      #expect(try await ada.get("/settings").text.contains("<b>ada</b>"))
    }
  }

  @Test func `a login redirects to no other site`() {
    for path in ["//evil.example", "https://evil.example", "/\\evil.example", "/a\r\nb", "", "x"] {
      #expect(Route.local(path) == "/")
    }
    #expect(Route.local("/repositories/a/b?q=1") == "/repositories/a/b?q=1")
  }

  @Test func `requests above a limit are refused`() async throws {
    try await demo { client in
      let visitor = Visitor(client)
      try await visitor.get("/")
      let long = String(repeating: "x", count: 10_000)
      #expect(try await visitor.post("/actions/search", ["q": long]).status == 413)
      #expect(
        try await visitor.post("/actions/search", [:], headers: [.contentType: "text/plain"]).status
          == 415)
    }
    try await demo({ $0.requestsPerSecond = 0.001 }) { client in
      let answer = try await Visitor(client).get("/health/live")
      #expect(answer.status == 429)
      #expect(answer.headers[.retryAfter] != nil)
    }
  }

  @Test func `repeated guesses of a password are limited`() async throws {
    try await demo({ $0.logins = RateLimit(perSecond: 0, burst: 10) }) { client in
      let visitor = Visitor(client)
      try await visitor.get("/login")
      var statuses: [Int] = []
      for number in 0..<12 {
        let fields = ["name": "ada", "password": "wrong-\(number)-wrong"]
        statuses.append(try await visitor.post("/login", fields).status)
      }
      #expect(statuses.last == 429)
    }
  }

  @Test func `a full server answers that it is full`() async throws {
    try await demo({ $0.sessions = 2 }) { client in
      let first = Visitor(client)
      try await first.get("/")
      try await Visitor(client).get("/")
      let answer = try await Visitor(client).get("/")
      #expect(answer.status == 503)
      #expect(answer.headers[.retryAfter] == "60")
      #expect(answer.text.contains("All seats are taken"))
      #expect(try await first.get("/").status == 200)
    }
  }

  @Test func `one address cannot take all seats`() async throws {
    try await demo({ $0.sessionsPerAddress = 2 }) { client in
      let first = Visitor(client)
      try await first.get("/")
      try await Visitor(client).get("/")
      let answer = try await Visitor(client).get("/")
      #expect(answer.status == 429)
      #expect(answer.headers[.retryAfter] == "60")
      #expect(answer.text.contains("from your address"))
      #expect(try await first.get("/").status == 200)
    }
  }

  @Test func `one session cannot create details without limit`() async throws {
    try await demo({ $0.details = RateLimit(perSecond: 0, burst: 2) }) { client in
      let (visitor, other) = (Visitor(client), Visitor(client))
      try await visitor.get("/settings")
      try await other.get("/settings")
      var statuses: [Int] = []
      for name in ["one", "two", "three"] {
        statuses.append(try await visitor.get("/repositories/a/\(name)").status)
      }
      #expect(statuses.last == 429)
      #expect(!statuses.dropLast().contains(429))
      #expect(
        try await visitor.post("/actions/reload", ["repository": "a/four"]).status == 429)
      #expect(try await other.get("/repositories/a/one").status != 429)
    }
  }

  @Test func `cookies are valid over a restart, and only with an intact key`() throws {
    let path = NSTemporaryDirectory() + "key-\(UUID().uuidString)"
    defer { try? FileManager.default.removeItem(atPath: path) }
    var cookie = VisitorCookie()
    cookie.user = .init(name: "ada", epoch: 3)
    let text = try Signer(at: path).text(of: cookie)
    #expect(try Signer(at: path).cookie(text) == cookie)
    #expect(Signer().cookie(text) == nil)
    try Data("short".utf8).write(to: URL(fileURLWithPath: path))
    #expect(throws: Signer.DamagedKey.self) { try Signer(at: path) }
  }

  @Test func `five thousand strange requests are answered, none by an error of ours`() async throws
  {
    try await demo({ ($0.sessions, $0.sessionsPerAddress) = (100_000, .max) }) { client in
      var dice = FuzzDice(state: 42)
      let visitor = Visitor(client)
      try await visitor.get("/")
      for number in 0..<5000 {
        let known = Visitor(client, cookie: dice.chance(2) ? visitor.cookie : dice.text(40))
        var uri = dice.uri()
        // A stream would never end; streams have tests of their own.
        if uri.hasPrefix("/events"), known.cookie == visitor.cookie { uri = "/events/none" }
        let answer =
          if dice.chance(2) {
            try await known.get(uri, headers: dice.headers())
          } else {
            try await known.post(
              uri, dice.fields(), headers: dice.headers(),
              token: dice.chance(2) ? visitor.token : dice.text(64))
          }
        guard answer.status < 500 else {
          Issue.record("request \(number), to '\(uri)', was answered \(answer.status)")
          return
        }
      }
    }
  }
}

/// Requests that no user would write, the same each time.
private struct FuzzDice {
  var state: UInt64

  mutating func next(_ limit: Int) -> Int {
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return Int(state >> 33) % limit
  }

  mutating func chance(_ limit: Int) -> Bool { next(limit) == 0 }

  mutating func one<Value>(_ values: [Value]) -> Value { values[next(values.count)] }

  mutating func text(_ limit: Int) -> String {
    let letters = Array("abcXYZ019-._~%&=+?/#:;,@!$'()*[]|<>\"\\{}^`")
    return String((0..<next(limit + 1)).map { _ in one(letters) })
  }

  mutating func uri() -> String {
    let paths = [
      "/", "/favourites", "/settings", "/login", "/catalogue", "/inside", "/events", "/metrics",
      "/repositories/a/b", "/repositories/", "/repositories/%00/%ff", "/repositories/a/..%2f..",
      "/assets/page.css", "/assets/..%2f..%2fetc%2fpasswd", "/actions/favour", "/actions/type",
      "/actions/weather", "/actions/undo", "/actions/reload", "/actions/more", "/actions/log-out",
      "/actions/", "/health/live", "/%", "/%zz", "//", "/./..",
    ]
    var uri = one(paths)
    if chance(3) { uri += "/" + text(30) }
    if chance(2) { uri += "?" + one(["q", "page", "seen", "next", text(5)]) + "=" + text(60) }
    // A request line has neither blanks nor characters that are not ASCII.
    return uri
  }

  mutating func fields() -> [String: String] {
    var fields: [String: String] = [:]
    for _ in 0..<next(5) {
      let name = one([
        "q", "repository", "theme", "weather", "announcements", "name", "password", "next",
      ])
      fields[name] = one([
        text(50), "a/b", "\u{0}", "مكتبة", "../..", "-1", String(repeating: "9", count: 400),
      ])
    }
    return fields
  }

  mutating func headers() -> HTTPFields {
    var headers: HTTPFields = [:]
    if chance(4) { headers[.live] = "1" }
    if chance(6) {
      headers[.contentType] = one(["", "text/html", "application/json", ";;;", "a/b/c"])
    }
    if chance(6) {
      headers[HTTPField.Name.known("traceparent")] = text(60).filter { !"\"<>\\".contains($0) }
    }
    if chance(6) { headers[.lastEventID] = text(30) }
    return headers
  }
}
