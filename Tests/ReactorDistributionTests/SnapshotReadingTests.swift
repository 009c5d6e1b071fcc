import Foundation
import Reactor
import ReactorComposition
import ReactorJournal
import ReactorRuntime
import ReactorTesting
import TestLimits
import TestSupport
import Testing

@testable import ReactorDistribution

/// Reading after the entries that a snapshot covers are deleted.
@Suite(.bounded) struct SnapshotReadingTests {
  @Test func `an observer slower than the deletion of entries sees no state that never was`()
    async throws
  {
    try await simulatedWorld { world in
      let one = try await world.start("a", idle: nil) { options in
        options.journal.snapshotAfter = .zero
        options.journal.deletesBeforeSnapshot = true
      }
      let seen = Log<[Int]>()
      #expect(try await one.lists["1"].ask { .append(1, $0) } == 1)
      let watching = PipelineTasks.inheriting {
        do {
          for try await state in one.lists["1"].state {
            seen.append(state)
            if seen.entries.count == 2 { try await world.sleep(.seconds(5)) }
          }
        } catch is CancellationError {
          // As this test ends it.
        } catch { Issue.record("\(error)") }
      }
      while seen.entries.isEmpty { try await world.sleep(.milliseconds(100)) }
      for item in 2...12 {
        #expect(try await one.lists["1"].ask { .append(item, $0) } == item)
        try await world.sleep(.milliseconds(100))
      }
      try await world.sleep(.seconds(10))
      #expect(seen.entries.last == Array(1...12))
      #expect(seen.entries.allSatisfy { $0 == Array(1...$0.count) }, "\(seen.entries)")
      #expect(seen.entries.map(\.count) == seen.entries.map(\.count).sorted())
      // It was too slow indeed: some of what was deleted it has not seen.
      #expect(seen.entries.count < 12, "\(seen.entries)")
      watching.cancel()
      await watching.value
    }
  }
}
