import AsyncHTTPClient
import Foundation
import Hummingbird
import Logging
import NIOCore
import NIOHTTP1
import Reactor
import ReactorDistribution

/// A host of a cluster, which measures as it is told.
struct BenchHost {
  private let cluster: ReactorCluster
  private let sums: ClusterRegistry<SumReactor>
  private let keys: [String]

  init(_ words: [String]) async throws {
    cluster = try await ReactorCluster(.postgres(words[1], schema: words[2]), address: words[3])
    sums = cluster.registry(of: SumReactor.self, idle: nil) { _ in SumReactor() }
    keys = (0..<(Int(words[4]) ?? 0)).map(String.init)
  }

  func run() async throws {
    let bare = Task { try await serveBare() }
    for await line in Self.lines() {
      let words = line.split(separator: " ").map(String.init)
      switch (words.first, words.count) {
      case ("touch", 1): try await touch()
      case ("here", 1): ClusterBench.say("here \(sums.idsHere.joined(separator: ","))")
      case ("ask", 4): ClusterBench.say(try await ask(words).line)
      case ("bare", 4): ClusterBench.say(try await askBare(words).line)
      default: fatalError("what is '\(line)'?")
      }
    }
    bare.cancel()
    await cluster.drain()
  }

  private func touch() async throws {
    try await withThrowingTaskGroup(of: Void.self) { group in
      for sender in 0..<8 {
        group.addTask {
          for key in keys where (Int(key) ?? 0) % 8 == sender {
            _ = try await sums[key].ask { .add(1, $0) }
          }
        }
      }
      try await group.waitForAll()
    }
    ClusterBench.say("touched")
  }

  private func ask(_ words: [String]) async throws -> Load {
    guard let senders = Int(words[1]), let seconds = Double(words[2]) else {
      fatalError("numbers are numbers")
    }
    let keys = words[3].split(separator: ",").map(String.init)
    return try await Load.run(senders: senders, for: seconds) { [sums] sender in
      _ = try await sums[keys[sender % keys.count]].ask { .add(1, $0) }
    }
  }

  // MARK: Without reactors

  /// A server that says what it was told: what a call between hosts cannot be faster than.
  private func serveBare() async throws {
    let router = Router()
    router.post("echo") { request, _ in
      let body = try await request.body.collect(upTo: 1 << 20)
      return Response(status: .ok, body: ResponseBody(byteBuffer: body))
    }
    let app = Application(
      router: router, configuration: ApplicationConfiguration(address: .hostname(port: 0)),
      onServerRunning: { ClusterBench.say("bare http://127.0.0.1:\($0.localAddress?.port ?? 0)") },
      logger: Logger(label: "silent") { _ in SwiftLogNoOpLogHandler() })
    try await app.runService(gracefulShutdownSignals: [])
  }

  /// As many bytes there and back as a call has.
  private func askBare(_ words: [String]) async throws -> Load {
    guard let senders = Int(words[1]), let seconds = Double(words[2]) else {
      fatalError("numbers are numbers")
    }
    var configuration = HTTPClient.Configuration()
    configuration.connectionPool.concurrentHTTP1ConnectionsPerHostSoftLimit = 1_024
    let client = HTTPClient(eventLoopGroupProvider: .singleton, configuration: configuration)
    let body = ByteBuffer(repeating: 0x61, count: 200)
    let load = try await Load.run(senders: senders, for: seconds) { _ in
      var request = HTTPClientRequest(url: "\(words[3])/echo")
      request.method = .POST
      request.body = .bytes(body)
      let response = try await client.execute(request, timeout: .seconds(10))
      guard try await response.body.collect(upTo: 1 << 20) == body else {
        fatalError("it said something else")
      }
    }
    try await client.shutdown()
    return load
  }

  /// The lines of standard input, read by a thread of its own.
  private static func lines() -> AsyncStream<String> {
    AsyncStream { lines in
      Thread.detachNewThread {
        while let line = readLine() { lines.yield(line) }
        lines.finish()
      }
    }
  }
}
