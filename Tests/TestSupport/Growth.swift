import TestLimits

/// How much processor time something costs, the more there is of it.
///
/// Of several tries the cheapest counts: an interrupted thread finds its cache empty.
package enum Growth {
  /// Eight times as many cost at most so many times as much.
  ///
  /// In proportion it is 8, to the square 64.
  package static let most = 24.0
  /// An action late in a life costs at most so many times as much as an early one.
  package static let mostLate = 2.0

  /// How many times as much eight times as many cost.
  ///
  /// - Parameters:
  ///   - count: How many the smaller number is.
  ///   - isScaled: Whether the numbers are smaller with fewer ``TestCounts/steps`` than 10,000.
  ///     What is cheap keeps them: few are as quick to the square as in proportion.
  ///   - body: Does it with so many.
  /// - Returns: The ratio.
  /// - Throws: What the body throws.
  package static func of(
    _ count: Int, isScaled: Bool = true, _ body: @escaping @Sendable (Int) async throws -> Void
  ) async throws -> Double {
    try await CountedThread.run { try await ratio(count, isScaled: isScaled, body) }
  }

  /// As ``of(_:isScaled:_:)``, where everything runs on the current thread already.
  package static func ratio(
    _ count: Int, isScaled: Bool = true, _ body: @Sendable (Int) async throws -> Void
  ) async throws -> Double {
    let count = isScaled ? max(20, count * min(TestCounts.steps, 10_000) / 10_000) : count
    // The first time, types are looked up and memory is mapped.
    try await body(count)
    var (few, many) = (Duration.seconds(1_000), Duration.seconds(1_000))
    for _ in 1...10 {
      for _ in 1...3 { few = min(few, try await cost { try await body(count) }) }
      many = min(many, try await cost { try await body(8 * count) })
      if many / few < most / 2 { break }
    }
    return many / few
  }

  /// How many times as much a step costs after many others as one of the first.
  ///
  /// - Parameters:
  ///   - steps: How many others.
  ///   - round: How many are measured together.
  ///   - make: Makes what lives long.
  ///   - step: One step in its life, the number of which it is given.
  /// - Returns: The ratio.
  /// - Throws: What one of both throws.
  package static func ofLateSteps<Subject: Sendable>(
    _ steps: Int = TestCounts.steps, each round: Int = 200,
    _ make: @escaping @Sendable () async throws -> Subject,
    _ step: @escaping @Sendable (Subject, Int) async throws -> Void
  ) async throws -> Double {
    try await CountedThread.run {
      var least = Double.infinity
      for _ in 1...3 where least > mostLate / 1.5 {
        least = min(least, try await ratioOfLateSteps(make(), steps, each: round, step))
      }
      return least
    }
  }

  /// As ``ofLateSteps(_:each:_:_:)``, for one subject, if everything runs on the current thread.
  package static func ratioOfLateSteps<Subject: Sendable>(
    _ subject: Subject, _ steps: Int = TestCounts.steps, each size: Int = 200,
    _ step: @Sendable (Subject, Int) async throws -> Void
  ) async throws -> Double {
    let rounds = steps / size
    var (early, late) = (Duration.seconds(1_000), Duration.seconds(1_000))
    for round in 0..<rounds + 30 {
      let cost = try await cost {
        for number in 0..<size { try await step(subject, size * round + number) }
      }
      if (1..<6).contains(round) { early = min(early, cost) }
      if round >= rounds { late = min(late, cost) }
      // What grows is not cheaper later on: further rounds help only where others interrupted.
      if round >= rounds + 5, late / early < mostLate / 1.5 { break }
    }
    return late / early
  }

  private static func cost(_ body: () async throws -> Void) async throws -> Duration {
    let start = CountedThread.time
    try await body()
    return CountedThread.time - start
  }
}
