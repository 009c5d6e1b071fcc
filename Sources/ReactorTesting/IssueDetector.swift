import Synchronization

#if canImport(Testing)
  import Testing
#endif

/// Detects whether an issue is recorded that fails the test.
///
/// Under Swift Testing, that is any issue in the task and its child tasks, of `#expect` or of a
/// step. Under XCTest, only issues of this library are detected: XCTest has no API to ask for
/// others.
final class IssueDetector: Sendable {
  @TaskLocal private static var current: IssueDetector?

  private let hasIssue = Atomic(false)

  private init() {}

  /// Runs a closure.
  ///
  /// - Returns: Whether an issue was recorded meanwhile.
  static func detect(_ body: () async throws -> Void) async throws -> Bool {
    let detector = IssueDetector()
    #if canImport(Testing)
      if Test.current != nil {
        try await detector.detectAll(body)
        return detector.hasIssue.load(ordering: .acquiring)
      }
    #endif
    try await $current.withValue(detector, operation: body)
    return detector.hasIssue.load(ordering: .acquiring)
  }

  #if canImport(Testing)
    // Swift Testing shows an issue to other code in one place only: the closure that decides
    // whether it is known. Here it always answers that the issue is not known.
    private func detectAll(_ body: () async throws -> Void) async throws {
      var failure: (any Error)?
      await withKnownIssue(isIntermittent: true) {
        do { try await body() } catch { failure = error }
      } matching: { issue in
        #if compiler(>=6.3)
          if !issue.isFailure { return false }
        #endif
        self.hasIssue.store(true, ordering: .releasing)
        return false
      }
      if let failure { throw failure }
    }
  #endif

  /// Reports an issue of this library to a detector that cannot detect it otherwise.
  static func recordIssue() { current?.hasIssue.store(true, ordering: .releasing) }
}
