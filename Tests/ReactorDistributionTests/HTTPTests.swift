import AsyncHTTPClient
import Foundation
import NIOCore
import NIOHTTP1
import Reactor
import ReactorComposition
import ReactorJournal
import TestLimits
import TestSupport
import Testing

@testable import ReactorDistribution

/// Hosts of one process that call each other over HTTP, and keep all in PostgreSQL.
@Suite(
  .enabled(if: PostgresServer.isInstalled, PostgresServer.missing), .bounded)
struct HTTPTests {
  private func hosts(
    _ count: Int, bodyLimit: Int = 1 << 20,
    onAction: @escaping @Sendable (ListReactor.Action) -> Void = { _ in },
    _ body: @Sendable ([HTTPHost]) async throws -> Void
  ) async throws {
    try await httpHosts(
      count, options: ClusterOptions(bodyLimit: bodyLimit), onAction: onAction, body)
  }

  @Test func `answers from whichever host receives the request`() async throws {
    try await hosts(3) { hosts in
      for id in 0..<12 {
        for (number, host) in hosts.enumerated() {
          let place = try await host.lists["\(id)"].ask { .append(number, $0) }
          #expect(place == number + 1)
        }
        let state = try await hosts[0].lists["\(id)"].currentState(.fenced)
        #expect(state == [0, 1, 2])
      }
      // On a busy machine, a host may have lost its lease and with it what it had.
      let here = hosts.flatMap(\.lists.idsHere)
      #expect(!here.isEmpty && Set(here).count == here.count)
    }
  }

  @Test func `hands over in order, and states come without gap or repetition`() async throws {
    try await hosts(3) { hosts in
      let seen = Log<[Int]>()
      #expect(try await hosts[0].lists["1"].ask { .append(0, $0) } == 1)
      let owner = try #require(hosts.first { !$0.lists.idsHere.isEmpty })
      let others = hosts.filter { $0.address != owner.address }
      let watching = Task {
        for try await state in others[0].lists["1"].state { seen.append(state) }
      }
      _ = await seen.entries(upTo: 1)
      for item in 1...3 { _ = try await others[1].lists["1"].ask { .append(item, $0) } }
      await owner.cluster.drain()
      for item in 4...6 { _ = try await others[1].lists["1"].ask { .append(item, $0) } }
      let states = await seen.entries(upTo: 7)
      #expect(states.map(\.count) == Array(1...7))
      watching.cancel()
      _ = await watching.result
    }
  }

  @Test func `a deadline and an expected error are transmitted`() async throws {
    try await hosts(2) { hosts in
      _ = try await hosts[0].lists["1"].ask { .append(0, $0) }
      let other = try #require(hosts.first { $0.lists.idsHere.isEmpty })
      await #expect {
        try await other.lists["1"].ask(within: .milliseconds(50)) { .hang($0) }
      } throws: { error in
        if case ClusterError.failed(_, let failure) = error { failure.kind == .late } else { false }
      }
      await #expect {
        try await other.lists["1"].ask { .refuse($0) }
      } throws: { error in
        "\(error)" == "list '1': sold out"
      }
    }
  }

  @Test func `cancelling the asking task cancels the work on the other host`() async throws {
    let begun = Log<Bool>()
    let onAction: @Sendable (ListReactor.Action) -> Void = { action in
      if case .hang = action { begun.append(true) }
    }
    try await hosts(2, onAction: onAction) { hosts in
      _ = try await hosts[0].lists["1"].ask { .append(0, $0) }
      let other = try #require(hosts.first { $0.lists.idsHere.isEmpty })
      let owner = try #require(hosts.first { !$0.lists.idsHere.isEmpty })
      let asking = Task { try await other.lists["1"].ask { .hang($0) } }
      _ = await begun.entries(upTo: 1)
      asking.cancel()
      await #expect(throws: CancellationError.self) { try await asking.value }
      // Nothing is left to be done there; else this would wait for ever.
      #expect(await owner.cluster.drain().isEmpty)
    }
  }

  @Test func `an answer that is too long is reported, and not requested again`() async throws {
    try await hosts(2, bodyLimit: 1_000) { hosts in
      for _ in 0..<60 { try await hosts[0].lists["1"].send(.add(.max)) }
      let other = try #require(hosts.first { $0.lists.idsHere.isEmpty })
      await #expect {
        try await other.lists["1"].ask { .read($0) }
      } throws: { error in
        if case ClusterError.invalid(let text) = error {
          text.hasPrefix("an answer of ")
        } else {
          false
        }
      }
    }
  }

  @Test func `refuses unauthorised calls, bodies that are too long, and malformed calls`()
    async throws
  {
    try await hosts(1, bodyLimit: 1_000) { hosts in
      let client = HTTPClient.shared
      func post(_ body: String, _ headers: [(String, String)]) async throws -> (UInt, String) {
        var request = HTTPClientRequest(url: "\(hosts[0].address)/reactor-cluster/1")
        request.method = .POST
        for (name, value) in headers { request.headers.add(name: name, value: value) }
        request.body = .bytes(ByteBuffer(string: body))
        let response = try await client.execute(request, deadline: .distantFuture)
        let text = String(buffer: try await response.body.collect(upTo: 9_999))
        return (UInt(response.status.code), text)
      }
      let secret = try #require(hosts[0].cluster.node.incarnation?.secret)
      let known = ("Authorization", "Bearer \(secret)")
      let type = ("Content-Type", "application/x-reactor-cluster")
      #expect(try await post("x", [type]).0 == 401)
      #expect(try await post("x", [type, ("Authorization", "Bearer guessed")]).0 == 401)
      #expect(try await post("x", [known]).0 == 415)
      #expect(try await post(String(repeating: "x", count: 1_001), [known, type]).0 == 413)
      let (status, text) = try await post("x", [known, type])
      #expect(status == 200 && text.contains("invalid"))
    }
  }

  @Test func `an invalid address or connection string is reported in one line`() async throws {
    let info = try await PostgresServer.shared.info
    await #expect {
      _ = try await ReactorCluster(.postgres(info), address: "nowhere")
    } throws: { error in
      "\(error)".hasPrefix("an address is where other hosts reach this one")
    }
    let taken = try await ReactorCluster(
      .postgres(info, schema: PostgresServer.name()),
      address: "http://127.0.0.1:\(try PostgresServer.freePort())")
    await #expect {
      _ = try await ReactorCluster(
        .postgres(info, schema: PostgresServer.name()), address: taken.node.address)
    } throws: { error in
      "\(error)".hasPrefix("this host cannot listen at")
    }
    await taken.drain()
    await #expect {
      _ = try await ReactorCluster(
        .postgres("host=127.0.0.1 port=1 dbname=none"), address: "http://127.0.0.1:1")
    } throws: { error in
      "\(error)".hasPrefix("the cluster's store cannot be used:") && !"\(error)".contains("\n")
    }
    await #expect {
      _ = try await ReactorCluster(
        .postgres(info, schema: "x; drop table"), address: "http://127.0.0.1:1")
    } throws: { error in
      "\(error)".hasPrefix("a schema's name has only a to z")
    }
  }
}

/// The same program on one machine.
@Suite(.bounded) struct OneMachineTests {
  @Test(arguments: [false, true])
  func `the same lines run without a server`(_ isFile: Bool) async throws {
    let path = FileManager.default.temporaryDirectory
      .appendingPathComponent("cluster-\(UUID().uuidString).db").path
    defer { for end in ["", "-wal", "-shm", ".owners"] { unlink(path + end) } }
    let cluster = try await ReactorCluster(isFile ? .sqlite(at: path) : .inMemory)
    let lists = cluster.registry(of: ListReactor.self) { _ in ListReactor() }
    #expect(try await lists["1"].ask { .append(7, $0) } == 1)
    try await lists["1"].send(.add(8))
    #expect(try await lists["1"].ask { .append(9, $0) } == 3)
    #expect(try await lists["1"].currentState(.fenced) == [7, 8, 9])
    #expect(await cluster.drain().isEmpty)
    await #expect {
      try await lists["1"].send(.add(9))
    } throws: { error in
      if case ClusterError.stopped = error { true } else { false }
    }
    guard isFile else { return }
    let again = try await ReactorCluster(.sqlite(at: path))
    let kept = again.registry(of: ListReactor.self) { _ in ListReactor() }
    #expect(try await kept["1"].ask { .read($0) } == [7, 8, 9])
    await again.drain()
  }
}
