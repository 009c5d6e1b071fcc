import ArgumentParser
import Foundation
import Hummingbird
import Logging

/// A live page backed by reactors: GitHub's repositories, with separate reactors for every visitor.
@main
struct RepositoryDemo: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "RepositoryDemo",
    abstract: "Serves a live page of GitHub's repositories, made-up ones by default.")

  @Option(help: "The address to listen at.")
  var host = "127.0.0.1"

  @Option(help: "The port to listen at; 0 for any that is free.")
  var port = 8080

  @Option(help: "The folder where accounts and favourites are kept; in memory without one.")
  var data: String?

  @Option(help: "The GitHub to ask, such as https://api.github.com; without, one in this program.")
  var github: String?

  @Option(help: "A token for that GitHub; better given as GITHUB_TOKEN in the environment.")
  var token: String?

  @Option(help: "What the made-up repositories and announcements are made of.")
  var seed: UInt64 = 1

  @Option(help: "How many milliseconds the made-up GitHub takes to answer.")
  var latency = 250

  @Option(
    help: ArgumentHelp(
      "How many questions a minute the made-up GitHub answers.", visibility: .hidden))
  var allowance = 5000

  @Option(help: "How many sessions there may be at once.")
  var sessions = 10_000

  @Option(help: "How many of them one address may have; 0 for any number.")
  var sessionsPerAddress = 1000

  @Option(help: "After how many seconds a session is let go that nobody uses.")
  var idle = 600

  @Option(help: "How many connections there may be at once; whoever comes then waits.")
  var connections = 20_000

  @Option(help: "How many requests a second one address may make; 0 for any number.")
  var rate = 50.0

  @Option(help: "About how many seconds there are between two announcements; 0 for none.")
  var announcements = 45

  @Flag(help: "Shows what reactors do, to everybody, at /inside.")
  var inside = false

  @Flag(help: "Says in cookies that they are for HTTPS alone.")
  var secure = false

  @Option(help: "What is logged at least.")
  var logLevel = LogLevel.info

  @Flag(
    help: ArgumentHelp("Serves the list by a bare actor instead, to measure.", visibility: .hidden))
  var bare = false

  func validate() throws {
    guard (0...65_535).contains(port) else { throw ValidationError("--port is 0 to 65535.") }
    guard (1...1_000_000).contains(sessions) else {
      throw ValidationError("--sessions is 1 to 1000000.")
    }
    guard sessionsPerAddress >= 0, connections > 0, idle > 0 else {
      throw ValidationError(
        "--sessions-per-address is not less than 0, --connections and --idle are more.")
    }
    guard (0...60_000).contains(latency), rate >= 0, announcements >= 0 else {
      throw ValidationError("--latency, --rate and --announcements are not less than 0.")
    }
  }

  func run() async throws {
    var logger = Logger(label: "RepositoryDemo") { JSONLogHandler(label: $0) }
    logger.logLevel = logLevel.level
    var options = App.Options()
    (options.host, options.port, options.data) = (host, port, data)
    (options.github, options.seed, options.sessions) = (github, seed, sessions)
    options.token = token ?? ProcessInfo.processInfo.environment["GITHUB_TOKEN"]
    (options.latency, options.requestsPerSecond) = (.milliseconds(latency), rate)
    options.allowance = allowance
    options.sessionsPerAddress = sessionsPerAddress > 0 ? sessionsPerAddress : .max
    (options.idle, options.connections) = (.seconds(idle), connections)
    options.announcements = announcements > 0 ? .seconds(announcements) : nil
    (options.hasInside, options.isSecure) = (inside, secure)
    let name = ["0.0.0.0", "127.0.0.1"].contains(host) ? "localhost" : host
    options.listens = { port in
      // Written unbuffered, so that it also appears at once if standard output is no terminal.
      try? FileHandle.standardOutput.write(
        contentsOf: Data("Open http://\(name):\(port) in a browser; Ctrl-C ends it.\n".utf8))
    }
    if bare {
      let server = Application(
        router: try await Bare.router(),
        configuration: .init(address: .hostname(host, port: port)), logger: logger)
      return try await server.runService()
    }
    try await App(options, logger: logger).run()
  }
}

/// The lowest level that is logged.
enum LogLevel: String, ExpressibleByArgument, CaseIterable {
  case trace, debug, info, warning, error

  var level: Logger.Level { Logger.Level(rawValue: rawValue) ?? .info }
}
