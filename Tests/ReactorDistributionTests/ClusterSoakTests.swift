import Foundation
import Reactor
import ReactorJournal
import TestLimits
import TestSupport
import Testing

@testable import ReactorDistribution

/// For how many seconds; not at all by default.
private let seconds = TestCounts.soakSeconds

/// Three hosts that are processes, 10,000 lists, clients that never rest, and kills; then a look
/// whether all that was said is so.
///
/// `REACTOR_SOAK=600` runs it for so many seconds; without, it is not run. It prints what happened
/// as the rows of a table.
@Suite(
  .enabled(if: seconds > 0, "`make soak` runs it, `make test-all` for a minute"),
  .serialized, .bounded(minutes: 10))
struct ClusterSoakTests {
  @Test func `with any process killed at any time, acknowledged actions are there once`()
    async throws
  {
    let soak = Soak(
      info: try await PostgresServer.shared.info, schema: PostgresServer.name(),
      time: .seconds(seconds))
    let result = try await soak.run()
    print(result.table)
    #expect(result.problems == [])
    #expect(result.acknowledged > seconds)
    #expect(result.kills >= seconds / 20)
    // Each key was requested until a host answered, and every answer came in time.
    #expect(result.failovers.count == result.kills)
    for time in result.failovers { #expect(time <= FailoverBound.time, "\(result.failovers)") }
  }
}
