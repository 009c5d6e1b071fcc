import HTTPTypes
import Hummingbird
import Reactor
import ReactorComposition
import RepositoryCore

/// Finds the session of a request, or creates one.
struct VisitorGate: Sendable {
  let signer: Signer
  let sessions: Sessions
  let accounts: AccountReactor.Registry
  let isSecure: Bool

  /// Returns the valid cookies of a request, the one with a login first.
  func cookies(of request: Request) async throws -> [VisitorCookie] {
    var good: [VisitorCookie] = []
    if let cookie = read(VisitorCookie.login, request), let user = cookie.user,
      try await accounts.with(user.name, { await $0.currentState.isGood(user, cookie.id) })
    {
      good.append(cookie)
    }
    if let cookie = read(VisitorCookie.name, request) { good.append(cookie.anonymous) }
    return good
  }

  private func read(_ name: String, _ request: Request) -> VisitorCookie? {
    request.cookies[name].flatMap { signer.cookie($0.value) }
  }

  /// Answers with the session of a request, or with a new one.
  ///
  /// Only a new session sets a cookie: a response that arrives after the response to a login does
  /// not undo it.
  func visit(
    _ request: Request, from address: String,
    _ body: (_ shell: ShellReactor, _ cookie: VisitorCookie) async throws -> Response
  ) async throws -> Response {
    if let response = try await join(request, from: address, body) { return response }
    let fresh = VisitorCookie()
    guard var response = try await join(fresh, from: address, body) else {
      throw HTTPError(.conflict)
    }
    response.headers.append(cookie(fresh))
    return response
  }

  /// Runs a closure with the session of a request; `nil` if it has no session that it may see.
  func join<Result>(
    _ request: Request, from address: String,
    _ body: (_ shell: ShellReactor, _ cookie: VisitorCookie) async throws -> Result
  ) async throws -> Result? {
    for cookie in try await cookies(of: request) {
      if let result = try await join(cookie, from: address, body) { return result }
    }
    return nil
  }

  /// Runs a closure with the session of a cookie; `nil` if the cookie is no longer valid for it.
  ///
  /// The closure receives the cookie that would be set now.
  func join<Result>(
    _ cookie: VisitorCookie, from address: String,
    _ body: (_ shell: ShellReactor, _ cookie: VisitorCookie) async throws -> Result
  ) async throws -> Result? {
    try await sessions.with(SessionKey(cookie, from: address)) { shell -> Result? in
      let reactor = shell.screens.login
      var login = await reactor.currentState
      if let user = cookie.user, login.generation < cookie.generation {
        // The service was restarted, and a request with a cookie from before the login came first.
        await reactor.send(.resume(user, generation: cookie.generation)).settled
        login = await reactor.currentState
      }
      let isTheirs =
        if login.user != nil {
          login.user == cookie.user && login.generation == cookie.generation
        } else {
          // A cookie of an ended login may still see the session.
          cookie.user == nil || cookie.generation < login.generation
        }
      return isTheirs ? try await body(shell, VisitorCookie(cookie.session, login)) : nil
    }
  }

  // MARK: Setting

  /// The header that sets the cookie of a session.
  func cookie(_ cookie: VisitorCookie) -> HTTPField {
    header(VisitorCookie.name, signer.text(of: cookie.anonymous))
  }

  /// The headers that set the session and the logged-in user.
  func login(_ cookie: VisitorCookie) -> [HTTPField] {
    let login =
      cookie.user == nil
      ? header(VisitorCookie.login, "", age: 0)
      : header(VisitorCookie.login, signer.text(of: cookie))
    return [self.cookie(cookie), login]
  }

  private func header(_ name: String, _ value: String, age: Int = 2_592_000) -> HTTPField {
    HTTPField(
      name: .setCookie,
      value: "\(name)=\(value); Path=/; Max-Age=\(age); HttpOnly; SameSite=Lax"
        + (isSecure ? "; Secure" : ""))
  }
}
