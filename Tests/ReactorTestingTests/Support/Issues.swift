import IssueReporting
import Synchronization
import Testing

/// An issue that was recorded: what it says, and where.
struct RecordedIssue: Equatable {
  let text: String
  let line: Int?
}

/// Runs something, and returns the issues that it records, none of which fails the test.
///
/// An error that is thrown is the last of them.
func issues(
  of body: @escaping @Sendable () async throws -> Void
) async -> [RecordedIssue] {
  let issues = Mutex<[RecordedIssue]>([])
  // What is thrown is one of them, and not thrown here.
  try? await withKnownIssue(isIntermittent: true) {
    try await body()
  } matching: { issue in
    let text = issue.error.map { "\($0)" } ?? issue.comments.map(\.rawValue).joined()
    issues.withLock { $0.append(RecordedIssue(text: text, line: issue.sourceLocation?.line)) }
    return true
  }
  return issues.withLock { $0 }
}

/// Runs something, and returns what the issues that it records say, with `#n` for each reactor's
/// number.
func texts(of body: @escaping @Sendable () async throws -> Void) async -> [String] {
  await issues(of: body).map { $0.text.replacing(/#[0-9]+/, with: "#n") }
}

/// Runs something, and returns what the kit reports meanwhile, whether it is to fail the test or
/// not.
func reports(of body: @escaping @Sendable () async throws -> Void) async rethrows -> [String] {
  let reporter = CollectingReporter()
  try await withIssueReporters([reporter]) { try await body() }
  return reporter.texts.withLock { $0 }
}

private final class CollectingReporter: IssueReporter {
  let texts = Mutex<[String]>([])

  func reportIssue(
    _ message: @autoclosure () -> String?, severity: IssueSeverity, fileID: StaticString,
    filePath: StaticString, line: UInt, column: UInt
  ) {
    let text = message() ?? ""
    texts.withLock { $0.append(text) }
  }
}
