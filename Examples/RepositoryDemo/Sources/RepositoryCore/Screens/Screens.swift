/// The reactors of one session, except its shell.
package struct Screens: Sendable {
  package let list: RepositoriesReactor
  package let login: LoginReactor
  package let settings: SettingsReactor
  /// An object that lives as long as the session: its seat.
  private let held: (any Sendable)?

  package init(
    list: RepositoriesReactor, login: LoginReactor, settings: SettingsReactor,
    holds held: (any Sendable)? = nil
  ) {
    (self.list, self.login, self.settings, self.held) = (list, login, settings, held)
  }
}

/// The screen that a visitor is on.
package enum Route: Sendable, Hashable {
  case repositories, favourites, settings, login, catalogue, inside
  case detail(RepositoryID)
}

/// Events that are sent to all sessions.
package enum AppEvent: Sendable {
  case notice(String)
  case reachable(Bool)
  case loggedOutEverywhere(LoginReactor.User)
  case closing
}
