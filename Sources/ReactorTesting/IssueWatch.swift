import Synchronization

#if canImport(Testing)
  import Testing
#endif

/// Detects whether an issue is recorded that fails the test.
///
/// Under Swift Testing, that is any issue in the task and its child tasks, of `#expect` or of a
/// step. Under XCTest, only issues of this library are detected: XCTest has no API to ask for
/// others.
final class IssueWatch: Sendable {
  @TaskLocal private static var current: IssueWatch?

  private let hasSeen = Atomic(false)

  private init() {}

  /// Runs a closure.
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
    // Swift Testing shows an issue to other code in one place only: the closure that decides
    // whether it is known. Here it always answers that the issue is not known.
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

  /// Reports an issue of this library to a watch that cannot detect it otherwise.
  static func recordIssue() { current?.hasSeen.store(true, ordering: .releasing) }
}
