import Reactor
import ReactorRuntime

/// A scenario in which time and order are the test's: one thread, one clock, and a seed.
///
/// ```swift
/// try await simulate { simulation in
///   let search = SearchReactor(clock: simulation.clock)
///   search.send(.type("swift"))
///   await simulation.advance(by: .milliseconds(300))   // the debounce is over
///   #expect(await search.currentState.results == ["swift!"])
/// }
/// ```
///
/// Reactors, the actors that they call, their effects and child tasks run one step at a time, on
/// one thread, in the order in which they became able to; with a seed other than 0, in an order
/// that the seed decides, the same each time. Nothing waits for real.
///
/// What takes part is whatever the scenario awaits, and what its reactors start. What does not is a
/// `Task { }` of the scenario's own, unless made with `Task(executorPreference:
/// simulation.executor)`; operators that make such tasks (`debounce`, `merge` and `share` of
/// swift-async-algorithms: debounce in a lane instead); actors with an executor of their own (the
/// main actor); and work outside Swift's concurrency.
///
/// Holds: `checks`, guarded by their own lock.
public final class Simulation: Sendable {
  /// The seed of the simulation that this is part of; 0 outside of any.
  @TaskLocal static var currentSeed: UInt64 = 0

  /// The clock, to be given to whatever waits.
  public let clock = SimulatedClock()

  /// What decides the order; 0 for first come, first served.
  public let seed: UInt64

  /// What everything in the scenario runs on, for tasks of your own.
  public var executor: some TaskExecutor { runner }

  let runner: SimulationExecutor
  private let checks = Guarded<[@Sendable (Bool) -> Void]>([])

  init(seed: UInt64, at place: TestPlace) {
    self.seed = seed
    runner = SimulationExecutor(SimulatedOrder(seed: seed), clock, at: place)
  }

  /// Returns once nothing else in the scenario can run; after its end, at once.
  public func settle() async { await runner.settle() }

  /// Turns the clock, wakes sleepers one deadline after the other, and returns once nothing else
  /// can run.
  ///
  /// A task that goes to sleep meanwhile, and is due before the end, is woken as well.
  ///
  /// - Parameter duration: How far.
  public func advance(by duration: Duration) async {
    await settle()
    let target = clock.now.advanced(by: duration)
    while let deadline = clock.nextDeadline, deadline <= target {
      clock.turn(to: deadline)
      await settle()
    }
    clock.turn(to: target)
    await settle()
  }

  /// Turns the clock until no task sleeps any more.
  ///
  /// **If one still does** at the limit, an issue is reported where the call stands: something that
  /// sleeps again and again never ends.
  ///
  /// - Parameters:
  ///   - limit: How far at most; an hour unless told otherwise.
  ///   - fileID: Where the call stands; leave it and the others out.
  ///   - filePath: As above.
  ///   - line: As above.
  ///   - column: As above.
  public func advanceToEnd(
    within limit: Duration = .seconds(3600), fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
  ) async {
    await settle()
    let start = clock.now
    let end = start.advanced(by: limit)
    while let deadline = clock.nextDeadline, deadline <= end {
      clock.turn(to: deadline)
      await settle()
    }
    // Of one that was cancelled, what was wrong is told already.
    guard !Task.isCancelled, let sleepers = clock.sleepers else { return }
    let turned = start.duration(to: clock.now)
    TestPlace(fileID, filePath, line, column).fail(
      "something still sleeps after advanceToEnd() has turned the clock by \(turned), of at most "
        + "\(limit): \(sleepers); end first what sleeps again and again, or allow more with "
        + "advanceToEnd(within:)")
  }

  // MARK: The end

  /// Has something done when the scenario has ended; it is told whether that failed.
  func atEnd(_ check: @escaping @Sendable (Bool) -> Void) { checks.withLock { $0.append(check) } }

  /// The scenario has returned, or thrown: lets come what can, and checks.
  func end(afterFailure hasFailed: Bool) async {
    let hasFailed = hasFailed || Task.isCancelled
    if !hasFailed { await settle() }
    for check in checks.withLock({ $0 }) { check(hasFailed) }
  }
}
