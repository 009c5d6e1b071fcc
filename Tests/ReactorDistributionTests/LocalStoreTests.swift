import Foundation
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
}
