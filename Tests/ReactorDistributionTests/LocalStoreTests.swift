import Foundation
import JournalTestSupport
import Reactor
import ReactorJournal
import ReactorTesting
import TestSupport
import Testing

@testable import ReactorDistribution

/// A cluster of one host, on a store of journals.
@Suite(.timeLimit(.minutes(40))) struct LocalStoreTests {
  @Test func `commands are known for as long as they may be repeated, and no longer`()
    async throws
  {
    try await simulate(seeds: 0..<3) { simulation in
      let store = LocalClusterStore(MemoryStore(), clock: simulation.clock)
      let node = ClusterNode(
        store, NoTransport(), address: "here",
        ClusterOptions(
          patience: .seconds(30), journal: JournalOptions(clock: simulation.clock)))
      try await node.start()
      let lists = ReactorCluster(node: node)
        .registry(of: ListReactor.self, idle: nil) { _ in ListReactor(simulation.clock) }
      for id in 0..<3 { #expect(try await lists["\(id)"].ask { .append(1, $0) } == 1) }
      await simulation.advance(by: .seconds(20))
      #expect(await store.commands.count == 3)
      await simulation.advance(by: .seconds(180))
      #expect(await store.commands.isEmpty)
      #expect(await node.stop().isEmpty)
    }
  }

  @Test func `a store that refuses ends what waits, and keeps no host from going`() async throws {
    try await simulate(seeds: 0..<3) { simulation in
      let full = FullStore()
      let node = ClusterNode(
        LocalClusterStore(full, clock: simulation.clock), NoTransport(), address: "here",
        ClusterOptions(patience: .seconds(3), journal: JournalOptions(clock: simulation.clock)))
      try await node.start()
      let lists = ReactorCluster(node: node)
        .registry(of: ListReactor.self, idle: nil) { _ in ListReactor(simulation.clock) }
      #expect(try await lists["1"].ask { .append(1, $0) } == 1)
      await full.fill()
      let ended = Log<Int>()
      let going = UnderWay {
        await #expect(throws: ClusterError.self) {
          try await lists["1"].ask { .append(2, $0) }
        }
        ended.append(await node.stop().count)
      }
      for _ in 0..<20 { await simulation.advance(by: .seconds(1)) }
      #expect(ended.entries == [0])
      going.cancel()
    }
  }
}

/// A journal whose disk is full from some moment on.
private actor FullStore: ForwardingStore {
  nonisolated let inner = MemoryStore()
  private var isFull = false

  struct DiskIsFull: Error, CustomStringConvertible {
    var description: String { "the disk is full" }
  }

  func fill() { isFull = true }

  func append(_ entries: [JournalEntry], to key: JournalKey, epoch: Int) async throws {
    if isFull { throw DiskIsFull() }
    try await inner.append(entries, to: key, epoch: epoch)
  }
}
