package import Reactor
package import ReactorComposition

/// An action that concerns several screens, and is broadcast to all of them.
///
/// One group has the screens of one session, and another one those of all sessions.
package enum AppAction: Sendable {
  // To the screens of one session:

  /// The session begins, or is started over.
  case launched
  /// The visitor has changed: by a login, a logout or a favourite.
  case visitor(Visitor)
  /// A window shows a route.
  case opened(Route)
  /// A tab is pressed in a window, also the tab of the screen that the window shows.
  case pressed(Route.Tab, Place)
  /// A star is set, by a button of a window; `nil` for a page without scripts.
  case favourite(Repository, Place?)
  case unfavourite(RepositoryID)
  /// A star does not wait for a login any more.
  case favouriteEnded(RepositoryID)

  // To the screens of all sessions:

  case announcement(Announcement)
  case reachable(Bool)
  case loggedOutEverywhere(LoginReactor.User)
  /// The service is shutting down.
  case closing
}

/// A screen that takes broadcast actions.
package protocol AppScreen: Reactor {
  /// The screen's own action for a broadcast action; `nil` if that does not concern the screen.
  ///
  /// A `switch` without a default: a further action does not compile before each screen has a case
  /// for it.
  static func action(for action: AppAction) -> Action?
}

extension ReactorGroup<AppAction> {
  /// Adds all screens of a session.
  package func join(_ shell: ShellReactor) {
    add(screen: shell)
    add(screen: shell.screens.lists)
    add(screen: shell.screens.router)
    add(screen: shell.screens.login)
    add(screen: shell.screens.settings)
  }

  private func add<Screen: AppScreen>(screen: Screen) {
    add(screen) { Screen.action(for: $0) }
  }
}
