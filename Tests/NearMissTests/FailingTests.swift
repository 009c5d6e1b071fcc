#if DEBUG && os(Linux)
  import Reactor
  import ReactorTesting
  import Synchronization
  import TestLimits
  import Testing

  /// Whatever makes or drives a reactor in a test fails that for a near miss, where it stands.
  @Suite(.bounded) struct FailingTests {
    /// An issue that was recorded: what it says, and where.
    private struct RecordedIssue {
      let text: String
      let line: Int?
    }

    private static let tested = "Tested: 'lane(_:)' is not the lane(for:) of Reactor"

    @Test func `a test of a reactor with a near miss fails, with the line to write`() async {
      let line = #line + 3
      let issues = await issues {
        try await simulate { simulation in
          let test = await ReactorTest(Unlabelled(), in: simulation)
          await test.send(1) { $0 = 1 }
          await test.finish()
        }
      }
      #expect(issues.map(\.line) == [line])
      #expect(
        issues.map(\.text) == [
          "Unlabelled: 'lane(_:)' is not the lane(for:) of Reactor, and nothing calls it; "
            + "name LanedReactor and write 'func lane(for action: Action) -> Lane?', "
            + "or give it another name"
        ])
    }

    @Test func `each test of it fails`() async {
      for _ in 1...2 {
        await fails {
          try await simulate { simulation in
            let test = await ReactorTest(Tested(), in: simulation)
            await test.finish()
          }
        }
      }
    }

    @Test func `a spec of it fails`() async {
      await fails { await spec(Tested(), given: 0, when: 1, then: 1) }
      await fails { await spec(Tested(), given: 0, when: 1) { $0 = 1 } }
    }

    private func fails(
      sourceLocation: SourceLocation = #_sourceLocation,
      _ body: @escaping @Sendable () async throws -> Void
    ) async {
      let texts = await issues(of: body).map(\.text)
      #expect(texts.count == 1, sourceLocation: sourceLocation)
      #expect(texts.allSatisfy { $0.hasPrefix(Self.tested) }, sourceLocation: sourceLocation)
    }

    /// Runs something, and returns the issues that it records, none of which fails the test.
    private func issues(
      of body: @escaping @Sendable () async throws -> Void
    ) async -> [RecordedIssue] {
      let issues = Mutex<[RecordedIssue]>([])
      try? await withKnownIssue(isIntermittent: true) {
        try await body()
      } matching: { issue in
        let text = issue.error.map { "\($0)" } ?? issue.comments.map(\.rawValue).joined()
        issues.withLock { $0.append(RecordedIssue(text: text, line: issue.sourceLocation?.line)) }
        return true
      }
      return issues.withLock { $0 }
    }
  }
#endif
