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

/// The reason why a simulation did not come to its end.
public struct SimulationError: Error, CustomStringConvertible {
  /// One line: the seed, what was wrong, and how to correct it.
  public let description: String
}

/// Runs a scenario in a simulation.
///
/// **If a reactor in it has a near miss**, a function that resembles a requirement of
/// ``/Reactor/Reactor`` but does not implement it, an issue is reported at the call, once for each
/// type: see <doc:/Reactor/Testing>.
///
/// - Parameters:
///   - seed: Decides the order; 0 is first in, first out.
///   - awaitsOthers: Whether the scenario waits for work outside the simulation (a database, the
///     main actor). If false, it is an error if nothing can run and the scenario has not ended. If
///     true, a scenario that is cancelled, for example by a test's time limit, has two seconds to
///     end.
///   - scenario: The scenario to run.
///   - fileID: The source location of the call; leave it and the next three parameters out.
///   - filePath: As above.
///   - line: As above.
///   - column: As above.
/// - Throws: What the scenario throws, or ``SimulationError``: if nothing in it can run and it has
///   not ended, or if it never becomes idle in a million consecutive steps. The scenario is
///   cancelled then; if that does not end it, it is abandoned.
public func simulate(
  seed: UInt64 = 0, awaitsOthers: Bool = false,
  _ scenario: @escaping @Sendable (Simulation) async throws -> Void,
  fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
  column: UInt = #column
) async throws {
  let simulation = Simulation(seed: seed, at: TestPlace(fileID, filePath, line, column))
  try await runScenario(scenario, in: simulation, awaitsOthers: awaitsOthers)
}

/// Runs a scenario in a simulation of its own.
func runScenario(
  _ scenario: @escaping @Sendable (Simulation) async throws -> Void, in simulation: Simulation,
  awaitsOthers: Bool = false
) async throws {
  let runner = simulation.runner
  SimulatedExecutor.count.add(1, ordering: .relaxed)
  defer { SimulatedExecutor.count.subtract(1, ordering: .relaxed) }
  let task = SimulatedExecutor.$current.withValue(runner) {
    Simulation.$currentSeed.withValue(simulation.seed) {
      runner.taskLocals.begin()
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
    if awaitsOthers { runner.stopWaiting(after: .seconds(2)) }
  }
  runner.taskLocals.end()
  if let error { throw error }
  try await task.value
}

extension SimulationExecutor {
  /// Gives what the scenario waits for outside some time to end by itself.
  fileprivate func stopWaiting(after time: Duration) {
    Task.detached { [self] in
      try? await Task.sleep(for: time)
      stopWaiting()
    }
  }
}

/// Runs a scenario once for each of many orders.
///
/// The first seed that fails is the last one that runs, and is named in the error. To run that seed
/// alone, set the environment variable `REACTOR_SEED` to it.
///
/// A seed fails if the scenario throws, or if an issue is recorded in it, by `#expect` or by a step
/// of a ``ReactorTest``. Under XCTest, failed assertions are not detected, since XCTest has no API
/// for that; failed steps and thrown errors (of `XCTUnwrap`, for example) are.
///
/// - Parameters:
///   - seeds: The seeds.
///   - awaitsOthers: As for ``simulate(seed:awaitsOthers:_:fileID:filePath:line:column:)``.
///   - scenario: The scenario to run.
///   - fileID: The source location of the call; leave it and the next three parameters out.
///   - filePath: As above.
///   - line: As above.
///   - column: As above.
/// - Throws: ``SimulationError`` with the seed, and with the scenario's error if it threw one.
public func simulate(
  seeds: some Sequence<UInt64> & Sendable, awaitsOthers: Bool = false,
  _ scenario: @escaping @Sendable (Simulation) async throws -> Void,
  fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
  column: UInt = #column
) async throws {
  let onlySeed = getenv("REACTOR_SEED").flatMap { UInt64(String(cString: $0)) }
  for seed in onlySeed.map({ [$0] }) ?? Array(seeds) {
    let reason: String
    do {
      let hasIssue = try await IssueDetector.detect {
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
  var detector: EndlessScenarioDetector?
  await runner.drive {
    if awaitsOthers {
      guard runner.hasStoppedWaiting else { return true }
      error = SimulationError(description: ignoresCancellation)
    }
    // Once cancelled, the scenario may still come to an end by itself. If nothing in it can run
    // even then, it waits for something that ignores cancellation, such as a bare continuation.
    // Waiting for that could last for ever without any message, so the scenario is abandoned.
    guard error == nil else {
      runner.finish()
      return false
    }
    error = SimulationError(description: stuck(simulation))
    cancel()
    return false
  } whenEndless: {
    // The scenario's error, or its cancellation, is reported already.
    if runner.isOver || error != nil { return false }
    guard let found = detector.take() else {
      detector = EndlessScenarioDetector(in: runner)
      return true
    }
    error = SimulationError(description: found.end())
    cancel()
    runner.expedite()
    return true
  }
  _ = detector?.end()
  return error
}

private let ignoresCancellation =
  "the scenario was cancelled, and still waits for something outside that heeds no cancellation, "
  + "such as a continuation that is never resumed: the code that stores it has to resume it"

private func stuck(_ simulation: Simulation) -> String {
  guard let sleepers = simulation.clock.sleepers else {
    return "the scenario waits, and nothing in it can run; if it waits for a Task { } of its own, "
      + "make that with Task(executorPreference: simulation.executor) { }; "
      + "if for an ask, answer its Reply; "
      + "if for something outside, say awaitsOthers: true"
  }
  return "the scenario waits, and nothing in it can run before the clock is advanced: "
    + "\(sleepers); call advance(by:)"
}
