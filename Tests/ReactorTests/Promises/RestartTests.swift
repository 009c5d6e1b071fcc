import Reactor
import ReactorRuntime
import TestLimits
import TestSupport
import Testing

/// Cases 42 and 44 of the peers' acceptance cases.
@Suite(.bounded) struct RestartTests {
  @Test func `a drain waits for what runs and for what is queued`() async {
    let reactor = LanedReactor { _, _ in .sequential("a") }
    let receipts = await reactor.sendAll([1, 2])
    let states = Task { await reactor.state.all() }
    await reactor.flush()
    let stopped = reactor.stop(.drain)
    #expect(reactor.send(3).isRefused)
    reactor.gates[1].open()
    reactor.gates[2].open()
    for receipt in receipts { await receipt.settled }
    await stopped.settled
    #expect(await states.value.last == [1, 2])
    #expect(reactor.reports.problems == ["actionRefused"])
  }

  @Test func `a drain waits for actions that a timer holds back`() async {
    let clock = ManualClock()
    let reactor = LanedReactor(script: LanedReactor.echo) { _, _ in
      .concurrent("a").debounced(for: .steps(5), clock: clock)
    }
    reactor.send(1)
    let stopped = reactor.stop(.drain)
    await clock.advance(past: 5)
    await stopped.settled
    #expect(await reactor.currentState == [1])
  }

  @Test func `an idle reactor is drained at once`() async {
    let reactor = ScriptedReactor()
    await reactor.stop(.drain).settled
    #expect(await reactor.state.all() == [[]])
  }

  @Test func `a second stop ends the drain`() async {
    let reactor = LanedReactor { _, _ in .sequential("a") }
    let receipts = await reactor.sendAll([1, 2])
    await reactor.flush()
    reactor.stop(.drain)
    reactor.stop(.drain)
    await reactor.stop().settled
    for receipt in receipts { await receipt.settled }
    #expect(await reactor.currentState == [])
    #expect(reactor.reports.problems == ["actionDropped"])
  }

  @Test func `a drain after a stop changes nothing`() async {
    let reactor = LanedReactor { _, _ in nil }
    reactor.send(1)
    await reactor.flush()
    reactor.stop()
    await reactor.stop(.drain).settled
    #expect(await reactor.currentState == [])
  }

  @Test func `a restarted reactor continues from its last state`() async {
    let reactor = ScriptedReactor()
    await reactor.send(1).settled
    let before = Task { await reactor.state.all() }
    await reactor.stop().settled
    #expect(reactor.send(2).isRefused)
    await reactor.restart()
    await reactor.send(3).settled
    #expect(await reactor.currentState == [1, 3])
    #expect(await reactor.state.first { _ in true } == [1, 3])
    #expect(await before.value.last == [1])
  }

  @Test func `a reactor restarted from another state continues from that`() async {
    let reactor = ScriptedReactor()
    await reactor.send(1).settled
    await reactor.stop().settled
    await reactor.restart(from: [7])
    #expect(await reactor.state.first { _ in true } == [7])
    await reactor.send(8).settled
    #expect(await reactor.currentState == [7, 8])
  }

  @Test func `a reactor that runs is stopped first; its effects are cancelled`() async {
    let reactor = LanedReactor { _, _ in .sequential("a") }
    let receipts = await reactor.sendAll([1, 2])
    await reactor.flush()
    await reactor.restart()
    for receipt in receipts { await receipt.settled }
    #expect(reactor.ended.entries == [1])
    reactor.send(3)
    reactor.gates[3].open()
    #expect(await reactor.state.first { !$0.isEmpty } == [3])
  }

  @Test func `the hooks are called again, and see the state of the restart`() async {
    let calls = Log<Int>()
    let reactor = StateHookedReactor { _, states in
      calls.append(0)
      return Erased(states.map { $0 + [0] })
    }
    await reactor.send(1).settled
    await reactor.restart()
    #expect(await reactor.state.first { _ in true } == [1, 0])
    await reactor.send(2).settled
    #expect(await reactor.state.first { $0.count == 3 } == [1, 2, 0])
    #expect(calls.count == 2)
  }

  @Test func `hooks over actions and mutations work after a restart`() async {
    let actions = ActionHookedReactor(hook: ActionHookedReactor.passing)
    await actions.send(1).settled
    await actions.restart()
    await actions.send(2).settled
    #expect(await actions.currentState == [1, 2])
    let mutations = MutationHookedReactor(hook: MutationHookedReactor.passing)
    await mutations.send(1).settled
    await mutations.restart()
    await mutations.send(2).settled
    #expect(await mutations.currentState == [1, 2])
  }

  @Test func `a restart whose task is cancelled still completes`() async {
    let reactor = LanedReactor(script: LanedReactor.stubborn) { _, _ in nil }
    reactor.send(1)
    await reactor.flush()
    let restart = Task { await reactor.restart() }
    restart.cancel()
    await reactor.finish(1)
    await restart.value
    #expect(!reactor.send(2).isRefused)
    reactor.gates[2].open()
    #expect(await reactor.state.first { $0.last == 2 } != nil)
  }

  @Test func `concurrent restarts leave one reactor that works`() async {
    let reactor = ScriptedReactor()
    await withTaskGroup(of: Void.self) { group in
      for _ in 0..<20 { group.addTask { await reactor.restart() } }
    }
    await reactor.restart()
    await reactor.send(1).settled
    #expect(await reactor.currentState == [1])
  }

  @Test func `an action stream opened after a restart has later actions`() async {
    let reactor = ScriptedReactor()
    await reactor.stop().settled
    await reactor.restart()
    let stream = reactor.actions()
    reactor.send(1)
    #expect(await stream.next() == 1)
  }

  @Test func `a stop's receipt settles although the reactor has begun again`() async {
    let reactor = ScriptedReactor()
    let stopped = reactor.stop()
    await reactor.restart()
    await stopped.settled
  }

  @Test func `behind a hook, concurrent restarts leave one reactor that works`() async {
    for _ in 0..<TestCounts.rounds(300) {
      let reactor = MutationHookedReactor(hook: MutationHookedReactor.passing)
      await withTaskGroup(of: Void.self) { group in
        for _ in 0..<4 { group.addTask { await reactor.restart() } }
      }
      await reactor.send(1).settled
      #expect(await reactor.currentState == [1])
    }
  }

  @Test func `what a hook from before a restart still emits is dropped, and reported`() async {
    let (gate, calls) = (Gate(), Log<Int>())
    let reactor = ActionHookedReactor(hook: { _, actions in
      calls.append(0)
      return calls.count > 1 ? Erased(actions) : Erased(Lingering(base: actions, gate: gate))
    })
    await reactor.send(1).settled
    await reactor.restart()
    gate.open()
    _ = await reactor.reports.entries(upTo: 1)
    #expect(reactor.reports.problems == ["actionDropped"])
    #expect(await reactor.currentState == [1])
  }
}

/// Restarts that meet.
extension RestartTests {
  @Test func `a late restart does not start again what has been stopped since`() async {
    let reactor = LanedReactor(script: Self.heedless) { _, _ in .sequential("a") }
    reactor.send(1)
    await reactor.gates[1].reached()
    let held = HeldExecutor()
    let late = held.hold { await reactor.restart() }
    let first = Task { await reactor.restart() }
    reactor.gates[1].open()
    await first.value
    reactor.send(2)
    await reactor.gates[2].reached()
    let stopped = reactor.stop()
    // It has been cancelled, and goes on all the same.
    _ = await stopped.abandoned
    held.release()
    await late.value
    #expect(!stopped.isSettled)
    #expect(reactor.send(3).isRefused)
    reactor.gates[2].open()
    await stopped.settled
  }

  @Test func `a restart from a state concurrent with another restart takes effect`() async {
    let reactor = LanedReactor { _, _ in nil }
    let held = HeldExecutor()
    let late = held.hold { await reactor.restart(from: [5]) }
    await reactor.restart()
    held.release()
    await late.value
    #expect(await reactor.currentState == [5])
    #expect(!reactor.send(1).isRefused)
  }

  /// An effect that waits at its gate, whether or not it is cancelled.
  private static let heedless: LanedReactor.Script = { reactor, action in
    .run { [gate = reactor.gates[action]] _ in await gate.pass() }
  }
}

/// An executor on which a task runs at once to its first suspension, and goes on at `release()`.
private final class HeldExecutor: TaskExecutor {
  private struct State: Sendable {
    var hasBegun = false
    /// What is held; `nil` once it has been released.
    var waiting: [UnownedJob]? = []
  }

  private let state = Guarded(State())

  /// Runs something up to its first suspension.
  func hold(_ body: @escaping @Sendable () async -> Void) -> Task<Void, Never> {
    Task(executorPreference: self, operation: body)
  }

  func release() {
    let jobs = state.withLock { state in
      defer { state.waiting = nil }
      return state.waiting ?? []
    }
    for job in jobs { job.runSynchronously(on: asUnownedTaskExecutor()) }
  }

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    let isHeld = state.withLock { state in
      guard state.hasBegun else {
        state.hasBegun = true
        return false
      }
      state.waiting?.append(job)
      return state.waiting != nil
    }
    if !isHeld { job.runSynchronously(on: asUnownedTaskExecutor()) }
  }
}

/// Brings one more action after its input has ended, when the gate is open.
private struct Lingering: AsyncSequence {
  typealias Element = Int
  typealias Failure = Never

  let base: ReactorActions<ActionHookedReactor>
  let gate: Gate

  func makeAsyncIterator() -> Iterator { Iterator(base: base.makeAsyncIterator(), gate: gate) }

  struct Iterator: AsyncIteratorProtocol {
    var base: ReactorActions<ActionHookedReactor>.AsyncIterator
    let gate: Gate
    private var isOver = false

    init(base: ReactorActions<ActionHookedReactor>.AsyncIterator, gate: Gate) {
      self.base = base
      self.gate = gate
    }

    mutating func next() async -> Int? { await next(isolation: nil) }

    mutating func next(isolation actor: isolated (any Actor)?) async -> Int? {
      if let next = await base.next(isolation: actor) { return next }
      if isOver { return nil }
      isOver = true
      await gate.pass()
      return 99
    }
  }
}
