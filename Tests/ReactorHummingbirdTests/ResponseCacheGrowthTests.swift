import Reactor
import TestLimits
import TestSupport
import Testing

@testable import ReactorHummingbird

/// Answers that are kept for keys of requests cost in proportion to their number.
@Suite(.bounded) struct ResponseCacheGrowthTests {
  @Test(arguments: [16, Int.max])
  func `answers that are stored, and sent again`(limit: Int) async throws {
    let growth = try await Growth.of(100) { count in
      let cache = ResponseCache(ActionOptions(responseLimit: limit, clock: ManualClock()))
      let stored = StoredResponse(result: .success(try ActionResponse(1)), isFinal: true)
      for number in 0..<count {
        let key = ResponseCache.Key(scope: "", key: "\(number)")
        for _ in 1...2 { _ = try await cache.response(to: key, 1, within: nil) { stored } }
      }
      #expect(cache.count <= min(count, limit))
    }
    #expect(growth < Growth.most)
  }
}
