import Foundation
import ReactorJournal
import Testing
import TestLimits

@testable import ReactorDistribution

/// What every store has to pass: the one in memory, the simulated server, and PostgreSQL.
@Suite(.bounded) struct ClusterStoreTests {
  private func fenced(_ body: () async throws -> Void) async {
    await #expect {
      try await body()
    } throws: { error in
      if case ClusterError.fenced = error { true } else { false }
    }
  }

  @Test(arguments: StoreKind.here)
  func `lists the hosts with valid leases`(_ kind: StoreKind) async throws {
    try await withClusterStore(kind) { fixture in
      #expect(try await fixture.join(0, lease: .seconds(5)).hosts == [fixture.hosts[0]])
      #expect(try await Set(fixture.join(1).hosts) == Set(fixture.hosts.prefix(2)))
      let renewed = try await fixture.store.renew(fixture.hosts[0].id, lease: .seconds(5))
      #expect(renewed.map { Set($0.hosts) } == Set(fixture.hosts.prefix(2)))
      try await fixture.wait(.seconds(6))
      #expect(try await fixture.store.renew(fixture.hosts[0].id, lease: .seconds(5)) == nil)
      let left = try await fixture.store.renew(fixture.hosts[1].id, lease: .seconds(600))
      #expect(left?.hosts == [fixture.hosts[1]])
      try await fixture.store.markLeaving(fixture.hosts[1].id)
      #expect(
        try await fixture.store.renew(fixture.hosts[1].id, lease: .seconds(600))?.hosts == [])
    }
  }

  @Test(arguments: StoreKind.here)
  func `returns entries as they were`(_ kind: StoreKind) async throws {
    try await withClusterStore(kind) { fixture in
      _ = try await fixture.join()
      #expect(try await fixture.take() == .taken(epoch: 1, takings: 1))
      try await fixture.append(1...6, epoch: 1, isFirst: true)
      try await fixture.append(7...7, epoch: 1)
      let store = fixture.store
      #expect(
        try await store.entries(of: fixture.key, after: 0, limit: 99) == fixture.entries(1...7))
      #expect(
        try await store.entries(of: fixture.key, after: 2, limit: 2) == fixture.entries(3...4))
      #expect(try await store.entries(of: fixture.key, after: 7, limit: 2) == [])
      #expect(try await store.extent(of: fixture.key) == JournalExtent(deleted: 0, last: 7))
      #expect(try await store.epoch(of: fixture.key, at: 7) == 1)
      #expect(try await store.epoch(of: fixture.key, at: 8) == nil)
    }
  }

  @Test(arguments: StoreKind.here)
  func `lists the stored identifiers, page by page`(
    _ kind: StoreKind
  ) async throws {
    try await withClusterStore(kind) { fixture in
      let (store, host) = (fixture.store, fixture.hosts[0].id)
      _ = try await fixture.join()
      for id in ["b", "a", "", "10", "1"] {
        let key = JournalKey(name: "kept", id: id)
        _ = try await store.take(key, for: host, version: 9, limit: 5)
        try await store.append(
          ClusterBatch(entries: fixture.entries(1...1)), to: key, by: host, epoch: 1)
      }
      _ = try await store.take(
        JournalKey(name: "kept", id: "empty"), for: host, version: 9, limit: 5)
      #expect(
        try await store.ids(of: "kept", after: nil, limit: 99) == ["", "1", "10", "a", "b"])
      #expect(try await store.ids(of: "kept", after: "1", limit: 2) == ["10", "a"])
      #expect(try await store.ids(of: "kept", after: "b", limit: 2) == [])
      #expect(try await store.ids(of: "nobody", after: nil, limit: 2) == [])
      try await store.delete(
        .entries, of: JournalKey(name: "kept", id: "1"), through: 1, by: host, epoch: 1)
      #expect(try await store.ids(of: "kept", after: "", limit: 1) == ["1"])
    }
  }

  @Test(arguments: StoreKind.here)
  func `accepts entries of the owner alone, and without a gap`(_ kind: StoreKind) async throws {
    try await withClusterStore(kind) { fixture in
      _ = try await fixture.join(0, lease: .seconds(5))
      _ = try await fixture.join(1)
      #expect(try await fixture.take(0) == .taken(epoch: 1, takings: 1))
      try await fixture.append(1...2, epoch: 1)
      await fenced { try await fixture.append(3...3, epoch: 1, 1) }
      await fenced { try await fixture.append(3...3, epoch: 2) }
      await fenced { try await fixture.append(4...4, epoch: 1) }
      await #expect {
        try await fixture.append(2...3, epoch: 1)
      } throws: { error in
        if case ClusterError.taken = error { true } else { false }
      }
      #expect(try await fixture.store.extent(of: fixture.key).last == 2)
      guard case .owned(let owner) = try await fixture.take(1) else {
        Issue.record("it was taken from a host whose lease lasts")
        return
      }
      #expect(owner.host == fixture.hosts[0])
      #expect(try await fixture.store.owner(of: fixture.key) == owner)
      try await fixture.wait(.seconds(6))
      #expect(try await fixture.store.owner(of: fixture.key) == nil)
      #expect(try await fixture.take(1) == .taken(epoch: 2, takings: 2))
      await fenced { try await fixture.append(3...3, epoch: 1) }
      #expect(
        try await fixture.store.isOwner(fixture.hosts[0].id, of: fixture.key, epoch: 1) == false)
      #expect(try await fixture.store.isOwner(fixture.hosts[1].id, of: fixture.key, epoch: 2))
      // A host whose lease is over takes nothing.
      #expect(try await fixture.take(0) == .hostExpired)
    }
  }

  @Test(arguments: StoreKind.here)
  func `is released to the next owner at once`(_ kind: StoreKind) async throws {
    try await withClusterStore(kind) { fixture in
      for host in 0..<2 { _ = try await fixture.join(host) }
      #expect(try await fixture.take(0) == .taken(epoch: 1, takings: 1))
      try await fixture.store.release(fixture.key, by: fixture.hosts[0].id, epoch: 1)
      #expect(try await fixture.take(1) == .taken(epoch: 2, takings: 1))
      // Too late: the host is no longer the owner.
      try await fixture.store.release(fixture.key, by: fixture.hosts[0].id, epoch: 1)
      #expect(try await fixture.store.owner(of: fixture.key)?.host == fixture.hosts[1])
    }
  }

  @Test(arguments: StoreKind.here)
  func `counts owners that took it and never recovered`(_ kind: StoreKind) async throws {
    try await withClusterStore(kind) { fixture in
      for host in 0..<3 {
        _ = try await fixture.join(host)
        if host < 2 {
          #expect(
            try await fixture.take(host, limit: 2) == .taken(epoch: host + 1, takings: host + 1))
          try await fixture.store.leave(fixture.hosts[host].id)
        }
      }
      #expect(try await fixture.take(2, limit: 2) == .poisoned(takings: 2))
      try await fixture.store.clearPoisoned(fixture.key)
      #expect(try await fixture.take(2, limit: 2) == .taken(epoch: 3, takings: 1))
      try await fixture.store.recovered(fixture.key, by: fixture.hosts[2].id, epoch: 3)
      // It is alive, and takes it once more.
      #expect(try await fixture.take(2, limit: 2) == .taken(epoch: 4, takings: 0))
    }
  }

  @Test(arguments: StoreKind.here)
  func `does not count an owner whose process has not crashed`(_ kind: StoreKind)
    async throws
  {
    try await withClusterStore(kind) { fixture in
      let hosts = fixture.hosts
      _ = try await fixture.store.join(hosts[0], lease: .seconds(5))
      #expect(try await fixture.take(0, limit: 2) == .taken(epoch: 1, takings: 1))
      try await fixture.wait(.seconds(6))
      // Another host has crashed of it; this one enters again, under another identity.
      _ = try await fixture.join(1)
      #expect(try await fixture.take(1, limit: 2) == .taken(epoch: 2, takings: 2))
      _ = try await fixture.store.join(hosts[2], lease: .seconds(600), after: hosts[0].id)
      #expect(try await fixture.take(2, limit: 2) == .owned(ClusterOwner(host: hosts[1], epoch: 2)))
      try await fixture.store.leave(hosts[0].id)
      _ = try await fixture.store.join(hosts[0], lease: .seconds(600), after: hosts[1].id)
      #expect(try await fixture.take(0, limit: 2) == .taken(epoch: 3, takings: 2))
      // What it has recovered stays its own.
      try await fixture.store.recovered(fixture.key, by: hosts[0].id, epoch: 3)
      try await fixture.store.leave(hosts[1].id)
      _ = try await fixture.store.join(hosts[1], lease: .seconds(600), after: hosts[0].id)
      #expect(try await fixture.store.isOwner(hosts[0].id, of: fixture.key, epoch: 3))
    }
  }

  @Test(arguments: StoreKind.here)
  func `is not taken by a host that cannot read it`(_ kind: StoreKind) async throws {
    try await withClusterStore(kind) { fixture in
      _ = try await fixture.join()
      _ = try await fixture.take()
      try await fixture.append(1...2, epoch: 1, isFirst: true)
      try await fixture.store.release(fixture.key, by: fixture.hosts[0].id, epoch: 1)
      #expect(try await fixture.take(version: 1) == .tooNew(version: 2))
      #expect(try await fixture.take(version: 2) == .taken(epoch: 2, takings: 1))
    }
  }

  @Test(arguments: StoreKind.here)
  func `records commands, and each of them once`(_ kind: StoreKind) async throws {
    try await withClusterStore(kind) { fixture in
      let (one, two) = (UUID(), UUID())
      _ = try await fixture.join()
      _ = try await fixture.take()
      let records = [
        CommandRecord(id: one, sequence: 1),
        CommandRecord(id: two, sequence: 2, answer: Data("2".utf8)),
      ]
      try await fixture.append(1...2, epoch: 1, commands: records)
      #expect(try await fixture.store.command(one, of: fixture.key) == records[0])
      #expect(try await fixture.store.command(two, of: fixture.key) == records[1])
      #expect(try await fixture.store.command(UUID(), of: fixture.key) == nil)
      await #expect {
        try await fixture.append(3...3, epoch: 1, commands: [CommandRecord(id: one, sequence: 3)])
      } throws: { error in
        if case ClusterError.taken = error { true } else { false }
      }
      #expect(try await fixture.store.extent(of: fixture.key).last == 2)
      let host = fixture.hosts[0].id
      try await fixture.store.answer(one, of: fixture.key, with: Data("1".utf8), by: host, epoch: 1)
      #expect(
        try await fixture.store.command(one, of: fixture.key)?.answer == Data("1".utf8))
      await fenced {
        try await fixture.store.answer(
          one, of: fixture.key, with: Data("9".utf8), by: fixture.hosts[1].id, epoch: 1)
      }
    }
  }

  @Test(arguments: StoreKind.here)
  func `keeps snapshots, and what they cover can be deleted`(_ kind: StoreKind) async throws {
    try await withClusterStore(kind) { fixture in
      let host = fixture.hosts[0].id
      _ = try await fixture.join()
      _ = try await fixture.take()
      try await fixture.append(1...5, epoch: 1)
      let snapshots = [2, 4, 4].enumerated().map {
        JournalSnapshot(sequence: $0.element, version: 1, payload: Data("\($0.offset)".utf8))
      }
      for snapshot in snapshots {
        try await fixture.store.save(snapshot, of: fixture.key, by: host, epoch: 1)
      }
      let store = fixture.store
      #expect(try await store.snapshot(of: fixture.key, through: 9) == snapshots[2])
      #expect(try await store.snapshot(of: fixture.key, through: 3) == snapshots[0])
      #expect(try await store.snapshot(of: fixture.key, through: 1) == nil)
      try await store.delete(.entries, of: fixture.key, through: 4, by: host, epoch: 1)
      try await store.delete(.snapshots, of: fixture.key, through: 3, by: host, epoch: 1)
      #expect(try await store.extent(of: fixture.key) == JournalExtent(deleted: 4, last: 5))
      #expect(
        try await store.entries(of: fixture.key, after: 4, limit: 9) == fixture.entries(5...5))
      #expect(try await store.snapshot(of: fixture.key, through: 3) == nil)
      try await store.delete(.entries, of: fixture.key, through: 5, by: host, epoch: 1)
      #expect(try await store.extent(of: fixture.key) == JournalExtent(deleted: 5, last: 5))
      try await fixture.append(6...6, epoch: 1)
      await fenced {
        try await store.delete(
          .entries, of: fixture.key, through: 6, by: fixture.hosts[1].id, epoch: 1)
      }
    }
  }
}
