import Synchronization
import Testing

/// Runs something, and returns what the issues that it records say, none of which fails the test.
func issueTexts(of body: @escaping @Sendable () async throws -> Void) async -> [String] {
  let texts = Mutex<[String]>([])
  try? await withKnownIssue(isIntermittent: true) {
    try await body()
  } matching: { issue in
    let text = issue.error.map { "\($0)" } ?? issue.comments.map(\.rawValue).joined()
    texts.withLock { $0.append(text) }
    return true
  }
  return texts.withLock { $0 }
}
