import Reactor
import ReactorRuntime

/// Runs jobs one at a time, on the thread that drives it, in an order that a seed decides.
///
/// Jobs that are enqueued after the end, because a reactor outlived its scenario, run on the global
/// executor.
///
/// Holds: `state`, guarded by its own lock; jobs run, and continuations are resumed, outside it.
/// `known` has its own lock.
final class SimulationExecutor: SimulatedScenario, SimulatedTime {
  private struct State: Sendable {
    /// The jobs that can run.
    var jobs: ArraySlice<UnownedJob> = []
    var order: SimulatedOrder
    /// Continuations to resume when nothing can run.
    var idleWaiters: [CheckedContinuation<Void, Never>] = []
    /// The driver's continuation, while it waits for work from outside.
    var driver: CheckedContinuation<Void, Never>?
    /// Whether the scenario has ended, in whatever way.
    var isOver = false
    /// Whether a thread runs the enqueued jobs.
    var isDriven = true
    /// Whether the scenario has to end: `settle()` no longer waits until nothing can run.
    var isExpedited = false
    /// Whether the driver no longer waits for work from outside.
    var hasStoppedWaiting = false
    /// The task that continues after a number of jobs, and how many are left.
    var pause: (jobs: Int, continuation: CheckedContinuation<Void, Never>)?
    /// Whether the next job that is enqueued runs before all others.
    var isResumingPaused = false
    /// The job that runs before all others.
    var first: UnownedJob?
  }

  /// What the driver does next.
  private enum Step {
    case run(UnownedJob)
    case resume(CheckedContinuation<Void, Never>)
    case idle
    case over
  }

  /// Runs closures with the task-local values of the scenario's beginning.
  let taskLocals = ScenarioTaskLocals()
  private let state: Guarded<State>
  private let clock: SimulatedClock
  /// The simulation's source location in the test.
  private let place: TestPlace
  /// The types of reactors that have been checked for near misses.
  private let known = Guarded<Set<ObjectIdentifier>>([])

  init(_ order: SimulatedOrder, _ clock: SimulatedClock, at place: TestPlace) {
    self.clock = clock
    self.place = place
    state = Guarded(State(order: order))
    // Tasks reference their preferred executor without retaining it, and may enqueue at any time.
    _ = Unmanaged.passRetained(self)
  }

  var sinceStart: Duration { clock.now.sinceStart }

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    let (driver, isTooLate) = state.withLock { state in
      if !state.isDriven { return (CheckedContinuation<Void, Never>?.none, true) }
      if state.isResumingPaused {
        (state.isResumingPaused, state.first) = (false, job)
      } else {
        state.jobs.append(job)
      }
      return (state.driver.take(), false)
    }
    driver?.resume()
    if isTooLate { globalConcurrentExecutor.enqueue(ExecutorJob(job)) }
  }

  func withInitialLocals(_ body: () -> Void) { taskLocals.run(body) }

  /// Gives an effect a higher priority than that of the current task, or not, as the seed decides.
  ///
  /// An actor runs the jobs in its queue by priority, and otherwise in the order of enqueueing. A
  /// task that calls a method of an idle actor runs that method at once, and is back in its own
  /// actor's queue before an effect that begins later. So only a higher priority lets that effect
  /// run in between.
  func pickEffectPriority() -> TaskPriority? {
    guard state.withLock({ $0.order.pick(2) }) == 1 else { return nil }
    let current = Task.currentPriority
    return current < .high ? .high : TaskPriority(rawValue: max(current.rawValue, 33))
  }

  /// Fails the test, at the simulation's source location, for a type with a near miss.
  func reactorBegins(_ type: any Any.Type) {
    guard isDriven, isNew(type), let type = type as? any Reactor.Type,
      let problem = NearMisses.known(in: type)
    else { return }
    withInitialLocals { place.fail(problem) }
  }

  /// Whether a type has not been checked for near misses yet; marks it as checked.
  func isNew(_ type: any Any.Type) -> Bool {
    known.withLock { $0.insert(ObjectIdentifier(type)).inserted }
  }

  /// Returns when nothing else can run; at once if it is not driven any more.
  func settle() async {
    await withCheckedContinuation { continuation in
      let isDriven = state.withLock { state in
        if state.isDriven { state.idleWaiters.append(continuation) }
        return state.isDriven
      }
      if !isDriven { continuation.resume() }
    }
  }

  /// Returns after a number of jobs, or when nothing can run; the caller's job then runs next.
  func run(jobs: Int) async {
    guard jobs > 0 else { return }
    await withCheckedContinuation { continuation in
      let isDriven = state.withLock { state in
        if state.isDriven { state.pause = (jobs, continuation) }
        return state.isDriven
      }
      if !isDriven { continuation.resume() }
    }
  }

  var isDriven: Bool { state.withLock { $0.isDriven } }

  /// Marks the scenario as ended.
  func finish() {
    let driver = state.withLock { state in
      state.isOver = true
      return state.driver.take()
    }
    driver?.resume()
  }

  /// From here on `settle()` does not wait until nothing can run, so that the scenario can end.
  func expedite() { state.withLock { $0.isExpedited = true } }

  /// From here on the driver does not wait for work from outside.
  func stopWaiting() {
    let driver = state.withLock { state in
      state.hasStoppedWaiting = true
      return state.driver.take()
    }
    driver?.resume()
  }

  var hasStoppedWaiting: Bool { state.withLock { $0.hasStoppedWaiting } }

  /// Runs jobs until the end.
  ///
  /// - Parameters:
  ///   - whenStuck: Called if nothing can run and no task waits for that; returns whether to wait
  ///     for work from outside.
  ///   - whenEndless: Called after so many jobs that the scenario seems endless; returns whether
  ///     to continue. If not, what can still run never runs.
  func drive(whenStuck: () -> Bool, whenEndless: () -> Bool) async {
    let limit = EndlessScenarioDetector.limit
    var (steps, isExpedited) = (0, false)
    while true {
      if !isExpedited, Task.isCancelled {
        (steps, isExpedited) = (0, true)
        expedite()
      }
      switch state.withLock({ Self.step(&$0) }) {
      case .run(let job):
        job.runSynchronously(on: asUnownedTaskExecutor())
        steps += 1
        if steps == limit {
          steps = 0
          guard whenEndless() else { return dropJobs() }
        }
      case .resume(let continuation):
        if !isExpedited { steps = 0 }
        continuation.resume()
      case .over: return
      case .idle:
        steps = 0
        guard whenStuck() else { continue }
        await waitForWork()
      }
    }
  }

  private static func step(_ state: inout State) -> Step {
    if let job = state.first.take() { return .run(job) }
    if let pause = state.pause, pause.jobs == 0 || state.jobs.isEmpty || state.isExpedited {
      (state.pause, state.isResumingPaused) = (nil, true)
      return .resume(pause.continuation)
    }
    state.pause?.jobs -= 1
    if !state.idleWaiters.isEmpty, state.jobs.isEmpty || state.isExpedited {
      return .resume(state.idleWaiters.removeFirst())
    }
    if let job = takeJob(&state) { return .run(job) }
    if state.isOver { state.isDriven = false }
    return state.isOver ? .over : .idle
  }

  /// Removes a job in constant time: the first one, or the one that the seed picks.
  private static func takeJob(_ state: inout State) -> UnownedJob? {
    if state.order.isFirstInFirstOut || state.jobs.isEmpty { return state.jobs.popFirst() }
    let place = state.jobs.startIndex + state.order.pick(state.jobs.count)
    // The others keep their order, so that a later choice of zero is the oldest job.
    if state.order.keepsOthersInOrder { return state.jobs.remove(at: place) }
    state.jobs.swapAt(place, state.jobs.startIndex)
    return state.jobs.popFirst()
  }

  /// Drops what can still run: it would run for ever.
  private func dropJobs() {
    let waiters = state.withLock { state in
      (state.isOver, state.isDriven, state.jobs) = (true, false, [])
      defer { (state.idleWaiters, state.pause) = ([], nil) }
      return state.idleWaiters + (state.pause.map { [$0.continuation] } ?? [])
    }
    for waiter in waiters { waiter.resume() }
  }

  var isOver: Bool { state.withLock { $0.isOver } }

  private func waitForWork() async {
    await withCheckedContinuation { continuation in
      let hasWork = state.withLock { state in
        guard state.jobs.isEmpty, !state.isOver, !state.hasStoppedWaiting else { return true }
        state.driver = continuation
        return false
      }
      if hasWork { continuation.resume() }
    }
  }
}

/// Decides which job runs next: the first one, any by a seed, or the one that is chosen.
struct SimulatedOrder: Sendable {
  let seed: UInt64
  let choices: ChoiceSource?
  private var random: SplitMix64

  /// - Parameter seed: 0 is first in, first out.
  init(seed: UInt64) {
    (self.seed, choices) = (seed, nil)
    random = SplitMix64(seed: seed)
  }

  /// The order that a source of choices decides; a choice of zero is the oldest job.
  init(_ choices: ChoiceSource) {
    (seed, self.choices) = (0, choices)
    random = SplitMix64(seed: 0)
  }

  var isFirstInFirstOut: Bool { seed == 0 && choices == nil }

  var keepsOthersInOrder: Bool { choices != nil }

  /// Picks an index below a count.
  mutating func pick(_ count: Int) -> Int {
    if let choices { return choices.draw(.order, below: count) }
    guard seed != 0, count > 1 else { return 0 }
    return Int(random.next() % UInt64(count))
  }
}

/// SplitMix64, by Sebastiano Vigna, in the public domain.
struct SplitMix64: RandomNumberGenerator, Sendable {
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }
}
