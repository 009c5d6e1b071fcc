#if DEBUG && os(Linux)
  import Reactor
  import ReactorJournalTesting
  import ReactorTesting
  import Synchronization
  import ProgramTesting
  import TestLimits
  import Testing

  /// Each way to create or drive a reactor in a test fails the test for a near miss, at its line.
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

    @Test func `a recorder of it fails the test`() async {
      await fails {
        let reactor = Tested()
        let recorder = await Recorder(reactor)
        reactor.send(1)
        #expect(await recorder.next(\.state) == [1])
      }
    }

    @Test func `a stub of it fails the test`() async {
      await fails {
        let stub = try await ReactorStub(Tested())
        stub.reactor.send(1)
        #expect(await stub.actions(upTo: 1) == [1])
      }
    }

    @Test func `marbles of it fail`() async {
      await fails {
        try await simulate { simulation in
          await marbles(
            Tested(), in: simulation, actions: "-a|", ["a": 1], states: "01|",
            ["0": 0, "1": 1])
        }
      }
    }

    @Test func `a simulation in which it is sent an action fails, at its line`() async {
      let line = #line + 2
      let issues = await issues {
        try await simulate { _ in await Tested().send(1).settled }
      }
      #expect(issues.map(\.line) == [line])
      #expect(issues.allSatisfy { $0.text.hasPrefix(Self.tested) })
    }

    @Test func `so does one that only reads its state, and one in which an effect creates it`()
      async
    {
      await fails { try await simulate { _ in #expect(await Tested().currentState == 0) } }
      await fails { try await simulate { _ in await Maker().send(1).settled } }
    }

    @Test func `a simulation reports it once for each type`() async {
      let issues = await issues {
        try await simulate { simulation in
          for number in 1...3 {
            await Tested().send(number).settled
            await Unlabelled().send(number).settled
          }
          let test = await ReactorTest(Tested(), in: simulation)
          _ = await Recorder(test.reactor)
          await test.finish()
        }
      }
      #expect(issues.count == 2)
      #expect(issues.first?.text.hasPrefix(Self.tested) == true)
      #expect(issues.last?.text.hasPrefix("Unlabelled: 'lane(_:)'") == true)
    }

    @Test func `a run of many orders ends with the first, at the line of the call`() async {
      let line = #line + 2
      let issues = await issues {
        try await simulate(seeds: 0..<3) { _ in await Tested().send(1).settled }
      }
      #expect(issues.first?.line == line)
      #expect(issues.count == 2)
      #expect(issues.last?.text.contains("seed 0 fails") == true)
    }

    @Test func `without a near miss, nothing fails`() async throws {
      try await simulate { _ in
        await Helpers().send(1).settled
        await Complete().send(1).settled
        await Same().send(1).settled
      }
    }

    @Test func `a golden journal of it fails`() async throws {
      let folder = try ScratchDirectory()
      let issues = await issues {
        assertGoldenJournal(
          of: UnlabelledJournaled.self, mutations: [1], states: [1], in: folder.path)
      }
      #expect(issues.first?.text.hasPrefix("UnlabelledJournaled: 'lane(_:)' is not the") == true)
      // The other one: there were no files.
      #expect(issues.count == 2)
    }

    @Test func `so does a replay of it`() async {
      let issues = await issues { await assertReplayable(UnlabelledJournaled.self, [1]) }
      #expect(issues.first?.text.hasPrefix("UnlabelledJournaled: 'lane(_:)' is not the") == true)
      #expect(issues.count == 1)
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
