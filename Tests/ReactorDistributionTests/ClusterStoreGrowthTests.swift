import Foundation
import ReactorJournal
import TestLimits
import TestSupport
import Testing

@testable import ReactorDistribution

/// What a store in memory looks for costs in proportion to how often it does.
@Suite(.bounded) struct ClusterStoreGrowthTests {
  private static let key = JournalKey(name: "sum", id: "1")

  @Test func `ids of journals, page by page`() async throws {
    let growth = try await Growth.of(4_000) { count in
      var contents = ClusterStoreContents()
      for number in 0..<count { try contents.add(1, to: JournalKey(name: "sum", id: "\(number)")) }
      var seen: [String] = []
      while true {
        let page = contents.ids(of: "sum", after: seen.last, limit: 20)
        if page.isEmpty { break }
        seen += page
      }
      #expect(seen.count == count)
    }
    #expect(growth < Growth.most)
  }

  @Test func `epochs of entries`() async throws {
    let growth = try await Growth.of(2_000) { count in
      var contents = ClusterStoreContents()
      for sequence in 1...count { try contents.add(sequence, to: Self.key) }
      let found = (1...count).filter { contents.epoch(of: Self.key, at: $0) == 1 }
      #expect(found.count == count)
    }
    #expect(growth < Growth.most)
  }

  @Test func `snapshots that are stored, and looked up`() async throws {
    let growth = try await Growth.of(2_000) { count in
      var contents = ClusterStoreContents()
      for sequence in 1...count {
        let snapshot = JournalSnapshot(sequence: sequence, version: 1, payload: Data())
        contents.save(snapshot, of: Self.key)
        _ = contents.snapshot(of: Self.key, through: sequence - 1)
      }
      #expect(contents.snapshot(of: Self.key, through: count)?.sequence == count)
    }
    #expect(growth < Growth.most)
  }
}

extension ClusterStoreContents {
  /// Writes an entry, under the first epoch.
  fileprivate mutating func add(_ sequence: Int, to key: JournalKey) throws {
    let entry = JournalEntry(sequence: sequence, version: 1, payload: Data(), time: Date())
    try write(ClusterBatch(entries: [entry]), to: key, epoch: 1, now: .zero)
  }
}
