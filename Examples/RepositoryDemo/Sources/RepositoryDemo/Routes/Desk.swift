import Reactor
import ReactorComposition
import RepositoryCore
import Synchronization

/// The dependencies of the routes.
struct Desk: Sendable {
  let gate: VisitorGate
  let favourites: FavouritesReactor.Registry
  let details: DetailReactor.Registry
  /// The fake's weather; `nil` for the real GitHub.
  let weather: WeatherBoard?
  /// The log of steps, for the page `/inside`.
  let steps: StepLog?
  /// How often a session may load details: each detail is a reactor, for a minute.
  let detailLimit: RateLimit
  let streams = StreamCount(limit: 12)

  func allowDetail(_ cookie: VisitorCookie) throws {
    guard detailLimit.allows(cookie.session) else { throw RateLimiter.refusal }
  }

  /// Broadcasts the current visitor to the session's screens, unless they have it already.
  ///
  /// The favourites are read from the stream: changes that are not durable yet are not shown.
  func greet(_ shell: ShellReactor) async throws {
    let screens = shell.screens
    let login = await screens.login.currentState
    var visitor = Visitor(user: login.user?.name, generation: login.generation)
    if let user = visitor.user {
      for try await state in favourites[user].states(.newest) {
        visitor.favourites = state
        break
      }
    }
    let (lists, router) = (
      await screens.lists.currentState.visitor, await screens.router.currentState.visitor
    )
    if lists != visitor || router != visitor {
      await screens.app.send(.visitor(visitor)).settled
    }
  }

  /// Returns the current states that a page of this session is rendered from.
  func look(
    _ place: Place, _ shell: ShellReactor, _ cookie: VisitorCookie
  ) async throws -> Look {
    let screens = shell.screens
    var look = Look(
      place: place, shell: await shell.currentState, lists: await screens.lists.currentState,
      login: await screens.login.currentState, settings: await screens.settings.currentState,
      weather: weather?.weather, token: gate.signer.token(cookie), hasInside: steps != nil)
    if case .detail(let id) = place.route {
      look.detail = try await details.with(id) { await $0.currentState }
    }
    return look
  }
}

/// The fake's weather, with an event for each change.
final class WeatherBoard: Sendable {
  private let station: WeatherStation
  let changes = EventBroadcaster<Weather>()

  init(_ station: WeatherStation) { self.station = station }

  var weather: Weather { station.weather }

  func set(_ weather: Weather) {
    station.weather = weather
    changes.send(weather)
  }
}

/// Counts the live streams of each session.
///
/// Holds: the counts, guarded by its own lock.
final class StreamCount: Sendable {
  private let counts = Mutex<[String: Int]>([:])
  private let limit: Int

  init(limit: Int) { self.limit = limit }

  /// Takes a place until the returned object is released; `nil` if the limit is reached.
  func take(_ session: String) -> Place? {
    counts.withLock { counts in
      guard counts[session, default: 0] < limit else { return nil }
      counts[session, default: 0] += 1
      return Place(session: session, counts: self)
    }
  }

  final class Place: Sendable {
    private let session: String
    private let counts: StreamCount

    fileprivate init(session: String, counts: StreamCount) {
      (self.session, self.counts) = (session, counts)
    }

    deinit {
      counts.counts.withLock { counts in
        counts[session, default: 1] -= 1
        if counts[session] == 0 { counts[session] = nil }
      }
    }
  }
}
