package import Testing

/// A time limit for each test of a suite, which says what a test that runs into it waits for.
///
/// The limit of Swift Testing ends such a test only where everything in it ends when it is
/// cancelled; otherwise it waits for ever. This one prints the functions that the test would return
/// to, cancels its task, and ends the process if that does not help.
///
/// `REACTOR_PATIENCE=5` multiplies the limits, for the thread sanitizer.
package struct TimeBound: SuiteTrait, TestTrait, TestScoping {
  let limit: Duration

  package var isRecursive: Bool { true }

  package func provideScope(
    for test: Test, testCase: Test.Case?,
    performing function: @concurrent @Sendable () async throws -> Void
  ) async throws {
    let limits = test.traits.compactMap { ($0 as? TimeBound)?.limit }
    // The scope of the longest limit counts; those outside and inside it do nothing.
    guard testCase != nil, limit == limits.max(), !Self.isInside else {
      return try await function()
    }
    let place = test.sourceLocation
    let name = "\(place.fileID):\(place.line) › \(test.displayName ?? test.name)"
    // In a task of its own: Swift Testing takes it for a misuse when a test's task is cancelled.
    let hasStalled = try await withoutActuallyEscaping(function) { function in
      try await Self.$isInside.withValue(true) {
        try await withThrowingTaskGroup(of: Bool.self) { group in
          group.addTask { try await run(name, function) }
          return try await group.next() ?? false
        }
      }
    }
    if hasStalled { Issue.record("ran for more than \(limit); the log says what it waited for") }
  }

  /// Runs a test while the monitor watches it.
  ///
  /// - Returns: Whether it has run into its limit; what it throws then came of being cancelled.
  private func run(
    _ name: String, _ function: @Sendable () async throws -> Void
  ) async throws -> Bool {
    let id = withUnsafeCurrentTask { StallMonitor.shared.begin(name, task: $0, limit: limit) }
    do { try await function() } catch {
      if StallMonitor.shared.end(id) { return true }
      throw error
    }
    return StallMonitor.shared.end(id)
  }

  @TaskLocal private static var isInside = false
}

extension Trait where Self == TimeBound {
  /// Two minutes for each test: enough for every test but those in a list in `scripts/check-tests`.
  package static var bounded: TimeBound { TimeBound(limit: .seconds(120)) }

  /// A longer limit, for the tests that are in the list in `scripts/check-tests`.
  package static func bounded(minutes: Int) -> TimeBound {
    TimeBound(limit: .seconds(60 * minutes))
  }
}
