import ReactorRuntime
import TestLimits
import TestSupport
import Testing

@testable import Reactor
@testable import ReactorComposition

/// A child that has ended by the time that its parent looks.
@Suite(.bounded) struct PromptChildTests {
  @Test func `work that is cut short in a child is reported with its action`() async {
    let gate = Gate()
    let (parent, child) = (
      ScriptedReactor(), ScriptedReactor { _, _ in .run { _ in try await gate.wait() } }
    )
    parent.pipeline.engine.withFollowers { $0.append(PromptFollower(child)) }
    _ = await parent.currentState
    child.send(1)
    await gate.reached()
    let abandoned = await parent.stop().abandoned
    #expect(abandoned.map(\.actions.count) == [1])
  }
}

/// Returns from `end()` once the child has ended, as a child on another thread may have.
private final class PromptFollower: EngineFollower {
  typealias State = [Int]

  private let child: ScriptedReactor
  private let stops = Guarded(ChildStops())

  init(_ child: ScriptedReactor) { self.child = child }

  var followsStates: Bool { true }

  func end() -> EngineWait? {
    let end = ChildEntry(child: child, outputs: nil, number: 1, round: 0).end(.cancel)
    while !end.stopped.isSettled {}
    let stops = ChildStops(of: [end])
    self.stops.withLock { $0 = stops }
    if stops.isEmpty { return nil }
    return { await end.stopped.settled }
  }

  nonisolated(nonsending) func abandoned() async -> [AbandonedWork] {
    await stops.withLock { $0 }.abandoned()
  }
}
