/// Decides which screens a visitor may see; no other code does.
package enum Access {
  /// Returns the route that a visitor gets to: the requested one, or another one in its place.
  ///
  /// - Parameters:
  ///   - requested: The requested route.
  ///   - user: The name of the logged-in user; `nil` without a login.
  /// - Returns: The route that the visitor may see.
  package static func route(for requested: Route, user: String?) -> Route {
    switch requested {
    case .own: user == nil ? .login(next: requested.address) : requested
    // With a login, the visitor gets to what the login was for.
    case .login(let next): user == nil ? requested : target(next)
    case .everything, .favourites, .settings, .advertisement, .catalogue, .inside, .detail:
      requested
    }
  }

  /// Returns the route that a pressed star leads to.
  ///
  /// - Parameters:
  ///   - id: The repository.
  ///   - address: The address of the page with the star, where the visitor gets back to.
  ///   - user: The name of the logged-in user; `nil` without a login.
  /// - Returns: The login; `nil` if the star is set at once.
  package static func routeToStar(
    _ id: RepositoryID, at address: String, user: String?
  ) -> Route? {
    if user != nil { return nil }
    let page = address.prefix { $0 != "#" }
    return .login(next: Route.local("\(page)#star-\(id)"))
  }

  /// A login never leads to a login.
  private static func target(_ next: String) -> Route {
    switch Route(address: next) {
    case nil, .login?: .everything
    case let route?: route
    }
  }
}
