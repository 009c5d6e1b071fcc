import Foundation
import Reactor
import ReactorJournal
import TestLimits
import TestSupport
import Testing

@testable import ReactorDistribution

/// A server that restarts or is slow, and connections that are cut.
@Suite(
  .enabled(if: PostgresServer.isInstalled, PostgresServer.missing), .serialized,
  .bounded)
struct PostgresFailureTests {
  private func store(_ info: String, _ schema: String) async throws -> PostgresStore {
    try await PostgresStore(info, schema: schema, connections: 1, timeout: .seconds(5))
  }

  @Test func `a server that is restarted loses nothing that was acknowledged`() async throws {
    let folder = try PostgresServer.folder()
    let (info, schema) = (try PostgresServer.start(in: folder), PostgresServer.name())
    let recorder = HistoryRecorder()
    try await httpHosts(2, on: info, schema: schema) { hosts in
      let isBack = Gate()
      try await withThrowingTaskGroup(of: Void.self) { group in
        for (number, host) in hosts.enumerated() {
          group.addTask {
            var (value, after) = (number * 1_000_000, 0)
            while after < 5, !Task.isCancelled {
              value += 1
              let isAfter = isBack.isOpen
              let place = await recorder.append(value, to: "1", at: host)
              if isAfter, place != nil { after += 1 }
            }
          }
        }
        group.addTask {
          _ = await recorder.acknowledged.entries(upTo: 5)
          try await PostgresServer.restart(in: folder)
          isBack.open()
        }
        try await group.waitForAll()
      }
    }
    let store = try await store(info, schema)
    #expect(try await recorder.problems(in: store) == [])
    store.close()
  }

  @Test func `a slow server does not end a host's lease`() async throws {
    let info = try await PostgresServer.shared.info
    let proxy = try PostgresProxy(to: info)
    let options = ClusterOptions(lease: .seconds(6))
    try await httpHosts(1, on: proxy.info, options: options) { hosts in
      let before = try #require(hosts[0].cluster.node.hostID)
      proxy.slow(by: .milliseconds(300))
      // With some statements each: longer than the lease.
      for place in 1...20 {
        #expect(try await hosts[0].lists["1"].ask { .append(place, $0) } == place)
      }
      #expect(hosts[0].cluster.node.hostID == before)
      proxy.slow(by: .zero)
    }
  }

  @Test func `a server that answers too late ends the lease, and later it resumes`()
    async throws
  {
    let info = try await PostgresServer.shared.info
    let proxy = try PostgresProxy(to: info)
    let options = ClusterOptions(lease: .seconds(2))
    try await httpHosts(1, on: proxy.info, options: options) { hosts in
      #expect(try await hosts[0].lists["1"].ask { .append(1, $0) } == 1)
      let incarnation = try #require(hosts[0].cluster.node.incarnation)
      proxy.slow(by: .seconds(4))
      await incarnation.ended.wait()
      proxy.slow(by: .zero)
      #expect(try await hosts[0].lists["1"].ask { .append(2, $0) } == 2)
      #expect(hosts[0].cluster.node.hostID != incarnation.id)
    }
  }

  @Test func `connections that are cut lose nothing that was acknowledged`() async throws {
    let (info, schema) = (try await PostgresServer.shared.info, PostgresServer.name())
    let proxy = try PostgresProxy(to: info)
    let recorder = HistoryRecorder()
    try await httpHosts(2, on: proxy.info, schema: schema) { hosts in
      await withTaskGroup(of: Void.self) { group in
        for (number, host) in hosts.enumerated() {
          group.addTask {
            for value in 1...60 {
              await recorder.append(number * 1_000 + value, to: "\(value % 3)", at: host)
              if value.isMultiple(of: 10) { proxy.cut() }
            }
          }
        }
      }
    }
    // The outcome of a command whose connection was cut may be unknown.
    #expect(recorder.acknowledged.count >= 60)
    let store = try await store(info, schema)
    #expect(try await recorder.problems(in: store) == [])
    store.close()
  }
}
