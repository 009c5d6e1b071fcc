import Hummingbird
import Reactor
import RepositoryCore

/// Says whose request it is: of a session that there is, or of a new one.
struct VisitorGate: Sendable {
  let signer: Signer
  let sessions: Sessions
  let accounts: AccountReactor.Registry
  let isSecure: Bool

  /// The cookie that the request has, if it is good; else `nil`.
  func cookie(of request: Request) async throws -> VisitorCookie? {
    guard let text = request.cookies[VisitorCookie.name]?.value,
      var cookie = signer.cookie(text)
    else { return nil }
    if let user = cookie.user {
      let epoch = try await accounts.with(user.name) { await $0.currentState.epoch }
      if epoch != user.epoch { cookie = VisitorCookie() }
    }
    return cookie
  }

  /// Does something with the session of a request, which is a new one if it comes without.
  func visit<Result>(
    _ request: Request,
    _ body: (_ shell: ShellReactor, _ cookie: VisitorCookie) async throws -> Result
  ) async throws -> Result {
    let cookie = try await cookie(of: request) ?? VisitorCookie()
    if let result = try await join(cookie, body) { return result }
    // Somebody else has this session now; whoever is logged in by this cookie stays so, in another.
    var fresh = VisitorCookie()
    fresh.user = cookie.user
    guard let result = try await join(fresh, body) else { throw HTTPError(.conflict) }
    return result
  }

  /// Does something with the session of a cookie; `nil` if the cookie is from before a login.
  func join<Result>(
    _ cookie: VisitorCookie,
    _ body: (_ shell: ShellReactor, _ cookie: VisitorCookie) async throws -> Result
  ) async throws -> Result? {
    try await sessions.with(SessionKey(cookie)) { shell -> Result? in
      let login = await shell.screens.login.currentState
      guard login.generation == cookie.generation, login.user == cookie.user else { return nil }
      return try await body(shell, cookie)
    }
  }

  /// The header that sets the cookie.
  func header(_ cookie: VisitorCookie) -> String {
    "\(VisitorCookie.name)=\(signer.text(of: cookie)); Path=/; Max-Age=2592000; HttpOnly; "
      + "SameSite=Lax" + (isSecure ? "; Secure" : "")
  }
}
