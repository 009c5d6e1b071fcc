package import ReactorComposition

/// The reactors of one session, except its shell.
package struct Screens: Sendable {
  package let lists: ListsReactor
  package let login: LoginReactor
  package let settings: SettingsReactor
  package let router: RouterReactor
  /// Broadcasts actions to the screens of this session.
  package let app: ReactorGroup<AppAction>
  /// An object that lives as long as the session: its seat.
  private let held: (any Sendable)?

  package init(
    _ github: any GitHub, login: LoginReactor, clock: any Clock<Duration>,
    holds held: (any Sendable)? = nil
  ) {
    app = ReactorGroup()
    settings = SettingsReactor()
    lists = ListsReactor(github, settings: settings, clock: clock)
    router = RouterReactor(app)
    (self.login, self.held) = (login, held)
  }
}
