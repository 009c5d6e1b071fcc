// On Apple platforms, XCTest's tests are no program but a bundle.
#if os(Linux)
  import TestLimits
  import Foundation
  import ProgramTesting
  import Testing

  /// What the kit says under XCTest: each of the cases of `UnderXCTest` in a process of its own.
  @Suite(.bounded) struct XCTestTests {
    private func run(_ name: String) async throws -> PipedRun {
      try await PipedRun.of(
        "ReactorPackageTests.xctest", arguments: ["ReactorTestingTests.UnderXCTest/\(name)"],
        environment: ["REACTOR_PROVOKES_FAILURES": "1"], input: [])
    }

    /// What failed, without the line.
    private func failures(_ run: PipedRun) -> [String] {
      run.output.components(separatedBy: ": error: UnderXCTest.").dropFirst().map { part in
        // What follows is the next one's path, or the end of the case.
        let text = part.components(separatedBy: "\nTest Case ")[0].components(separatedBy: "\n/")[0]
        return text.components(separatedBy: " : ").dropFirst().joined(separator: " : ")
      }
    }

    @Test func `a test that passes`() async throws {
      let run = try await run("testPasses")
      #expect(run.status == .exited(0))
      #expect(run.output.contains("Test Case 'UnderXCTest.testPasses' passed"))
      #expect(run.errorOutput == "")
    }

    @Test func `steps that fail`() async throws {
      let run = try await run("testStepsFail")
      #expect(run.status != .exited(0))
      let failures = failures(run)
      #expect(failures.count == 3)
      #expect(
        failures.first == """
          failed - the state differs from the expected one; expected (-), actual (+):

            SearchReactor.State(
          -   query: "t",
          +   query: "s",
              isLoading: false,
              results: []
            )
          """)
      #expect(
        failures.dropFirst().first?.hasPrefix("failed - output 'found(7)' came after") == true)
      #expect(failures.last?.hasPrefix(#"failed - setQuery("s") changed the state"#) == true)
    }

    @Test func `a failure does not mention host applications`() async throws {
      let run = try await run("testStepsFail")
      #expect(!run.output.contains("host application"))
      #expect(!run.output.contains("swift-dependencies"))
    }

    @Test func `a dependency that is read and was not replaced`() async throws {
      let failures = failures(try await run("testReadsDefaults"))
      #expect(failures.count == 1)
      #expect(
        failures.first?.hasPrefix("failed - the dependency 'port' (PortKey) was read") == true)
    }

    @Test func `a test that was not finished`() async throws {
      #expect(
        failures(try await run("testIsNotFinished")) == [
          "failed - this test of SearchReactor was not finished after send(nothing), so "
            + "what was left was not checked; end it with 'await test.finish()'"
        ])
    }

    @Test func `seeds stop at the first in which a step fails`() async throws {
      let run = try await run("testStopsAtTheFirstSeedThatFails")
      #expect(run.output.contains("seed 3 runs\n"))
      #expect(!run.output.contains("seed 4 runs\n"))
      #expect(
        failures(run).last
          == #"threw error "seed 3 fails, run it alone with REACTOR_SEED=3: an issue was recorded""#
      )
    }

    @Test func `what is skipped is shown, and is no failure`() async throws {
      let run = try await run("testShowsWhatIsSkipped")
      #expect(run.status == .exited(0))
      #expect(run.output.contains("output 'found(7)' came after send(say), and was not received"))
    }

    // MARK: Standard error

    @Test func `an exhaustive test keeps its reactor's reports off standard error`() async throws {
      let run = try await run("testKeepsStandardErrorClean")
      #expect(run.status == .exited(0))
      let lines = run.errorOutput.split(separator: "\n").map(String.init)
      let beside = "OtherReactor#2: the effect of action 0 'beside' failed: Oops"
      #expect(lines.count == 2 && lines.first == beside, "\(lines)")
      // On a machine that stalls for a second, the second one is no longer counted.
      let relaxed = lines.last ?? ""
      #expect(
        relaxed == "1 more like this: \(beside)"
          || relaxed.hasPrefix("OtherReactor#") && relaxed.hasSuffix("'relaxed' failed: Oops"))
      #expect(!run.errorOutput.contains("SearchReactor"))
    }

    @Test func `a thousand equal reports are one line, and one with the count`() async throws {
      let run = try await run("testReportsAThousandAlike")
      let lines = run.errorOutput.split(separator: "\n")
      let alike = lines.filter { $0.contains("refused") }
      #expect(alike.first?.contains(" more like this: ") == false)
      // On a machine that stalls for a second, the count comes in parts, and the process does
      // not wait for longer to write the last one.
      let counts = alike.dropFirst().compactMap { Int($0.prefix { $0 != " " }) }
      #expect((1...999).contains(counts.reduce(0, +)))
      #expect(alike.count == 1 + counts.count)
      #expect(lines.contains { $0.contains("failed") })
    }

    @Test func `a reactor that reports does not wait for a reader of standard error`() async throws
    {
      let run = try await run("testReportsWithoutReader")
      #expect(run.status == .exited(0))
      #expect(run.output.contains("sent all"))
    }

    @Test func `a test without assertions of reports writes them to standard error`() async throws {
      let run = try await run("testWritesReportsWithoutAssertions")
      #expect(run.errorOutput == "SearchReactor#1: the effect of action 0 'fail' failed: Oops\n")
    }
  }
#endif
