import Reactor
import ReactorRuntime
import Synchronization

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Android)
  import Android
#endif

/// Why a simulation did not come to its end.
public struct SimulationError: Error, CustomStringConvertible {
  /// One line: which seed, what was wrong, and what would do.
  public let description: String
}

/// Runs a scenario in a simulation.
///
/// **If a reactor in it has a near miss**, a function that looks like a member of
/// ``/Reactor/Reactor`` and is none, that is reported where the call stands, once for each type:
/// see <doc:/Reactor/Testing>.
///
/// - Parameters:
///   - seed: What decides the order; 0 for first come, first served.
///   - awaitsOthers: Whether the scenario waits for work outside the simulation (a database, the
///     main actor). If not, it is an error when nothing can run and the scenario has not ended. If
///     so, a scenario that is cancelled, by a test's time limit say, has two seconds to end.
///   - scenario: What to run.
///   - fileID: Where the call stands; leave it and the others out.
///   - filePath: As above.
///   - line: As above.
///   - column: As above.
/// - Throws: What the scenario throws, or ``SimulationError``: when nothing in it can run and it
///   has not ended, and when something can always run, a million steps in a row, so that it never
///   rests. It is cancelled then, and if it does not end by that, left where it is.
public func simulate(
  seed: UInt64 = 0, awaitsOthers: Bool = false,
  _ scenario: @escaping @Sendable (Simulation) async throws -> Void,
  fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
  column: UInt = #column
) async throws {
  let simulation = Simulation(seed: seed, at: TestPlace(fileID, filePath, line, column))
  let runner = simulation.runner
  SimulatedExecutor.count.add(1, ordering: .relaxed)
  defer { SimulatedExecutor.count.subtract(1, ordering: .relaxed) }
  let task = SimulatedExecutor.$current.withValue(runner) {
    Simulation.$currentSeed.withValue(seed) {
      runner.origin.begin()
      return Task(executorPreference: runner) {
        defer { runner.finish() }
        do {
          try await scenario(simulation)
        } catch {
          await simulation.end(afterFailure: true)
          throw error
        }
        await simulation.end(afterFailure: false)
      }
    }
  }
  let error = await withTaskCancellationHandler {
    await drive(simulation, awaitsOthers: awaitsOthers, cancel: { task.cancel() })
  } onCancel: {
    task.cancel()
    if awaitsOthers { runner.waitNoLonger(after: .seconds(2)) }
  }
  runner.origin.end()
  if let error { throw error }
  try await task.value
}

extension SimulationExecutor {
  /// Gives what the scenario waits for outside some time to end by itself.
  fileprivate func waitNoLonger(after time: Duration) {
    Task.detached { [self] in
      try? await Task.sleep(for: time)
      waitNoLonger()
    }
  }
}

/// Runs a scenario once for each of many orders.
///
/// The first seed that fails is the last that runs, and is named in the error; set the
/// environment's `REACTOR_SEED` to it to run that one alone.
///
/// A seed fails when the scenario throws, and when an issue is recorded in it, by `#expect` or by a
/// step of a ``ReactorTest``. Under XCTest, an assertion that fails is not noticed, since nothing
/// there tells of it; the steps, and what is thrown (by `XCTUnwrap`, say), are.
///
/// - Parameters:
///   - seeds: The seeds.
///   - awaitsOthers: As for ``simulate(seed:awaitsOthers:_:fileID:filePath:line:column:)``.
///   - scenario: What to run.
///   - fileID: Where the call stands; leave it and the others out.
///   - filePath: As above.
///   - line: As above.
///   - column: As above.
/// - Throws: ``SimulationError`` with the seed, and with what the scenario threw, if so.
public func simulate(
  seeds: some Sequence<UInt64> & Sendable, awaitsOthers: Bool = false,
  _ scenario: @escaping @Sendable (Simulation) async throws -> Void,
  fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
  column: UInt = #column
) async throws {
  let alone = getenv("REACTOR_SEED").flatMap { UInt64(String(cString: $0)) }
  for seed in alone.map({ [$0] }) ?? Array(seeds) {
    let reason: String
    do {
      let hasIssue = try await IssueWatch.watch {
        try await simulate(
          seed: seed, awaitsOthers: awaitsOthers, scenario, fileID: fileID, filePath: filePath,
          line: line, column: column)
      }
      guard hasIssue else { continue }
      reason = "an issue was recorded"
    } catch { reason = "\(error)" }
    throw SimulationError(
      description: "seed \(seed) fails, run it alone with REACTOR_SEED=\(seed): \(reason)")
  }
}

private func drive(
  _ simulation: Simulation, awaitsOthers: Bool, cancel: () -> Void
) async -> SimulationError? {
  let runner = simulation.runner
  var error: SimulationError?
  var restlessness: Restlessness?
  await runner.drive {
    if awaitsOthers {
      guard runner.isAlone else { return true }
      error = SimulationError(description: alone)
    }
    // Cancelled, the scenario may still come to an end by itself. If nothing of it can run even
    // then, it waits for what heeds no cancellation, a bare continuation say. To wait for
    // that could last for ever, without a word why, so it is left behind.
    guard error == nil else {
      runner.finish()
      return false
    }
    error = SimulationError(description: stuck(simulation))
    cancel()
    return false
  } whenRestless: {
    // What it has thrown, or that it was cancelled, is told already.
    if runner.isOver || error != nil { return false }
    guard let found = restlessness.take() else {
      restlessness = Restlessness(in: runner)
      return true
    }
    error = SimulationError(description: found.end())
    cancel()
    runner.hurry()
    return true
  }
  _ = restlessness?.end()
  return error
}

private let alone =
  "the scenario was cancelled, and still waits for something outside that heeds no cancellation, "
  + "such as a continuation that nobody resumes: whoever keeps it has to resume it"

private func stuck(_ simulation: Simulation) -> String {
  guard let sleepers = simulation.clock.sleepers else {
    return "the scenario waits, and nothing in it can run; if it waits for a Task { } of its own, "
      + "make that with Task(executorPreference: simulation.executor) { }; "
      + "if for an ask, whoever keeps its Reply has to answer; "
      + "if for something outside, say awaitsOthers: true"
  }
  return "the scenario waits, and nothing in it can run before the clock is turned: "
    + "\(sleepers); call advance(by:)"
}
