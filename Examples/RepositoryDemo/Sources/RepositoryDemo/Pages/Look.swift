import RepositoryCore

/// Everything that a page is rendered from: the states of one session's reactors, at one moment.
struct Look: Sendable {
  var route: Route
  /// The path that an action redirects to.
  var path: String
  var shell: ShellReactor.State
  var list: RepositoriesState
  var login: LoginReactor.State
  var settings: SettingsReactor.State
  var favourites = FavouritesReactor.State()
  var detail: DetailReactor.State?
  /// The fake's weather; `nil` for the real GitHub.
  var weather: Weather?
  /// The token that a form must send.
  var token = ""
  /// Whether the page `/inside` exists.
  var hasInside = false

  func isStarred(_ id: RepositoryID) -> Bool { favourites.contains(id) }
}

extension Route {
  /// Parses the path of a page, without its query.
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
