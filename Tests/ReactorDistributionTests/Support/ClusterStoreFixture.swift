import Foundation
import ReactorJournal
import ReactorTesting
import TestSupport

@testable import ReactorDistribution

/// The stores that there are to be tested.
enum StoreKind: String, CaseIterable, Sendable {
  case memory, simulated, postgres

  static var here: [StoreKind] { allCases.filter { $0 != .postgres || PostgresServer.isInstalled } }
}

extension ClusterStore {
  /// A process enters that has not been there before.
  func join(_ host: ClusterHost, lease: Duration) async throws -> ClusterJoinResult {
    try await join(host, lease: lease, after: nil)
  }
}

/// A store, and how to advance its time.
struct ClusterStoreFixture: Sendable {
  let store: any ClusterStore
  let wait: @Sendable (Duration) async throws -> Void
  let hosts = (0..<3).map { ClusterHost(id: HostID(UUID()), address: "http://host-\($0)") }
  let key = JournalKey(name: "list", id: "ä '1'\\\"")

  func entries(_ range: ClosedRange<Int>) -> [JournalEntry] {
    range.map { number in
      JournalEntry(
        sequence: number, version: 1 + number % 2,
        kind: number == 3 ? .undo(2) : number == 4 ? .redo(2) : .change,
        payload: Data((0...255).map { UInt8($0) }), cause: number % 2 == 0 ? nil : "1.\(number)",
        time: Date(timeIntervalSinceReferenceDate: Double(number) / 7),
        stateHash: number % 2 == 0 ? .max - 5 : nil)
    }
  }

  func join(_ host: Int = 0, lease: Duration = .seconds(600)) async throws -> ClusterView {
    try await store.join(hosts[host], lease: lease).view
  }

  func take(_ host: Int = 0, version: Int = 9, limit: Int = 5) async throws -> ClusterTakeResult {
    try await store.take(key, for: hosts[host].id, version: version, limit: limit)
  }

  func append(
    _ range: ClosedRange<Int>, epoch: Int, _ host: Int = 0, commands: [CommandRecord] = [],
    isFirst: Bool = false
  ) async throws {
    try await store.append(
      ClusterBatch(entries: entries(range), commands: commands, isFirst: isFirst), to: key,
      by: hosts[host].id, epoch: epoch)
  }
}

/// Runs something with a store that nothing has been done with.
func withClusterStore(
  _ kind: StoreKind, _ body: @escaping @Sendable (ClusterStoreFixture) async throws -> Void
) async throws {
  switch kind {
  case .memory:
    // A sleep on this clock advances the time.
    let clock = ImmediateClock()
    let store = MemoryClusterStore(clock: clock)
    try await body(ClusterStoreFixture(store: store) { try await clock.sleep(for: $0) })
  case .simulated:
    try await simulate(seeds: 0..<10) { simulation in
      let world = SimulatedWorld(simulation)
      try await world.run {
        let machine = SimulatedMachine("a", in: world, idle: nil) { _ in }
        try await body(
          ClusterStoreFixture(store: SimulatedConnection(machine: machine)) {
            try await world.sleep($0)
          })
      }
    }
  case .postgres:
    let store = try await PostgresServer.shared.store()
    try await body(
      ClusterStoreFixture(store: store) { time in
        // Time goes by for the server: every lease is so much older.
        try await store.query(
          "update reactor_host set expires_at = expires_at - $1::float8 * interval '1 second'",
          [.double(time / .seconds(1))])
      })
    store.close()
  }
}
