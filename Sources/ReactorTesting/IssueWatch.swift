import Synchronization

#if canImport(Testing)
  import Testing
#endif

/// Sees whether an issue is recorded that fails the test.
///
/// Under Swift Testing, that is any issue in the task and its children: of `#expect`, of a step.
/// Elsewhere it is one of the kit's own: XCTest has no way to ask.
final class IssueWatch: Sendable {
  @TaskLocal private static var current: IssueWatch?

  private let hasSeen = Atomic(false)

  private init() {}

  /// Runs something.
  ///
  /// - Returns: Whether an issue was recorded meanwhile.
  static func watch(_ body: () async throws -> Void) async throws -> Bool {
    let watch = IssueWatch()
    #if canImport(Testing)
      if Test.current != nil {
        try await watch.watchAll(body)
        return watch.hasSeen.load(ordering: .acquiring)
      }
    #endif
    try await $current.withValue(watch, operation: body)
    return watch.hasSeen.load(ordering: .acquiring)
  }

  #if canImport(Testing)
    // Swift Testing shows an issue in one place: where it asks whether it is known. None is, here.
    private func watchAll(_ body: () async throws -> Void) async throws {
      var failure: (any Error)?
      await withKnownIssue(isIntermittent: true) {
        do { try await body() } catch { failure = error }
      } matching: { issue in
        #if compiler(>=6.3)
          if !issue.isFailure { return false }
        #endif
        self.hasSeen.store(true, ordering: .releasing)
        return false
      }
      if let failure { throw failure }
    }
  #endif

  /// A watcher that cannot see it otherwise is told of an issue of the kit's.
  static func tell() { current?.hasSeen.store(true, ordering: .releasing) }
}
