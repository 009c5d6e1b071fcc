import AsyncHTTPClient
import CoreMetrics
import Foundation
import Hummingbird
import HummingbirdCore
import Logging
import NIOCore
import Reactor
import ReactorComposition
import ReactorHummingbird
import ReactorInstrumentation
import ReactorJournal
import ReactorLifecycle
import RepositoryCore
import ServiceLifecycle
import Synchronization
import UnixSignals

/// Assembles the program: all dependencies between its parts are defined here.
struct App {
  struct Options: Sendable {
    var host = "127.0.0.1"
    var port = 8080
    /// The folder of accounts, favourites and the signing key; `nil` for in memory.
    var data: String?
    /// The address of the real GitHub; `nil` for the fake.
    var github: String?
    var token: String?
    var seed: UInt64 = 1
    /// How long the fake takes to answer.
    var latency = Duration.milliseconds(250)
    /// How many requests per minute the fake answers.
    var allowance = 5000
    var sessions = 10_000
    /// How many sessions one address may have.
    var sessionsPerAddress = 1000
    /// How long an unused session is kept.
    var idle = Duration.seconds(600)
    /// How often one session may load details.
    var details = RateLimit(perSecond: 1, burst: 60)
    /// How often one address may try to log in.
    var logins = RateLimit(perSecond: 0.2, burst: 10)
    var connections = 20_000
    /// The clock for all of these, and for everything else that takes time.
    var clock: any Clock<Duration> = ContinuousClock()
    var requestsPerSecond = 50.0
    /// The average pause between announcements; `nil` for no announcements.
    var announcements: Duration? = .seconds(45)
    var hasInside = false
    var isSecure = false
    /// The cost of one password hash.
    var rounds = 1 << 15
    /// Called with the port when the server listens.
    var listens: @Sendable (_ port: Int) -> Void = { _ in }
  }

  let router: Router<DemoContext>
  let desk: Desk
  let reactors: ReactorService
  let everybody: ReactorGroup<AppAction>
  let sessions: Sessions
  let seats: Seats
  let weather: WeatherStation
  private let options: Options
  private let logger: Logger
  private let registrations: [Registration]

  init(_ options: Options, logger: Logger) async throws {
    (self.options, self.logger) = (options, logger)
    let clock = options.clock

    // Storage.
    let files = try options.data.map { try DataFiles($0) }
    let journal = try await Journal(files.map { .sqlite(at: $0.journal) } ?? .inMemory)
    let signer = try files.map { try Signer(at: $0.key) } ?? Signer()
    let passwords = Scrypt(rounds: options.rounds)
    let accounts = AccountReactor.Registry(idle: .seconds(60), clock: clock) { user in
      try await journal.open(user) { AccountReactor(user: user, passwords: passwords) }
    }
    let favourites = FavouritesReactor.Registry(idle: .seconds(60), clock: clock) { user in
      try await journal.open(user) { FavouritesReactor(user: user) }
    }

    // GitHub, and notifications of whether it can be reached.
    let everybody = ReactorGroup<AppAction>()
    let isReachable = Switch(true)
    let station = WeatherStation()
    let transport: any GitHubTransport =
      if let address = options.github {
        try HTTPTransport(address, token: options.token)
      } else {
        FakeGitHub(
          seed: options.seed, station: station, perMinute: options.allowance,
          latency: options.latency, clock: clock)
      }
    let github = WatchedGitHub(Self.client(of: transport, clock)) { now in
      if isReachable.exchange(now) != now { everybody.send(.reachable(now)) }
    }
    let details = DetailReactor.Registry(idle: .seconds(60), clock: clock) { id in
      DetailReactor(id, github, render: Markdown.html)
    }

    // A session: its screens, and the shell around them.
    let seats = Seats(limit: options.sessions, limitOfAddress: options.sessionsPerAddress)
    let sessions = Sessions(idle: options.idle, clock: clock) { key in
      let seat = try seats.take(key.address)
      let login = LoginReactor(
        session: key.session, user: key.user, generation: key.generation, accounts: accounts
      ) { everybody.send(.loggedOutEverywhere($0)) }
      let shell = ShellReactor.launched(
        Screens(github, login: login, clock: clock, holds: seat), favourites: favourites,
        isOffline: !isReachable.value, clock: clock)
      everybody.join(shell)
      return shell
    }

    // Later entries use earlier ones, and end first.
    reactors = ReactorService(
      [accounts, favourites, details, sessions, everybody], drain: .seconds(5), logger: logger)

    let metrics = PrometheusMetrics()
    let steps = options.hasInside ? StepLog() : nil
    var observers = [
      ReactorObservers.add(TraceCarrier()), ReactorObservers.add(MetricsObserver(metrics)),
      ReactorObservers.add(LoggingObserver(logger)),
    ]
    if let steps { observers.append(ReactorObservers.add(steps)) }
    registrations = observers

    let gate = VisitorGate(
      signer: signer, sessions: sessions, accounts: accounts, isSecure: options.isSecure)
    desk = Desk(
      gate: gate, favourites: favourites, details: details,
      weather: options.github == nil ? WeatherBoard(station) : nil, steps: steps,
      detailLimit: options.details)
    (self.everybody, self.sessions, self.seats, weather) = (everybody, sessions, seats, station)
    router = Self.routes(desk, options, reactors, metrics)
  }

  private static func client(
    of transport: any GitHubTransport, _ clock: some Clock<Duration>
  ) -> any GitHub { GitHubClient(transport, clock: clock) }

  private static func routes(
    _ desk: Desk, _ options: Options, _ reactors: ReactorService, _ metrics: PrometheusMetrics
  ) -> Router<DemoContext> {
    let router = Router(context: DemoContext.self, options: .autoGenerateHeadEndpoints)
    router.add(middleware: SecurityHeaders(isSecure: options.isSecure))
    router.add(middleware: RequestMetrics(metrics))
    router.add(middleware: Tracing())
    router.add(middleware: ErrorPages())
    if options.requestsPerSecond > 0 {
      let rate = options.requestsPerSecond
      router.add(middleware: RateLimiter(limit: RateLimit(perSecond: rate, burst: rate * 5)))
    }
    PageRoutes(desk: desk).add(to: router)
    ActionRoutes(desk: desk, logins: options.logins).add(to: router)
    ServiceRoutes(desk: desk, metrics: metrics).add(to: router)
    router.health(of: reactors)
    router.get("health") { _, _ in
      Response(status: reactors.phase == .running ? .ok : .serviceUnavailable)
    }
    router.allow(.get, at: "health", "health/live", "health/ready")
    return router
  }

  /// The server without its service group, for tests.
  func server() -> some ApplicationProtocol {
    Application(
      router: router, server: .http1(serving: reactors),
      configuration: ApplicationConfiguration(
        address: .hostname(options.host, port: options.port), serverName: nil,
        // At the limit, further connections wait until another one ends.
        availableConnectionsDelegate: MaximumAvailableConnections(
          options.connections, logger: logger)),
      onServerRunning: { [options] channel in options.listens(channel.localAddress?.port ?? 0) },
      logger: logger)
  }

  /// Runs until it is asked to shut down, and then ends within five seconds.
  func run() async throws {
    let newsroom = Newsroom(
      everybody: everybody, pause: options.announcements, seed: options.seed)
    var services = ServiceGroupConfiguration(
      services: [
        .init(service: reactors), .init(service: server()),
        .init(service: newsroom),
      ],
      gracefulShutdownSignals: [.sigterm, .sigint], logger: logger)
    services.maximumGracefulShutdownDuration = .seconds(6)
    try await ServiceGroup(configuration: services).run()
  }
}

/// The files in the data folder.
struct DataFiles {
  let journal: String
  let key: String

  init(_ folder: String) throws {
    try FileManager.default.createDirectory(
      atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    (journal, key) = ("\(folder)/journal.sqlite", "\(folder)/cookies.key")
  }
}

/// A Boolean value for any thread.
///
/// Holds: the value, guarded by its own lock.
final class Switch: Sendable {
  private let state: Mutex<Bool>

  init(_ value: Bool) { state = Mutex(value) }

  var value: Bool { state.withLock { $0 } }

  /// - Returns: The previous value.
  func exchange(_ value: Bool) -> Bool {
    state.withLock { state in
      defer { state = value }
      return state
    }
  }
}
