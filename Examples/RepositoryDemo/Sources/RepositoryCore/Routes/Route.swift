import Foundation

/// The screen that a window shows.
package enum Route: Sendable, Hashable {
  case everything, own, favourites, settings, advertisement, catalogue, inside
  /// The login, with the address that the visitor gets to after it.
  case login(next: String)
  case detail(RepositoryID)

  /// The screens that can be reached from every other one.
  package enum Tab: String, Sendable, CaseIterable {
    case everything, own, favourites, settings

    package var route: Route {
      switch self {
      case .everything: .everything
      case .own: .own
      case .favourites: .favourites
      case .settings: .settings
      }
    }
  }

  /// The screen that contains this one: where "back" leads if there is nothing to go back to.
  package var parent: Route { .everything }

  /// Whether a window shows it without being loaded again.
  package var isLive: Bool { self != .catalogue && self != .inside }
}

extension Route {
  /// Parses an address of this site: a path, and a query, of which only the login's `next` counts.
  package init?(address: String) {
    guard address.hasPrefix("/"), !address.hasPrefix("//") else { return nil }
    let path = String(address.prefix { $0 != "?" && $0 != "#" })
    switch path {
    case "/": self = .everything
    case "/own": self = .own
    case "/favourites": self = .favourites
    case "/settings": self = .settings
    case "/advertisement": self = .advertisement
    case "/catalogue": self = .catalogue
    case "/inside": self = .inside
    case "/login":
      let next = URLComponents(string: address)?.queryItems?.first { $0.name == "next" }?.value
      self = .login(next: Self.local(next ?? "/"))
    default:
      let prefix = "/repositories/"
      guard path.hasPrefix(prefix),
        let id = RepositoryID(String(path.dropFirst(prefix.count)))
      else { return nil }
      self = .detail(id)
    }
  }

  package var path: String {
    switch self {
    case .everything: "/"
    case .own: "/own"
    case .favourites: "/favourites"
    case .settings: "/settings"
    case .advertisement: "/advertisement"
    case .catalogue: "/catalogue"
    case .inside: "/inside"
    case .login: "/login"
    case .detail(let id): "/repositories/\(id)"
    }
  }

  /// The path, and the query that ``init(address:)`` parses.
  package var address: String {
    guard case .login(let next) = self else { return path }
    return "\(path)?next=\(Self.escaped(next))"
  }

  /// Escapes a text for the value of a query, except slashes.
  package static func escaped(_ text: String) -> String {
    var allowed = CharacterSet.alphanumerics
    allowed.insert(charactersIn: "-._~/")
    return text.addingPercentEncoding(withAllowedCharacters: allowed) ?? ""
  }

  /// Returns a path of this site, or `/`, so that no address leads to another site.
  package static func local(_ path: String) -> String {
    guard path.hasPrefix("/"), !path.hasPrefix("//"), path.utf8.count < 500,
      path.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F && $0 != UInt8(ascii: "\\") })
    else { return "/" }
    return path
  }
}
