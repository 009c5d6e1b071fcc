import Foundation
import Reactor
import ReactorJournal
import ReactorRuntime
import ReactorTesting
import TestLimits
import TestSupport
import Testing

@testable import ReactorDistribution

/// What reactors cost that do nothing: rows, and no statements.
@Suite(.bounded) struct IdleTests {
  /// How many statements the hosts ask in a minute.
  private func statements(
    lists: Int, foreign: Int = 0, in world: SimulatedWorld
  ) async throws -> Int {
    world.database.seed { contents in
      for number in 0..<foreign {
        contents.owners[JournalKey(name: "list", id: "unowned \(number)")] = .init(epoch: 1)
      }
    }
    let one = try await world.start("a", idle: nil) { $0.journal.snapshotAfter = nil }
    for number in 0..<lists {
      #expect(try await one.lists["\(number)"].ask { .append(1, $0) } == 1)
    }
    #expect(one.lists.idsHere.count == lists)
    // Whatever comes after an answer has been done by then.
    try await world.sleep(.seconds(10))
    let before = world.database.statements.withLock { $0 }
    try await world.sleep(.seconds(60))
    return world.database.statements.withLock { $0 } - before
  }

  @Test func `a host renews its lease by one statement, however many reactors it has`()
    async throws
  {
    let counts = Log<Int>()
    for lists in [1, 300] {
      try await simulatedWorld(seeds: 0..<1) { world in
        counts.append(try await statements(lists: lists, in: world))
      }
    }
    // Each third of five seconds, and no other.
    for count in counts.entries { #expect((35...37).contains(count), "\(counts.entries)") }
  }

  @Test func `reactors without an owner cost no statements, however many they are`() async throws {
    try await simulatedWorld(seeds: 0..<1) { world in
      let count = try await statements(lists: 1, foreign: 1_000_000, in: world)
      #expect((35...37).contains(count), "\(count)")
    }
  }
}
