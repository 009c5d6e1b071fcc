import RepositoryCore

/// All that a page is drawn from: the states of one session's reactors, at one moment.
struct Look: Sendable {
  var route: Route
  /// Where an action leads back to.
  var path: String
  var shell: ShellReactor.State
  var list: RepositoriesState
  var login: LoginReactor.State
  var settings: SettingsReactor.State
  var favourites = FavouritesReactor.State()
  var detail: DetailReactor.State?
  /// The fake's weather; `nil` over the real GitHub.
  var weather: Weather?
  /// What a form must bring back.
  var token = ""
  /// Whether there is a page that looks inside.
  var hasInside = false

  func isStarred(_ id: RepositoryID) -> Bool { favourites.contains(id) }
}

extension Route {
  /// Of the path of a page, without its query.
  init?(path: String) {
    switch path {
    case "/": self = .repositories
    case "/favourites": self = .favourites
    case "/settings": self = .settings
    case "/login": self = .login
    default:
      guard path.hasPrefix("/repositories/"),
        let id = RepositoryID(String(path.dropFirst("/repositories/".count)))
      else { return nil }
      self = .detail(id)
    }
  }

  var path: String {
    switch self {
    case .repositories: "/"
    case .favourites: "/favourites"
    case .settings: "/settings"
    case .login: "/login"
    case .catalogue: "/catalogue"
    case .inside: "/inside"
    case .detail(let id): "/repositories/\(id)"
    }
  }
}
