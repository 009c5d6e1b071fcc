import Foundation
import Testing
import TestLimits

@testable import ReactorDistribution

/// Where reactors belong.
@Suite(.bounded) struct PlacementTests {
  private let ids = (0..<10_000).map { "\($0)" }

  private func hosts(_ count: Int) -> [ClusterHost] {
    (0..<count).map { number in
      var bytes = UUID().uuid
      bytes.0 = UInt8(number)
      return ClusterHost(id: HostID(UUID(uuid: bytes)), address: "http://host-\(number)")
    }
  }

  private func places(_ hosts: [ClusterHost]) -> [String: ClusterHost] {
    Dictionary(
      uniqueKeysWithValues: ids.compactMap { id in
        Placement.host(for: "cart", id, among: hosts).map { (id, $0) }
      })
  }

  @Test func `gives each of three hosts its share, within a tenth`() {
    let counts = Dictionary(grouping: places(hosts(3)).values) { $0.id }.mapValues(\.count)
    #expect(counts.count == 3)
    for count in counts.values { #expect(abs(count - 3_333) <= 333, "\(counts)") }
  }

  @Test func `moves a third at most, and only to the host that joins`() {
    let all = hosts(3)
    let (before, after) = (places(Array(all.prefix(2))), places(all))
    let moved = ids.filter { before[$0] != after[$0] }
    #expect(moved.count <= 3_333 + 500)
    #expect(moved.allSatisfy { after[$0] == all[2] })
  }

  @Test func `is the same in any order of the hosts`() {
    let all = hosts(5)
    #expect(places(all) == places(all.reversed()))
  }

  @Test func `returns no host among none`() {
    #expect(Placement.host(for: "cart", "1", among: []) == nil)
  }
}
