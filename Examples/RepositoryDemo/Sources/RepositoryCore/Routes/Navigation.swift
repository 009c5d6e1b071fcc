/// Identifies a window: one loaded document of a browser.
package struct WindowID: Sendable, Hashable {
  package let text: String

  package init() { text = Digest.random(8).map { "\($0)" }.joined(separator: "-") }

  /// `nil` unless the text is one that the other initialiser creates, by its characters.
  package init?(_ text: String) {
    let isValid = text.utf8.allSatisfy {
      (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) || $0 == UInt8(ascii: "-")
    }
    guard isValid, (1...32).contains(text.utf8.count) else { return nil }
    self.text = text
  }
}

/// Where a window is according to its browser.
package struct Place: Sendable, Hashable {
  package var window: WindowID
  package var route: Route
  /// The position in the browser's history.
  package var index: Int
  /// The address, with its query.
  package var address: String

  package init(_ window: WindowID, at route: Route, index: Int = 0, address: String? = nil) {
    (self.window, self.route, self.index) = (window, route, index)
    self.address = address ?? route.address
  }
}

/// Where a window is: its route, and its position in the browser's history.
package struct Navigation: Sendable, Equatable {
  package private(set) var route: Route
  /// The position of the route, which the browser stores with each entry of its history.
  package private(set) var index: Int
  /// The routes of other positions, as far as they are known.
  private var known: [Int: Route] = [:]

  /// How many positions before and after the current one are kept.
  static let limit = 50

  /// Creates the navigation of a window that has been loaded.
  package init(at route: Route, index: Int = 0) { (self.route, self.index) = (route, index) }

  /// Takes the browser's position, unless the window has moved: a page that is loaded again keeps
  /// its position in the history.
  package mutating func begin(at index: Int) {
    if known.isEmpty { self.index = index }
  }

  /// Moves on to a route; positions after the current one no longer exist.
  package mutating func open(_ route: Route) {
    if route == self.route { return }
    known = known.filter { $0.key < index }
    go(to: route, index + 1)
  }

  /// Moves to the previous position; without one, shows the screen that contains this one instead.
  package mutating func back() {
    guard let previous = known[index - 1] else { return replace(with: route.parent) }
    go(to: previous, index - 1)
  }

  /// Follows the browser, which has moved by itself.
  package mutating func arrive(at route: Route, index: Int) {
    if index == self.index { replace(with: route) } else { go(to: route, index) }
  }

  /// Shows another route at the same position.
  package mutating func replace(with route: Route) { self.route = route }

  private mutating func go(to route: Route, _ index: Int) {
    known[self.index] = self.route
    (self.route, self.index) = (route, index)
    known = known.filter { $0.key != index && abs($0.key - index) <= Self.limit }
  }
}
