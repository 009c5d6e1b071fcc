package import Reactor
package import ReactorComposition

/// Where the windows of a session are.
///
/// Every move of a window is an action here, whether the visitor, the browser or the service causes
/// it, and passes ``Access``. The screens are notified of each move by the broadcast of
/// ``AppAction/opened(_:)``.
package actor RouterReactor: Reactor {
  package enum Action: Sendable, Equatable {
    /// A page is requested; the reply is the route that the visitor may see.
    case enter(WindowID, Route, Reply<Route>)
    /// A window connects; it is entered again if it is not known any more.
    case connect(Place)
    case open(Route, from: Place)
    case back(from: Place)
    /// The browser has moved by itself, backwards or forwards.
    case arrive(Place)
    /// A star is pressed.
    case star(RepositoryID, from: Place)
    case setVisitor(Visitor)
  }

  package enum Mutation: Sendable, Equatable {
    case moved(WindowID, Navigation)
    case setVisitor(Visitor)
  }

  package struct State: Sendable, Equatable {
    /// The navigation of each window.
    package private(set) var windows: [WindowID: Navigation] = [:]
    /// The windows, the one that moved last at the end.
    private var order: [WindowID] = []
    package private(set) var visitor = Visitor()

    /// How many windows of a session are kept; another one enters again when it connects.
    package static let limit = 50

    package init() {}

    fileprivate mutating func set(_ window: WindowID, _ navigation: Navigation) {
      windows[window] = navigation
      order.removeAll { $0 == window }
      order.append(window)
      if order.count > Self.limit { windows[order.removeFirst()] = nil }
    }

    /// Changes the visitor, and moves the windows that show what the new one may not see.
    fileprivate mutating func set(_ visitor: Visitor) {
      self.visitor = visitor
      for (window, navigation) in windows {
        windows[window]?.replace(with: Access.route(for: navigation.route, user: visitor.user))
      }
    }
  }

  nonisolated package let initialState = State()
  nonisolated package let pipeline = Pipeline(inboxLimit: 200)
  private let app: ReactorGroup<AppAction>

  /// - Parameter app: The group of the session's screens.
  package init(_ app: ReactorGroup<AppAction>) { self.app = app }

  package func mutate(action: Action) -> MutationStream<Mutation> {
    switch action {
    case .enter(let window, let route, let reply):
      let admitted = Access.route(for: route, user: currentState.visitor.user)
      reply(admitted)
      // A request that is redirected enters again.
      return admitted == route ? move(Place(window, at: route)) { _ in } : .empty
    case .connect(let place): return move(place) { _ in }
    case .open(let route, let place): return move(place) { $0.open(route) }
    case .back(let place): return move(place) { $0.back() }
    case .arrive(let place):
      return move(place, isThere: false) { $0.arrive(at: place.route, index: place.index) }
    case .star(let id, let place):
      let user = currentState.visitor.user
      guard let route = Access.routeToStar(id, at: place.address, user: user) else {
        return .empty
      }
      return move(place) { $0.open(route) }
    case .setVisitor(let visitor):
      return visitor.isNewer(than: currentState.visitor) ? .just(.setVisitor(visitor)) : .empty
    }
  }

  package func reduce(state: inout State, mutation: Mutation) {
    switch mutation {
    case .moved(let window, let navigation): state.set(window, navigation)
    case .setVisitor(let visitor): state.set(visitor)
    }
  }

  /// Moves a window, from where it is known to be, or else from where its browser is.
  ///
  /// - Parameters:
  ///   - place: Where the browser is.
  ///   - isThere: Whether the window is known to be there as well.
  ///   - body: Changes the navigation.
  /// - Returns: The move, unless the window stays where it is.
  private func move(
    _ place: Place, isThere: Bool = true, _ body: (inout Navigation) -> Void
  ) -> MutationStream<Mutation> {
    let state = currentState
    var navigation =
      state.windows[place.window] ?? Navigation(at: place.route, index: place.index)
    if isThere { navigation.begin(at: place.index) }
    body(&navigation)
    let admitted = Access.route(for: navigation.route, user: state.visitor.user)
    navigation.replace(with: admitted)
    app.send(.opened(admitted))
    return navigation == state.windows[place.window]
      ? .empty : .just(.moved(place.window, navigation))
  }
}

extension RouterReactor: AppScreen {
  package static func action(for action: AppAction) -> Action? {
    switch action {
    case .pressed(let tab, let place): .open(tab.route, from: place)
    // Without a login, the star leads to it.
    case .favourite(let repository, let place): place.map { .star(repository.id, from: $0) }
    case .visitor(let visitor): .setVisitor(visitor)
    case .launched, .opened, .unfavourite, .favouriteEnded, .announcement, .reachable,
      .loggedOutEverywhere, .closing:
      nil
    }
  }
}
