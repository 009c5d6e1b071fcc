import Reactor
import ReactorRuntime
import TestLimits
import TestSupport
import Testing

/// What code outside the core reaches an engine by.
@Suite(.bounded) struct EngineAccessTests {
  /// Admits an action that its engine is to accept if it can.
  private func admit(
    _ action: Int, to engine: some EngineAccess<ScriptedReactor>, if decide: Bool = true,
    marking marks: (UInt64) -> [EngineMark] = { _ in [] }
  ) -> EngineAdmission {
    engine.admit(engine.prepare(action), if: { $0 && decide }, marking: marks)
  }

  @Test func `an admitted action is taken, and its receipt waits for it`() async throws {
    let reactor = ScriptedReactor()
    let engine = reactor.pipeline.engine(of: reactor)
    let admission = admit(1, to: engine)
    admission.complete()
    guard case .accepted(let number) = admission.outcome else {
      Issue.record("\(admission.outcome)")
      return
    }
    await engine.receipt(of: number).settled
    #expect(await reactor.currentState == [1])
  }

  @Test func `an action that is refused takes no number, and leaves its chain`() async {
    let (reactor, sender) = (
      ScriptedReactor(),
      ScriptedReactor { [self] _, action in
        .run { _ in
          let other = ScriptedReactor()
          let admission = admit(action, to: other.pipeline.engine(of: other), if: false)
          guard case .withdrawn = admission.outcome else {
            Issue.record("\(admission.outcome)")
            return
          }
          admission.complete()
        }
      }
    )
    await sender.sendTracked(1).settled
    let engine = reactor.pipeline.engine(of: reactor)
    #expect(!admit(1, to: engine, if: false).isAccepted)
    #expect(reactor.send(2).actionNumber?.rawValue == 0)
  }

  @Test func `a refusal has its reason, and is reported when it is completed`() async {
    let reactor = ScriptedReactor()
    let engine = reactor.pipeline.engine(of: reactor)
    await reactor.stop().settled
    let admission = admit(1, to: engine)
    guard case .refused(.stopped) = admission.outcome else {
      Issue.record("\(admission.outcome)")
      return
    }
    #expect(reactor.reports.problems == [])
    admission.complete()
    #expect(reactor.reports.problems == ["actionRefused"])
  }

  @Test func `a mark is reached between the turns before it and after it`() async {
    let reactor = ScriptedReactor()
    let engine = reactor.pipeline.engine(of: reactor)
    let seen = Log<[Int]>()
    let look: EngineMark.Reached = { _, state in seen.append(state() as? [Int] ?? [-1]) }
    for action in 1...3 {
      admit(action, to: engine) { number in
        [EngineMark(after: number, look), EngineMark(after: number + 1, look)]
      }.complete()
    }
    await reactor.send(4).settled
    engine.mark(look)()
    await reactor.send(5).settled
    #expect(
      seen.entries == [[], [1], [1], [1, 2], [1, 2], [1, 2, 3], [1, 2, 3, 4]])
  }

  @Test func `a mark of a reactor that is released has no state`() async {
    let seen = Log<Bool>()
    var reactor: ScriptedReactor? = ScriptedReactor()
    let engine: any EngineAccess<ScriptedReactor>
    do {
      guard let reactor else { return }
      engine = reactor.pipeline.engine(of: reactor)
    }
    reactor = nil
    engine.mark { version, state in seen.append(version == nil && state() == nil) }()
    #expect(seen.entries == [true])
    guard case .released = admit(1, to: engine).outcome else {
      Issue.record("a released reactor accepts")
      return
    }
    #expect(engine.activity == .released)
  }

  @Test func `an engine is unused, idle, working, ending and ended`() async {
    let gate = Gate()
    let reactor = ScriptedReactor { _, _ in .run { _ in await gate.pass() } }
    let engine = reactor.pipeline.engine
    #expect(engine.activity == .unused)
    _ = await reactor.currentState
    while engine.activity != .idle { await Task.yield() }
    reactor.send(1)
    await gate.reached()
    #expect(engine.activity == .working)
    let stopped = reactor.stop()
    while engine.activity == .working { await Task.yield() }
    #expect(engine.activity == .ending)
    gate.open()
    await stopped.settled
    #expect(engine.activity == .ended)
  }

  @Test func `a follower is shown each state, and takes part in the end`() async {
    let reactor = ScriptedReactor()
    let follower = LoggingFollower()
    reactor.pipeline.engine.withFollowers { $0.append(follower) }
    await reactor.send(1).settled
    await reactor.stop(.drain).settled
    await reactor.restart()
    await reactor.send(2).settled
    await reactor.stop().settled
    #expect(
      follower.calls.entries == [
        "begin []", "follow [1]", "drain", "drain", "end", "begin [1]", "follow [1, 2]", "end",
      ])
  }

  @Test func `a stop waits until the engine's hold is released`() async {
    let (gate, reactor) = (Gate(), ScriptedReactor())
    let engine = reactor.pipeline.engine(of: reactor)
    _ = await reactor.currentState
    engine.keepOpen { await gate.pass() }
    let stopped = reactor.stop()
    await gate.reached()
    #expect(!stopped.isSettled)
    gate.open()
    await stopped.settled
  }
}

/// Says what it is called with; the first drain has something to wait for.
private final class LoggingFollower: EngineFollower {
  typealias State = [Int]

  let calls = Log<String>()
  private let hasDrained = Guarded(false)

  var followsStates: Bool { true }

  func begin(with state: [Int]) { calls.append("begin \(state)") }

  func follow(_ state: [Int]) { calls.append("follow \(state)") }

  func drain() -> EngineWait? {
    calls.append("drain")
    let isFirst = hasDrained.withLock { hasDrained in
      defer { hasDrained = true }
      return !hasDrained
    }
    if isFirst { return {} }
    return nil
  }

  func end() -> EngineWait? {
    calls.append("end")
    return nil
  }
}
