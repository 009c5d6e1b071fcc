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
    try await storeBench(kind) { bench in
      #expect(try await bench.enter(0, lease: .seconds(5)).hosts == [bench.hosts[0]])
      #expect(try await Set(bench.enter(1).hosts) == Set(bench.hosts.prefix(2)))
      let renewed = try await bench.store.renew(bench.hosts[0].id, lease: .seconds(5))
      #expect(renewed.map { Set($0.hosts) } == Set(bench.hosts.prefix(2)))
      try await bench.wait(.seconds(6))
      #expect(try await bench.store.renew(bench.hosts[0].id, lease: .seconds(5)) == nil)
      let left = try await bench.store.renew(bench.hosts[1].id, lease: .seconds(600))
      #expect(left?.hosts == [bench.hosts[1]])
      try await bench.store.depart(bench.hosts[1].id)
      #expect(
        try await bench.store.renew(bench.hosts[1].id, lease: .seconds(600))?.hosts == [])
    }
  }

  @Test(arguments: StoreKind.here)
  func `returns entries as they were`(_ kind: StoreKind) async throws {
    try await storeBench(kind) { bench in
      _ = try await bench.enter()
      #expect(try await bench.take() == .taken(epoch: 1, takings: 1))
      try await bench.append(1...6, epoch: 1, isFirst: true)
      try await bench.append(7...7, epoch: 1)
      let store = bench.store
      #expect(
        try await store.entries(of: bench.key, after: 0, limit: 99) == bench.entries(1...7))
      #expect(try await store.entries(of: bench.key, after: 2, limit: 2) == bench.entries(3...4))
      #expect(try await store.entries(of: bench.key, after: 7, limit: 2) == [])
      #expect(try await store.extent(of: bench.key) == JournalExtent(deleted: 0, last: 7))
      #expect(try await store.epoch(of: bench.key, at: 7) == 1)
      #expect(try await store.epoch(of: bench.key, at: 8) == nil)
    }
  }

  @Test(arguments: StoreKind.here)
  func `lists the identifiers of what is kept, page by page`(
    _ kind: StoreKind
  ) async throws {
    try await storeBench(kind) { bench in
      let (store, host) = (bench.store, bench.hosts[0].id)
      _ = try await bench.enter()
      for id in ["b", "a", "", "10", "1"] {
        let key = JournalKey(name: "kept", id: id)
        _ = try await store.take(key, for: host, version: 9, limit: 5)
        try await store.append(
          ClusterBatch(entries: bench.entries(1...1)), to: key, by: host, epoch: 1)
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
    try await storeBench(kind) { bench in
      _ = try await bench.enter(0, lease: .seconds(5))
      _ = try await bench.enter(1)
      #expect(try await bench.take(0) == .taken(epoch: 1, takings: 1))
      try await bench.append(1...2, epoch: 1)
      await fenced { try await bench.append(3...3, epoch: 1, 1) }
      await fenced { try await bench.append(3...3, epoch: 2) }
      await fenced { try await bench.append(4...4, epoch: 1) }
      await #expect {
        try await bench.append(2...3, epoch: 1)
      } throws: { error in
        if case ClusterError.taken = error { true } else { false }
      }
      #expect(try await bench.store.extent(of: bench.key).last == 2)
      guard case .owned(let owner) = try await bench.take(1) else {
        Issue.record("it was taken from a host whose lease lasts")
        return
      }
      #expect(owner.host == bench.hosts[0])
      #expect(try await bench.store.owner(of: bench.key) == owner)
      try await bench.wait(.seconds(6))
      #expect(try await bench.store.owner(of: bench.key) == nil)
      #expect(try await bench.take(1) == .taken(epoch: 2, takings: 2))
      await fenced { try await bench.append(3...3, epoch: 1) }
      #expect(
        try await bench.store.isOwner(bench.hosts[0].id, of: bench.key, epoch: 1) == false)
      #expect(try await bench.store.isOwner(bench.hosts[1].id, of: bench.key, epoch: 2))
      // A host whose lease is over takes nothing.
      #expect(try await bench.take(0) == .hostIsOver)
    }
  }

  @Test(arguments: StoreKind.here)
  func `is released to the next owner at once`(_ kind: StoreKind) async throws {
    try await storeBench(kind) { bench in
      for host in 0..<2 { _ = try await bench.enter(host) }
      #expect(try await bench.take(0) == .taken(epoch: 1, takings: 1))
      try await bench.store.release(bench.key, by: bench.hosts[0].id, epoch: 1)
      #expect(try await bench.take(1) == .taken(epoch: 2, takings: 1))
      // Too late: the host is no longer the owner.
      try await bench.store.release(bench.key, by: bench.hosts[0].id, epoch: 1)
      #expect(try await bench.store.owner(of: bench.key)?.host == bench.hosts[1])
    }
  }

  @Test(arguments: StoreKind.here)
  func `counts owners that took it and never recovered`(_ kind: StoreKind) async throws {
    try await storeBench(kind) { bench in
      for host in 0..<3 {
        _ = try await bench.enter(host)
        if host < 2 {
          #expect(
            try await bench.take(host, limit: 2) == .taken(epoch: host + 1, takings: host + 1))
          try await bench.store.leave(bench.hosts[host].id)
        }
      }
      #expect(try await bench.take(2, limit: 2) == .poisoned(takings: 2))
      try await bench.store.pardon(bench.key)
      #expect(try await bench.take(2, limit: 2) == .taken(epoch: 3, takings: 1))
      try await bench.store.recovered(bench.key, by: bench.hosts[2].id, epoch: 3)
      // It is alive, and takes it once more.
      #expect(try await bench.take(2, limit: 2) == .taken(epoch: 4, takings: 0))
    }
  }

  @Test(arguments: StoreKind.here)
  func `does not count an owner whose process has not crashed`(_ kind: StoreKind)
    async throws
  {
    try await storeBench(kind) { bench in
      let hosts = bench.hosts
      _ = try await bench.store.enter(hosts[0], lease: .seconds(5))
      #expect(try await bench.take(0, limit: 2) == .taken(epoch: 1, takings: 1))
      try await bench.wait(.seconds(6))
      // Another host has crashed of it; this one enters again, under another identity.
      _ = try await bench.enter(1)
      #expect(try await bench.take(1, limit: 2) == .taken(epoch: 2, takings: 2))
      _ = try await bench.store.enter(hosts[2], lease: .seconds(600), after: hosts[0].id)
      #expect(try await bench.take(2, limit: 2) == .owned(ClusterOwner(host: hosts[1], epoch: 2)))
      try await bench.store.leave(hosts[0].id)
      _ = try await bench.store.enter(hosts[0], lease: .seconds(600), after: hosts[1].id)
      #expect(try await bench.take(0, limit: 2) == .taken(epoch: 3, takings: 2))
      // What it has recovered stays its own.
      try await bench.store.recovered(bench.key, by: hosts[0].id, epoch: 3)
      try await bench.store.leave(hosts[1].id)
      _ = try await bench.store.enter(hosts[1], lease: .seconds(600), after: hosts[0].id)
      #expect(try await bench.store.isOwner(hosts[0].id, of: bench.key, epoch: 3))
    }
  }

  @Test(arguments: StoreKind.here)
  func `is not taken by a host that cannot read it`(_ kind: StoreKind) async throws {
    try await storeBench(kind) { bench in
      _ = try await bench.enter()
      _ = try await bench.take()
      try await bench.append(1...2, epoch: 1, isFirst: true)
      try await bench.store.release(bench.key, by: bench.hosts[0].id, epoch: 1)
      #expect(try await bench.take(version: 1) == .tooNew(version: 2))
      #expect(try await bench.take(version: 2) == .taken(epoch: 2, takings: 1))
    }
  }

  @Test(arguments: StoreKind.here)
  func `records commands, and each of them once`(_ kind: StoreKind) async throws {
    try await storeBench(kind) { bench in
      let (one, two) = (UUID(), UUID())
      _ = try await bench.enter()
      _ = try await bench.take()
      let records = [
        CommandRecord(id: one, sequence: 1),
        CommandRecord(id: two, sequence: 2, answer: Data("2".utf8)),
      ]
      try await bench.append(1...2, epoch: 1, commands: records)
      #expect(try await bench.store.command(one, of: bench.key) == records[0])
      #expect(try await bench.store.command(two, of: bench.key) == records[1])
      #expect(try await bench.store.command(UUID(), of: bench.key) == nil)
      await #expect {
        try await bench.append(3...3, epoch: 1, commands: [CommandRecord(id: one, sequence: 3)])
      } throws: { error in
        if case ClusterError.taken = error { true } else { false }
      }
      #expect(try await bench.store.extent(of: bench.key).last == 2)
      let host = bench.hosts[0].id
      try await bench.store.answer(one, of: bench.key, with: Data("1".utf8), by: host, epoch: 1)
      #expect(
        try await bench.store.command(one, of: bench.key)?.answer == Data("1".utf8))
      await fenced {
        try await bench.store.answer(
          one, of: bench.key, with: Data("9".utf8), by: bench.hosts[1].id, epoch: 1)
      }
    }
  }

  @Test(arguments: StoreKind.here)
  func `keeps snapshots, and what they cover can be deleted`(_ kind: StoreKind) async throws {
    try await storeBench(kind) { bench in
      let host = bench.hosts[0].id
      _ = try await bench.enter()
      _ = try await bench.take()
      try await bench.append(1...5, epoch: 1)
      let snapshots = [2, 4, 4].enumerated().map {
        JournalSnapshot(sequence: $0.element, version: 1, payload: Data("\($0.offset)".utf8))
      }
      for snapshot in snapshots {
        try await bench.store.save(snapshot, of: bench.key, by: host, epoch: 1)
      }
      let store = bench.store
      #expect(try await store.snapshot(of: bench.key, through: 9) == snapshots[2])
      #expect(try await store.snapshot(of: bench.key, through: 3) == snapshots[0])
      #expect(try await store.snapshot(of: bench.key, through: 1) == nil)
      try await store.delete(.entries, of: bench.key, through: 4, by: host, epoch: 1)
      try await store.delete(.snapshots, of: bench.key, through: 3, by: host, epoch: 1)
      #expect(try await store.extent(of: bench.key) == JournalExtent(deleted: 4, last: 5))
      #expect(try await store.entries(of: bench.key, after: 4, limit: 9) == bench.entries(5...5))
      #expect(try await store.snapshot(of: bench.key, through: 3) == nil)
      try await store.delete(.entries, of: bench.key, through: 5, by: host, epoch: 1)
      #expect(try await store.extent(of: bench.key) == JournalExtent(deleted: 5, last: 5))
      try await bench.append(6...6, epoch: 1)
      await fenced {
        try await store.delete(
          .entries, of: bench.key, through: 6, by: bench.hosts[1].id, epoch: 1)
      }
    }
  }
}
