import Foundation
import Reactor
import Synchronization
import Testing

@testable import ReactorDistribution

/// A PostgreSQL server of the tests' own, in a temporary folder; it goes when they do.
actor PostgresServer {
  /// Where its programs are; `nil` where it is not installed.
  static let programs: String? = {
    let root = "/usr/lib/postgresql"
    let versions = (try? FileManager.default.contentsOfDirectory(atPath: root)) ?? []
    return versions.sorted { (Int($0) ?? 0) > (Int($1) ?? 0) }.map { "\(root)/\($0)/bin" }
      .first { FileManager.default.isExecutableFile(atPath: "\($0)/initdb") }
  }()

  static var isInstalled: Bool { programs != nil }
  /// Whether a run without it is to fail.
  static let isRequired = ProcessInfo.processInfo.environment["REACTOR_POSTGRES"] == "1"
  static let missing: Comment = "PostgreSQL is not installed; `make test-all` installs it"

  static let shared = PostgresServer()

  private var starting: Task<String, any Error>?

  /// Where it is, as libpq has it; started by the first call.
  var info: String {
    get async throws {
      if let starting { return try await starting.value }
      let starting = Task { try Self.start(in: Self.folder()) }
      self.starting = starting
      return try await starting.value
    }
  }

  /// A store in a schema of its own.
  func store(
    connections: Int = 4, timeout: Duration = .seconds(5), schema: String = PostgresServer.name()
  ) async throws -> PostgresStore {
    try await PostgresStore(
      try await info, schema: schema, connections: connections, timeout: timeout)
  }

  static func name() -> String {
    "t_" + UUID().uuidString.lowercased().replacing("-", with: "_")
  }

  static func folder() throws -> String {
    let folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("reactor-pg-\(UUID().uuidString.prefix(8))").path
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    return folder
  }

  /// Starts a server that ends when this process does, however that goes.
  ///
  /// - Parameters:
  ///   - folder: In which folder.
  ///   - primary: The server that it is to be a standby of, if any, as libpq has it.
  /// - Returns: Where it is, as libpq has it.
  /// - Throws: ``ClusterError/unusable(_:)`` where it does not start.
  static func start(in folder: String, asStandbyOf primary: String? = nil) throws -> String {
    guard let programs else { throw ClusterError.unusable("\(missing)") }
    let port = try freePort()
    let making =
      primary.map { "pg_basebackup' -d '\($0)' -D data -R -X stream -c fast" }
      ?? "initdb' -D data -A trust -U postgres -E UTF8 --locale=C"
    // It refuses to run as root.
    let script = """
      run() { if [ "$(id -u)" = 0 ]; then runuser -u postgres -- "$@"; else "$@"; fi; }
      if [ "$(id -u)" = 0 ]; then chown postgres '\(folder)'; fi
      cd '\(folder)'
      run '\(programs)/\(making) >log 2>&1 || exit 1
      run '\(programs)/pg_ctl' -D data -l server.log -w -o \
        "-k '\(folder)' -h 127.0.0.1 -p \(port) -c max_connections=300" start >>log 2>&1 || exit 1
      echo ready
      exec >/dev/null 2>&1
      while kill -0 \(getpid()) 2>/dev/null; do sleep 0.5; done
      run '\(programs)/pg_ctl' -D data -m immediate stop
      rm -rf '\(folder)'
      """
    guard try output(by: script).hasPrefix("ready") else {
      let log = try? String(contentsOfFile: "\(folder)/log", encoding: .utf8)
      throw ClusterError.unusable("the server did not start: \(log ?? "")")
    }
    return "host=127.0.0.1 port=\(port) user=postgres dbname=postgres"
  }

  /// Runs a script.
  ///
  /// - Returns: What it says first; nothing if it ends without a word.
  static func output(by script: String) throws -> String {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/bin/sh")
    process.arguments = ["-c", script]
    let output = Pipe()
    process.standardOutput = output
    try process.run()
    return String(decoding: output.fileHandleForReading.availableData, as: UTF8.self)
  }

  /// Stops the server in a folder as a crash does, and starts it once more.
  static func restart(in folder: String) async throws {
    try await control(folder, "-l server.log -m immediate -w restart")
  }

  /// Stops it as a crash does.
  static func stop(in folder: String) async throws {
    try await control(folder, "-m immediate -w stop")
  }

  /// Lets a standby take over.
  static func promote(in folder: String) async throws {
    try await control(folder, "-w promote")
  }

  private static func control(_ folder: String, _ words: String) async throws {
    guard let programs else { throw ClusterError.unusable("\(missing)") }
    let script = """
      cd '\(folder)'
      if [ "$(id -u)" = 0 ]; then run="runuser -u postgres --"; fi
      $run '\(programs)/pg_ctl' -D data \(words) >>log 2>&1 || exit 1
      echo ready
      """
    // The script says when it is done: that it has ended cannot be waited for, since the server
    // that it leaves behind has inherited what `Process` watches.
    let output = try await withCheckedThrowingContinuation { continuation in
      Thread.detachNewThread { continuation.resume(with: Result { try Self.output(by: script) }) }
    }
    guard output.hasPrefix("ready") else {
      throw ClusterError.unusable("pg_ctl \(words) failed")
    }
  }

  /// Ports that have been given out.
  private static let ports = Mutex(Set<UInt16>())

  /// A port that nothing listens at, and that is given out once.
  ///
  /// It is below those that the system chooses for connections, which might take it before a server
  /// listens there.
  static func freePort() throws -> Int {
    for _ in 0..<1_000 {
      let port = UInt16.random(in: 15_000..<32_000)
      if ports.withLock({ $0.insert(port).inserted }), isFree(port) { return Int(port) }
    }
    throw ClusterError.unusable("no free port")
  }

  private static func isFree(_ port: UInt16) -> Bool {
    let place = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    defer { close(place) }
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = inet_addr("127.0.0.1")
    address.sin_port = port.bigEndian
    return withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(place, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
      }
    }
  }
}
