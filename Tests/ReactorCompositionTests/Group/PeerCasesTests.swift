import Reactor
import ReactorComposition
import TestLimits
import TestSupport
import Testing

/// The acceptance cases of other libraries that speak of several stores, by their numbers there.
///
/// | Case | What it says | Where |
/// |---|---|---|
/// | 4 | concurrent first accesses make one | here, of a registry's key |
/// | 11, 13 | observers see each state once, in one order | here, of combined states |
/// | 22 | a lane by a key is one reactor's own | `LanePolicyTests` |
/// | 37 | what has finished leaves no bookkeeping | `GroupMembersTests`, `OnePerKeyTests` |
/// | 40 | cancelling a tracked send cancels what it caused elsewhere | here |
/// | 41 | a released reactor ends its effects | here, of one that its group does not keep |
/// | 42 | a drain ends what runs, and refuses what comes | `GroupStopTests` |
/// | 45 | a parent ends after its attached children, not after detached ones | here |
/// | 56 | a burst gives one notification | `SendTogetherTests` |
///
/// Left out: 7, 12, 14, 26 to 28, 33, 38, 39, 43, 47, 49, 50 and 54, which are not written down;
/// all others are about one store, and are among the tests of one reactor.
@Suite(.bounded) struct PeerCasesTests {
  @Test func `4: a hundred concurrent first uses of one key create one reactor`() async throws {
    let made = Log<Int>()
    let registry = ReactorRegistry<Int, ScriptedReactor>(
      idle: .steps(1), clock: ManualClock()
    ) { id in
      made.append(id)
      return ScriptedReactor()
    }
    try await withThrowingTaskGroup(of: Void.self) { group in
      for number in 0..<100 { group.addTask { try await registry[1].send(number) } }
      try await group.waitForAll()
    }
    #expect(made.entries == [1])
    try await registry.with(1) { reactor in
      await reactor.send(100).settled
      #expect(await reactor.currentState.count == 101)
    }
  }

  @Test func `11 and 13: two observers of combined states see the same, none skipped`() async {
    let (one, two) = (ScriptedReactor(), ScriptedReactor())
    let group = ReactorGroup<Int>()
    group.add(one)
    group.add(two)
    let both = combining(one.state, two.state)
    let observers = (0..<2).map { _ in
      Task.immediate {
        var counts: [Int] = []
        for await (first, second) in both {
          #expect(first.count == second.count)
          counts.append(first.count)
          if first.count == 50 { return counts }
        }
        return counts
      }
    }
    for number in 0..<50 { await group.send(number).settled }
    for observer in observers {
      let counts = await observer.value
      #expect(counts == Array(0...50))
    }
  }

  @Test func `40: cancelling what is tracked cancels what it caused in a member`() async {
    let gate = Gate()
    let ended = Log<Bool>()
    let member = ScriptedReactor { _, _ in
      .run { _ in
        try? await gate.wait()
        ended.append(Task.isCancelled)
      }
    }
    let group = ReactorGroup<Int>()
    group.add(member)
    let parent = ScriptedReactor { _, action in
      group.send(action)
      return .empty
    }
    let receipt = parent.sendTracked(1)
    await gate.reached()
    receipt.cancel()
    await receipt.settled
    #expect(await ended.entries(upTo: 1) == [true])
  }

  @Test func `41: a member that is not retained is released, and its effect is cancelled`() async {
    let (gate, ended) = (Gate(), Gate())
    let group = ReactorGroup<Int>()
    do {
      let member = ScriptedReactor { _, _ in
        .run { _ in
          try? await gate.wait()
          ended.open()
        }
      }
      group.add(member)
      group.send(1)
      await gate.reached()
    }
    await ended.pass()
    #expect(group.send(2).recipients.isEmpty)
  }

  @Test func `45: a parent has ended after its attached children, not after detached ones`()
    async
  {
    let (attached, detached) = (Gate(), Gate())
    let child = ScriptedReactor { _, action in
      .run { emit in
        await (action == 1 ? attached : detached).pass()
        await emit(action)
      }
    }
    let parent = ScriptedReactor { _, _ in
      .run { _ in
        child.send(1)
        await Task.detached { _ = child.send(2) }.value
      }
    }
    let receipt = parent.sendTracked(0)
    await attached.reached()
    await detached.reached()
    attached.open()
    await receipt.settled
    #expect(await child.currentState == [1])
    detached.open()
    #expect(await child.state.first { $0.count == 2 } == [1, 2])
  }
}
