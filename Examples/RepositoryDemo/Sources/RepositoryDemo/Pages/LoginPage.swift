import RepositoryCore

/// The way in.
enum LoginPage {
  static func add(to view: inout PageView, _ look: Look) {
    view.title = "Log in"
    view.regions["asked"] = asked(look.shell.waitsForLogin)
    view.regions["failure"] = look.login.failure.map(failure) ?? HTML.none
  }

  /// What the login is for.
  static func asked(_ waiting: [RepositoryID]) -> HTML {
    guard let last = waiting.last else { return .none }
    let others = waiting.count - 1
    if others == 0 {
      return "<p class=\"note\">Log in to give <b>\(last)</b> its star. It gets it right after.</p>"
    }
    return """
      <p class="note">Log in to give <b>\(last)</b> and \(others) more their stars. They get them \
      right after.</p>
      """
  }

  static func failure(_ failure: LoginReactor.Failure) -> HTML {
    let text =
      switch failure {
      case .name: "A name has 2 to 30 small letters, digits and hyphens."
      case .password: "A password has 8 to 200 characters."
      case .wrong: "That is not the password of this name."
      case .busy: "Too many try this at once. Wait a moment."
      }
    return "<p class=\"failure answer\" role=\"alert\"><b>\(text)</b></p>"
  }

  static func body(_ view: PageView, _ look: Look, next: String) -> HTML {
    if let user = look.login.user {
      return """
        <h1>You are logged in</h1><p>You are <b>\(user.name)</b>.</p>
        <p><a class="button" href="\(next)">Go on</a></p>
        """
    }
    return """
      <h1>Log in</h1>
      \(Layout.region("asked", view))
      <form class="card" action="/login" method="post" data-plain>
        <input type="hidden" name="token" value="\(look.token)">
        <input type="hidden" name="next" value="\(next)">
        <label>Name <input name="name" required minlength="2" maxlength="30" pattern="[a-z0-9\\-]+"
          autocomplete="username" autocapitalize="none" spellcheck="false" autofocus></label>
        <label>Password <input name="password" type="password" required minlength="8"
          maxlength="200" autocomplete="current-password"></label>
        \(Layout.region("failure", view))
        <button class="primary">Log in</button>
        <p class="quiet">New here? The password that you choose now is yours from now on.</p>
      </form>
      """
  }
}
