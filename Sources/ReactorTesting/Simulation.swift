import Reactor
import ReactorRuntime

/// A scenario in which the test controls time and order: one thread, one clock, and a seed.
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
/// one thread. With seed 0 they run in the order in which they became able to run; with another
/// seed, in an order that the seed decides, which is the same each time. Nothing waits in real
/// time.
///
/// Everything that the scenario awaits takes part, and everything that its reactors start. The
/// following do not take part: a `Task { }` that the scenario creates itself, unless with
/// `Task(executorPreference: simulation.executor)`; operators that create such tasks (`debounce`,
/// `merge` and `share` of swift-async-algorithms; debounce in a lane instead); actors with an
/// executor of their own, such as the main actor; and work outside Swift concurrency.
///
/// Holds: `checks`, guarded by its own lock.
public final class Simulation: Sendable {
  /// The seed of the current simulation; 0 outside of any.
  @TaskLocal static var currentSeed: UInt64 = 0

  /// The clock, for everything that waits.
  public let clock = SimulatedClock()

  /// Random numbers, decided by the seed or by the choices of an exploration.
  public let random: SimulatedRandom

  /// Identifiers that count from 1.
  public let identifiers = SimulatedIdentifiers()

  /// Decides the order; 0 is first in, first out.
  public let seed: UInt64

  /// The executor of the scenario, for tasks that you create.
  public var executor: some TaskExecutor { runner }

  let runner: SimulationExecutor
  private let checks = Guarded<[@Sendable (Bool) -> Void]>([])

  convenience init(seed: UInt64, at place: TestPlace) {
    self.init(SimulatedOrder(seed: seed), at: place)
  }

  init(_ order: SimulatedOrder, at place: TestPlace) {
    seed = order.seed
    random = SimulatedRandom(seed: order.seed, order.choices)
    runner = SimulationExecutor(order, clock, at: place)
  }

  /// Returns when nothing else in the scenario can run; after its end, at once.
  public func settle() async { await runner.settle() }

  /// Advances the clock, wakes sleeping tasks one deadline after the other, and returns when
  /// nothing else can run.
  ///
  /// A task that begins to sleep meanwhile, and is due before the end, is woken as well.
  ///
  /// - Parameter duration: By how much.
  public func advance(by duration: Duration) async {
    await settle()
    let target = clock.now.advanced(by: duration)
    while let deadline = clock.nextDeadline, deadline <= target {
      clock.advance(to: deadline)
      await settle()
    }
    clock.advance(to: target)
    await settle()
  }

  /// Advances the clock until no task sleeps any more.
  ///
  /// **If a task still sleeps** at the limit, an issue is reported at the call: something that
  /// sleeps repeatedly never ends.
  ///
  /// - Parameters:
  ///   - limit: By how much at most; an hour by default.
  ///   - fileID: The source location of the call; leave it and the next three parameters out.
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
      clock.advance(to: deadline)
      await settle()
    }
    // If the task was cancelled, the problem has been reported already.
    guard !Task.isCancelled, let sleepers = clock.sleepers else { return }
    let elapsed = start.duration(to: clock.now)
    TestPlace(fileID, filePath, line, column).fail(
      "something still sleeps after advanceToEnd() has advanced the clock by \(elapsed), of at "
        + "most \(limit): \(sleepers); end first what sleeps again and again, or allow more with "
        + "advanceToEnd(within:)")
  }

  // MARK: The end

  /// Adds a closure to run when the scenario has ended; its argument is whether the scenario
  /// failed.
  func atEnd(_ check: @escaping @Sendable (Bool) -> Void) { checks.withLock { $0.append(check) } }

  /// Called when the scenario has returned or thrown: lets run what can run, and calls the checks.
  func end(afterFailure hasFailed: Bool) async {
    let hasFailed = hasFailed || Task.isCancelled
    if !hasFailed { await settle() }
    for check in checks.withLock({ $0 }) { check(hasFailed) }
  }
}
