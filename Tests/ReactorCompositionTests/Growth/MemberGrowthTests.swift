import Reactor
import ReactorComposition
import ReactorRuntime
import TestLimits
import TestSupport
import Testing

/// Members of a group cost in proportion to their number.
@Suite(.bounded) struct MemberGrowthTests {
  @Test func `members that join, take an action and leave`() async throws {
    let growth = try await Growth.of(250) { count in
      let group = ReactorGroup<Int>()
      let members = (0..<count).map { _ in TickReactor() }
      for member in members { group.add(member) }
      await group.send(1).settled
      _ = await group.snapshot()
      await group.stop().settled
      for member in members.reversed() { group.remove(member) }
    }
    #expect(growth < Growth.most)
  }

  @Test func `members under one key of an index`() async throws {
    let growth = try await Growth.of(500) { count in
      let group = ReactorGroup<Int>()
      let index = group.index { $0 }
      let members = (0..<count).map { _ in TickReactor() }
      for member in members { index.add(member, at: 1) { $0 } }
      await group.send(1).settled
      for member in members.reversed() { group.remove(member) }
    }
    #expect(growth < Growth.most)
  }

  @Test func `members that precede one member`() async throws {
    let growth = try await Growth.of(250) { count in
      let group = ReactorGroup<Int>()
      let (last, others) = (TickReactor(), (0..<count).map { _ in TickReactor() })
      for other in others { group.add(other) }
      for _ in 0..<2 { try group.add(last, after: others) }
      await group.send(1).settled
      group.remove(last)
    }
    #expect(growth < Growth.most)
  }

  @Test func `members with common predecessors`() async throws {
    let growth = try await Growth.of(25) { count in
      let group = ReactorGroup<Int>()
      let ranks = (0..<3).map { _ in (0..<count).map { _ in TickReactor() } }
      for member in ranks[0] { group.add(member) }
      try group.add(ranks[1][0], after: ranks[0])
      for member in ranks[2] { try group.add(member, after: ranks[1][0]) }
      let last = TickReactor()
      try group.add(last, after: ranks[2])
      await group.send(1).settled
    }
    #expect(growth < Growth.most)
  }

  @Test func `members each of which has the one before as its predecessor`() async throws {
    let growth = try await Growth.of(250) { count in
      let group = ReactorGroup<Int>()
      let members = (0..<count).map { _ in TickReactor() }
      group.add(members[0])
      for index in 1..<count {
        try group.add(members[index], after: members[index - 1])
      }
      await group.send(1).settled
    }
    #expect(growth < Growth.most)
  }

  @Test func `members that take an action all or none`() async throws {
    let growth = try await Growth.of(25) { count in
      let group = ReactorGroup<Int>(delivering: .allOrNone)
      let (first, others) = (TickReactor(), (0..<count).map { _ in TickReactor() })
      group.add(first)
      for other in others { try group.add(other, after: first) }
      for _ in 0..<10 { await group.send(1).settled }
    }
    #expect(growth < Growth.most)
  }

  @Test(arguments: [false, true], [false, true])
  func `tasks that wait for an action of a group, or its end`(
    isEnd: Bool, cancels: Bool
  ) async throws {
    let growth = try await Growth.of(500, isScaled: false) { count in
      let group = ReactorGroup<Int>()
      let (first, last) = (HeldAtGate(), TickReactor())
      // In this order, a task waits first for the member that has yet to get the action.
      try group.add(last, after: first)
      group.add(first)
      let receipt = group.send(1)
      let stop = isEnd ? group.stop(.drain) : nil
      let tasks = (0..<count).map { _ in
        PipelineTasks.inheriting {
          if let stop { await stop.settled } else { await receipt.settled }
        }
      }
      await first.gate.reached()
      if cancels { for task in tasks.reversed() { task.cancel() } }
      first.gate.open()
      for task in tasks { await task.value }
      await receipt.settled
      #expect(await last.currentState == 1)
    }
    #expect(growth < Growth.most)
  }
}

/// Its first turn lasts until a gate is open.
private actor HeldAtGate: Reactor {
  typealias Action = Int
  typealias Mutation = Int
  typealias State = Int

  let initialState = 0
  let pipeline = Pipeline()
  nonisolated let gate = Gate()

  func transform(action: Actions) -> some AsyncSequence<Int, Never> {
    action.map { [gate] number -> Int in
      await gate.pass()
      return number
    }
  }

  func reduce(state: inout Int, mutation: Int) { state += mutation }
}
