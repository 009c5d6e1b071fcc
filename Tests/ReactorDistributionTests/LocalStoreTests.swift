import Foundation
import Reactor
import ReactorJournal
import ReactorJournalTesting
import ReactorRuntime
import ReactorTesting
import TestLimits
import TestSupport
import Testing

@testable import ReactorDistribution

/// A cluster of one host, on a store of journals.
@Suite(.bounded) struct LocalStoreTests {
  @Test func `commands are stored for as long as they may be repeated, and no longer`()
    async throws
  {
    try await simulate(seeds: 0..<3) { simulation in
      let store = LocalClusterStore(MemoryStore(), clock: simulation.clock)
      let node = ClusterNode(
        store, NoTransport(), address: "here",
        ClusterOptions(
          retryTimeout: .seconds(30), journal: JournalOptions(clock: simulation.clock)))
      try await node.start()
      let lists = ReactorCluster(node: node)
        .registry(of: ListReactor.self, idle: nil) { _ in ListReactor(simulation.clock) }
      for id in 0..<3 { #expect(try await lists["\(id)"].ask { .append(1, $0) } == 1) }
      await simulation.advance(by: .seconds(20))
      #expect(await store.commands.count == 3)
      await simulation.advance(by: .seconds(180))
      #expect(await store.commands.isEmpty)
      #expect(await node.drain().isEmpty)
    }
  }

  @Test func `a store that refuses ends what waits, and does not prevent a host's end`()
    async throws
  {
    try await simulate(seeds: 0..<3) { simulation in
      let isFull = Guarded(false)
      let store = FailingStore { _, _, write in
        if isFull.withLock({ $0 }) { throw DiskIsFull() }
        try await write()
      }
      let node = ClusterNode(
        LocalClusterStore(store, clock: simulation.clock), NoTransport(), address: "here",
        ClusterOptions(retryTimeout: .seconds(3), journal: JournalOptions(clock: simulation.clock)))
      try await node.start()
      let lists = ReactorCluster(node: node)
        .registry(of: ListReactor.self, idle: nil) { _ in ListReactor(simulation.clock) }
      #expect(try await lists["1"].ask { .append(1, $0) } == 1)
      isFull.withLock { $0 = true }
      let ended = Log<Int>()
      let going = RunningCall {
        await #expect(throws: ClusterError.self) {
          try await lists["1"].ask { .append(2, $0) }
        }
        ended.append(await node.drain().count)
      }
      for _ in 0..<20 { await simulation.advance(by: .seconds(1)) }
      #expect(ended.entries == [0])
      going.cancel()
    }
  }

  /// A host on journals that another one may have as well.
  private func lists(
    on journals: MemoryStore, in file: String? = nil, _ simulation: Simulation
  ) async throws -> (node: ClusterNode, lists: ClusterRegistry<ListReactor>) {
    let clock = simulation.clock
    let node = ClusterNode(
      LocalClusterStore(journals, in: file, clock: clock), NoTransport(), address: "here",
      ClusterOptions(retryTimeout: .seconds(30), journal: JournalOptions(clock: clock)))
    try await node.start()
    let lists = ReactorCluster(node: node)
      .registry(of: ListReactor.self, idle: nil) { _ in ListReactor(clock) }
    return (node, lists)
  }

  @Test(arguments: [nil, "lists.db"])
  func `a second host on the same file gets an error with the remedy`(
    _ file: String?
  ) async throws {
    try await simulate(seeds: 0..<3) { simulation in
      let journals = MemoryStore()
      let first = try await lists(on: journals, in: file, simulation)
      let second = try await lists(on: journals, in: file, simulation)
      #expect(try await first.lists["1"].ask { .append(1, $0) } == 1)
      let asking = RunningCall { try await second.lists["1"].ask { .append(2, $0) } }
      for _ in 0..<40 { await simulation.advance(by: .seconds(1)) }
      let error = await #expect(throws: ClusterError.self) { try await asking.value }
      let place = file.map { "the file '\($0)'" } ?? "the same file"
      #expect(
        error?.description
          == "no host could be reached that has list '1': another process or cluster has it open "
          + "in \(place), which is for one host: end that one first, or use .postgres for several "
          + "hosts")
      #expect(await second.node.drain().isEmpty)
      #expect(await first.node.drain().isEmpty)
    }
  }

  @Test func `a process that starts while the one before it ends waits for that`() async throws {
    try await simulate(seeds: 0..<3) { simulation in
      let journals = MemoryStore()
      let first = try await lists(on: journals, simulation)
      let second = try await lists(on: journals, simulation)
      #expect(try await first.lists["1"].ask { .append(1, $0) } == 1)
      let asking = RunningCall { try await second.lists["1"].ask { .append(2, $0) } }
      for _ in 0..<20 { await simulation.advance(by: .seconds(1)) }
      #expect(await first.node.drain().isEmpty)
      for _ in 0..<5 { await simulation.advance(by: .seconds(1)) }
      #expect(try await asking.value == 2)
      #expect(await second.node.drain().isEmpty)
    }
  }

  @Test(arguments: [true, false])
  func `a process that was paused for longer than a lease goes on with its state`(
    isInMemory: Bool
  ) async throws {
    try await simulate(seeds: 0..<3) { simulation in
      let clock = PausedClock(simulation.clock)
      let options = ClusterOptions(journal: JournalOptions(clock: clock))
      let store: any ClusterStore =
        isInMemory
        ? MemoryClusterStore(clock: clock, isSingleHost: true)
        : LocalClusterStore(MemoryStore(), clock: clock)
      let node = ClusterNode(store, NoTransport(), address: "here", options)
      try await node.start()
      let lists = ReactorCluster(node: node)
        .registry(of: ListReactor.self, idle: nil) { _ in ListReactor(clock) }
      let before = node.hostID
      let asking = RunningCall {
        try await lists["1"].ask { .appendSlowly(7, milliseconds: 60_000, $0) }
      }
      await simulation.advance(by: .seconds(3))
      clock.pause(for: .seconds(20))
      for _ in 0..<100 { await simulation.advance(by: .seconds(1)) }
      #expect(node.hostID == before)
      #expect(try await asking.value == 1)
      #expect(await node.drain().isEmpty)
    }
  }
}

/// A clock that does not wake a process while it is paused.
private final class PausedClock: Clock {
  typealias Instant = SimulatedClock.Instant

  private let inner: SimulatedClock
  private let end: Guarded<Instant>

  init(_ inner: SimulatedClock) {
    self.inner = inner
    end = Guarded(inner.now)
  }

  var now: Instant { inner.now }
  var minimumResolution: Duration { .zero }

  func pause(for time: Duration) { end.withLock { $0 = inner.now.advanced(by: time) } }

  func sleep(until deadline: Instant, tolerance: Duration?) async throws {
    try await inner.sleep(until: deadline, tolerance: tolerance)
    try await inner.sleep(until: end.withLock { $0 }, tolerance: tolerance)
  }
}

private struct DiskIsFull: Error, CustomStringConvertible {
  var description: String { "the disk is full" }
}
