import AsyncHTTPClient
import Foundation
import Logging
import NIOCore
import NIOHTTP1
import TestLimits
import TestSupport
import Testing

/// A service in a process of its own, which is asked to end.
@Suite(.bounded) struct ProcessTests {
  @Test func `each of 100,000 actions is answered, settled or reported, at any end`()
    async throws
  {
    let service = try ServiceProcess("ServedFixture")
    let port = try #require(await service.line(after: "port "))
    var configuration = HTTPClient.Configuration()
    configuration.connectionPool.concurrentHTTP1ConnectionsPerHostSoftLimit = 100
    let client = HTTPClient(eventLoopGroupProvider: .singleton, configuration: configuration)
    let answered = Log<[String: Int]?>()

    // A hundred clients, a thousand actions each; in the middle the service is asked to end.
    try await withThrowingTaskGroup(of: Void.self) { group in
      for number in 0..<100 {
        group.addTask {
          let counts = try? await burst(number, client, port)
          answered.append(counts)
        }
      }
      group.addTask {
        _ = await answered.entries(upTo: 20)
        // Whose actions but one are sent after the reactors' time is up.
        _ = await service.line(after: "late")
        service.terminate()
      }
      try await group.waitForAll()
    }
    try await client.shutdown()
    let (status, counts) = await service.end()

    #expect(status == 0)
    // What clients were answered is what the service counted, but for those it could not answer.
    let received = answered.entries.compactMap { $0 }.reduce(into: [String: Int]()) { sum, counts in
      sum.merge(counts) { $0 + $1 }
    }
    let words = ["finished", "reactorEnded", "neverBegun", "refused", "cancelled", "other"]
    for word in words { #expect(received[word, default: 0] <= counts[word, default: 0], "\(word)") }
    #expect(counts["other"] == nil)
    // Of each request that it has begun, all thousand.
    let ended = words.reduce(0) { $0 + counts[$1, default: 0] }
    #expect(ended % 1000 == 0 && ended >= 20_000, "\(counts)")
    #expect(received["finished", default: 0] > 0)
    // Those that never end by themselves were cut short, and the service says how many.
    #expect(counts["reactorEnded", default: 0] > 0)
    #expect(counts["abandoned"] == counts["reactorEnded"])
    // And what came too late was refused, and its client was answered so.
    #expect(received["refused", default: 0] >= 999, "\(received)")
  }

  private func burst(
    _ number: Int, _ client: HTTPClient, _ port: String
  ) async throws -> [String: Int] {
    var request = HTTPClientRequest(
      url: "http://127.0.0.1:\(port)/\(number == 99 ? "late" : "burst")/\(number)")
    request.method = .POST
    let response = try await client.execute(request, deadline: .distantFuture)
    let body = try await response.body.collect(upTo: 1 << 20)
    guard response.status == .ok else { return [:] }
    return try JSONDecoder().decode([String: Int].self, from: Data(body.readableBytesView))
  }
}
