import RepositoryCore

/// The login page.
enum LoginPage {
  static let file = #fileID

  static func add(to view: inout PageView, _ look: Look) {
    view.title = "Log in"
    view.regions["asked"] = asked(look.shell.waitsForLogin)
    view.regions["failure"] = look.login.failure.map(failure) ?? HTML.none
  }

  /// Why the login is needed.
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
      case .name: "A name has \(nameRule)."
      case .password: "A password has 8 to 200 characters."
      case .wrong: "That is not the password of this name."
      case .unknown:
        "There is no account of this name. Look whether it is spelled right, or make a new one."
      case .taken: "Another account has this name, and another password."
      case .busy: "Too many try this at once. Wait a moment."
      }
    return "<p class=\"failure answer\" role=\"alert\"><b>\(text)</b></p>"
  }

  private static let nameRule = "2 to 30 small letters, digits and hyphens"
  private static let passwordRule = "8 characters or more"

  static func body(_ view: PageView, _ look: Look, next: String) -> HTML {
    // The name of a failed login is shown again; the password has to be typed again.
    let name = look.login.name
    let (onName, onPassword): (HTML, HTML) =
      name.isEmpty ? (" autofocus", .none) : (.none, " autofocus")
    return """
      <h1>Log in</h1>
      \(Layout.region("asked", view))
      <form class="card" action="/login" method="post" data-plain>
        <input type="hidden" name="token" value="\(look.token)">
        <input type="hidden" name="next" value="\(next)">
        <label>Name <input name="name" required minlength="2" maxlength="30" pattern="[a-z0-9\\-]+"
          title="\(nameRule)" aria-describedby="name-rule" value="\(name)" autocomplete="username"
          autocapitalize="none" spellcheck="false"\(onName)></label>
        <p class="quiet rule" id="name-rule">\(nameRule)</p>
        <label>Password <input name="password" type="password" required minlength="8"
          title="\(passwordRule)" aria-describedby="password-rule" maxlength="200"
          autocomplete="current-password"\(onPassword)></label>
        <p class="quiet rule" id="password-rule">\(passwordRule)</p>
        \(Layout.region("failure", view))
        <p class="buttons"><button class="primary">Log in</button>
        <button name="new" value="yes">New account</button></p>
      </form>
      """
  }
}
