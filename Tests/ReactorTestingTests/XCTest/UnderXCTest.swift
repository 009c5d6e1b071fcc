import Foundation
import Reactor
import ReactorDependencies
import ReactorTesting
import XCTest

/// The kit under XCTest, run as a process of their own by `XCTestTests`, which looks at what they
/// print.
final class UnderXCTest: XCTestCase {
  #if os(Linux)
    /// All of them, by their names, for `Tests/XCTMain.swift`.
    static var allTests: [(String, (UnderXCTest) -> () throws -> Void)] {
      [
        ("testPasses", asyncTest(testPasses)),
        ("testStepsFail", asyncTest(testStepsFail)),
        ("testReadsDefaults", testReadsDefaults),
        ("testIsNotFinished", asyncTest(testIsNotFinished)),
        ("testStopsAtTheFirstSeedThatFails", asyncTest(testStopsAtTheFirstSeedThatFails)),
        ("testShowsWhatIsSkipped", asyncTest(testShowsWhatIsSkipped)),
        ("testKeepsStandardErrorClean", asyncTest(testKeepsStandardErrorClean)),
        ("testReportsAThousandAlike", asyncTest(testReportsAThousandAlike)),
        ("testReportsWithoutReader", asyncTest(testReportsWithoutReader)),
        ("testWritesReportsWithoutAssertions", asyncTest(testWritesReportsWithoutAssertions)),
      ]
    }
  #endif

  /// Those that fail do so only there.
  private func skipUnlessWatched() throws {
    let isWatched = ProcessInfo.processInfo.environment["REACTOR_PROVOKES_FAILURES"] != nil
    try XCTSkipUnless(isWatched, "provokes failures, for XCTestTests to look at")
  }

  func testPasses() async throws {
    try await search { test in
      await test.send(.set("s")) { $0.query = "s" }
      await test.finish()
    }
  }

  func testStepsFail() async throws {
    try skipUnlessWatched()
    try await search { test in
      await test.send(.set("s")) { $0.query = "t" }
      await test.send(.say)
      await test.finish()
    }
    await spec(SearchReactor(clock: ImmediateClock()), when: .setQuery("s"))
  }

  func testReadsDefaults() throws {
    try skipUnlessWatched()
    ReactorDependencies.with {
      $0[PortKey.self] = 80
    } make: {
      XCTAssertEqual(ReactorDependencies.current.port, 80)
    }
    ReactorDependencies.with {
      $0.allowsDefaultsInTests = true
    } make: {
      XCTAssertEqual(ReactorDependencies.current.port, 25)
    }
    XCTAssertEqual(ReactorDependencies.current.port, 25)
  }

  func testIsNotFinished() async throws {
    try skipUnlessWatched()
    try await search { await $0.send(.nothing) }
  }

  func testStopsAtTheFirstSeedThatFails() async throws {
    try skipUnlessWatched()
    try await simulate(seeds: 1...9) { simulation in
      print("seed \(simulation.seed) runs")
      let test = await ReactorTest(SearchReactor(clock: simulation.clock), in: simulation)
      if simulation.seed == 3 { await test.receiveReport() }
      await test.finish()
    }
  }

  func testShowsWhatIsSkipped() async throws {
    try await search(.relaxed(showsSkipped: true)) { test in
      await test.send(.say)
      await test.finish()
    }
  }

  func testKeepsStandardErrorClean() async throws {
    try await simulate { simulation in
      let test = await ReactorTest(SearchReactor(clock: simulation.clock), in: simulation)
      await test.send(.fail)
      await test.receiveReport()
      await test.finish()
      // One beside it, under no test, and one under a relaxed test.
      await OtherReactor().send("beside").settled
      let relaxed = await ReactorTest(OtherReactor(), in: simulation, strictness: .relaxed)
      await relaxed.send("relaxed")
    }
  }

  /// A thousand alike, and one that is another, just before the process exits.
  func testReportsAThousandAlike() async throws {
    let reactor = OtherReactor()
    await reactor.stop().settled
    for _ in 0..<1_000 { reactor.send("late") }
    await OtherReactor().send("last").settled
  }

  /// Standard error is a pipe that is not read, and is full.
  func testReportsWithoutReader() async throws {
    let reactor = OtherReactor()
    await reactor.stop().settled
    let full = FullPipe(at: STDERR_FILENO)
    for _ in 0..<100_000 { reactor.send("late") }
    print("sent all")
    full.end()
  }

  func testWritesReportsWithoutAssertions() async throws {
    try? await search { test in
      await test.send(.fail)
      throw Oops()
    }
  }
}

private enum PortKey: ReactorDependencyKey {
  static var defaultValue: Int { 25 }
}

extension ReactorDependencies {
  fileprivate var port: Int { self[PortKey.self] }
}

/// A pipe in a descriptor's place, into which nothing more goes.
private struct FullPipe {
  private let descriptor: Int32
  private let original: Int32
  private let reader: Int32

  init(at descriptor: Int32) {
    var ends: [Int32] = [0, 0]
    precondition(pipe(&ends) == 0)
    self.descriptor = descriptor
    original = dup(descriptor)
    reader = ends[0]
    let flags = fcntl(ends[1], F_GETFL)
    _ = fcntl(ends[1], F_SETFL, flags | O_NONBLOCK)
    while write(ends[1], "x", 1) == 1 {}
    _ = fcntl(ends[1], F_SETFL, flags)
    dup2(ends[1], descriptor)
    close(ends[1])
  }

  /// Restores what was there; a blocked write fails, since there will be no reader.
  func end() {
    dup2(original, descriptor)
    close(reader)
  }
}

/// Fails with whatever it is sent.
private actor OtherReactor: Reactor {
  typealias Action = String
  typealias Mutation = Int

  let initialState = 0
  let pipeline = Pipeline()

  func mutate(action: String) -> MutationStream<Int> { .run { _ in throw Oops() } }

  func reduce(state: inout Int, mutation: Int) {}
}
