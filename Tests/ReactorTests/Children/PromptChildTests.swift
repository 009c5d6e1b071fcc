import TestLimits
import TestSupport
import Testing

@testable import Reactor

/// A child that has ended by the time that its parent looks.
@Suite(.bounded) struct PromptChildTests {
  @Test func `what was cut short in it is named`() async {
    let gate = Gate()
    let (parent, child) = (
      ScriptedReactor(), ScriptedReactor { _, _ in .run { _ in try await gate.wait() } }
    )
    parent.pipeline.core.adopt(PromptKeeper(child))
    _ = await parent.currentState
    child.send(1)
    await gate.reached()
    let abandoned = await parent.stop().abandonedWork(of: parent.identity)
    #expect(abandoned.map(\.actions.count) == [1])
  }
}

/// Returns from `end()` once the child has ended, as a child on another thread may have.
private final class PromptKeeper: ChildKeeper {
  typealias State = [Int]
  typealias Mutation = Int

  private let child: ScriptedReactor

  init(_ child: ScriptedReactor) { self.child = child }

  func follow(_ state: [Int], of parent: any ChildParent<Int>) {}

  func drain() -> [ChildEnd] { [] }

  func end() -> [ChildEnd] {
    let hadEnded = child.pipeline.core.hasEverythingEnded
    let stopped = child.stop()
    while !stopped.isSettled {}
    return [
      ChildEnd(
        child: child, identity: child.identity, hadEnded: hadEnded, stopped: stopped, outputs: nil)
    ]
  }
}
