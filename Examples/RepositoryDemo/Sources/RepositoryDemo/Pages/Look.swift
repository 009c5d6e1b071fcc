import RepositoryCore

/// Everything that a page is rendered from: the states of one session's reactors, at one moment.
struct Look: Sendable {
  /// Where the window is.
  var place: Place
  var shell: ShellReactor.State
  var lists: ListsState
  var login: LoginReactor.State
  var settings: SettingsReactor.State
  var detail: DetailReactor.State?
  /// The fake's weather; `nil` for the real GitHub.
  var weather: Weather?
  /// The token that a form must send.
  var token = ""
  /// Whether the page `/inside` exists.
  var hasInside = false

  var route: Route { place.route }
  var favourites: FavouritesReactor.State { lists.visitor.favourites }

  /// The address of the page, with the text of a search.
  var address: String {
    let text = lists.everything.text
    return route == .everything && !text.isEmpty
      ? "\(route.path)?q=\(Route.escaped(text))" : route.address
  }

  func star(of id: RepositoryID) -> ListRow.Star {
    favourites.contains(id) ? .on : lists.waiting.contains(id) ? .waiting : .off
  }

  mutating func move(to route: Route, index: Int) {
    place = Place(place.window, at: route, index: index)
    // What another repository's page has shown is not shown on this one.
    if case .detail(let id) = route, detail?.id != id {
      detail = DetailReactor.State(id: id)
    }
  }
}
