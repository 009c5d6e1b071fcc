import HTTPTypes
import Hummingbird
import Reactor
import ReactorComposition
import RepositoryCore

/// Says whose request it is: of a session that there is, or of a new one.
struct VisitorGate: Sendable {
  let signer: Signer
  let sessions: Sessions
  let accounts: AccountReactor.Registry
  let isSecure: Bool

  /// The cookies that the request has, as far as they are good: who is logged in comes first.
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

  /// Answers with the session of a request, which is a new one if it comes without.
  ///
  /// Only a new one sets a cookie: an answer that arrives after the one to a login does not undo it.
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

  /// Does something with the session of a request; `nil` if it has none that it may see.
  func join<Result>(
    _ request: Request, from address: String,
    _ body: (_ shell: ShellReactor, _ cookie: VisitorCookie) async throws -> Result
  ) async throws -> Result? {
    for cookie in try await cookies(of: request) {
      if let result = try await join(cookie, from: address, body) { return result }
    }
    return nil
  }

  /// Does something with the session of a cookie; `nil` if the cookie is not good for it any more.
  ///
  /// What it does is given what a cookie would say now.
  func join<Result>(
    _ cookie: VisitorCookie, from address: String,
    _ body: (_ shell: ShellReactor, _ cookie: VisitorCookie) async throws -> Result
  ) async throws -> Result? {
    try await sessions.with(SessionKey(cookie, from: address)) { shell -> Result? in
      let reactor = shell.screens.login
      var login = await reactor.currentState
      if let user = cookie.user, login.generation < cookie.generation {
        // The service has begun anew, and somebody with a cookie from before the login came first.
        await reactor.send(.resume(user, generation: cookie.generation)).settled
        login = await reactor.currentState
      }
      let isTheirs =
        if login.user != nil {
          login.user == cookie.user && login.generation == cookie.generation
        } else {
          // Whoever was logged in here, and is not any more, is where they were.
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

  /// The headers that say who is logged in now, and where.
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
