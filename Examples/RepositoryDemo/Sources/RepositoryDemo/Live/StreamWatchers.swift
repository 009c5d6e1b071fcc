import Reactor
import ReactorComposition
import RepositoryCore

/// The tasks that put the states of a window's screens into its box.
struct StreamWatchers: Sendable {
  let desk: Desk
  let box: LookBox
  let window: WindowID

  func start(_ shell: ShellReactor, heartbeat: Duration) -> [Task<Void, Never>] {
    let screens = shell.screens
    return [
      Task {
        let all = combining(shell.state, screens.login.state, screens.settings.state)
        for await (shell, login, settings) in all {
          box.update { ($0.shell, $0.login, $0.settings) = (shell, login, settings) }
        }
        box.end()
      },
      Task { await followRoute(screens.router) },
      Task { await followLists(shell) },
      Task { await followFavourites(screens) },
      Task {
        while (try? await Task.sleep(for: heartbeat)) != nil { box.beat() }
      },
    ]
  }

  /// Follows the window's route, and what only its current screen shows.
  private func followRoute(_ router: RouterReactor) async {
    var following: Task<Void, Never>?
    var shown: Route?
    for await navigation in router.state.select({ $0.windows[window] }) {
      guard let navigation else { continue }
      let (route, index) = (navigation.route, navigation.index)
      guard route != shown else {
        box.update { $0.place.index = index }
        continue
      }
      shown = route
      following?.cancel()
      // What is known of a repository is shown at once.
      let detail = await known(route)
      box.update { look in
        look.move(to: route, index: index)
        if let detail { look.detail = detail }
      }
      following = Task { await follow(route) }
    }
    following?.cancel()
  }

  private func known(_ route: Route) async -> DetailReactor.State? {
    guard case .detail(let id) = route else { return nil }
    return try? await desk.details.with(id) { await $0.currentState }
  }

  private func follow(_ route: Route) async {
    switch route {
    case .detail(let id):
      try? await desk.details.with(id) { detail in
        await detail.begin()
        for await state in detail.state.buffering(.newest) {
          box.update { if $0.route == route { $0.detail = state } }
        }
      }
    case .settings:
      guard let weather = desk.weather else { return }
      let changes = weather.changes.stream()
      box.update { $0.weather = weather.weather }
      for await weather in changes { box.update { $0.weather = weather } }
    default: break
    }
  }

  /// Follows the lists, whose streams end when they are reset.
  private func followLists(_ shell: ShellReactor) async {
    var following: Task<Void, Never>?
    for await _ in shell.state.buffering(.newest).select(\.starts) {
      following?.cancel()
      following = Task {
        for await lists in shell.screens.lists.state.buffering(.newest) {
          box.update { $0.lists = lists }
        }
      }
    }
    following?.cancel()
  }

  /// Broadcasts each change of the logged-in user's favourites to the session's screens.
  private func followFavourites(_ screens: Screens) async {
    var following: Task<Void, Never>?
    let visitors = screens.login.state.buffering(.newest).select {
      Visitor(user: $0.user?.name, generation: $0.generation)
    }
    for await visitor in visitors {
      following?.cancel()
      guard let user = visitor.user else {
        screens.app.send(.visitor(visitor))
        continue
      }
      following = Task {
        do {
          for try await state in desk.favourites[user].states(.newest) {
            var visitor = visitor
            visitor.favourites = state
            screens.app.send(.visitor(visitor))
          }
        } catch {
          // The page keeps what it shows; the next page that is opened reports the error.
        }
      }
    }
    following?.cancel()
  }
}
