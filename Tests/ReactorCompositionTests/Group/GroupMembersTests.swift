import Reactor
import ReactorComposition
import TestLimits
import TestSupport
import Testing

/// Members come and go.
@Suite(.bounded) struct GroupMembersTests {
  @Test func `a group does not retain its members, and a released member leaves`() async {
    let group = ReactorGroup<Int>()
    let stays = ScriptedReactor()
    group.add(stays)
    var goes: ScriptedReactor? = ScriptedReactor()
    let released = goes?.released
    if let goes { group.add(goes) }
    await group.send(1).settled
    goes = nil
    await released?.pass()
    #expect(group.members == [stays.identity])
    let receipt = group.send(2)
    #expect(receipt.recipients == [stays.identity])
    #expect(receipt.refusals.isEmpty)
  }

  @Test func `a group retains a kept member until that is removed or the group is released`() async
  {
    var group: ReactorGroup<Int>? = ReactorGroup<Int>()
    let gates = [true, false].map { isRemoved in
      let reactor = ScriptedReactor()
      group?.add(reactor, keeping: true)
      if isRemoved { group?.remove(reactor) }
      return reactor.released
    }
    await gates[0].pass()
    #expect(!gates[1].isOpen)
    #expect(group?.members.count == 1)
    group = nil
    await gates[1].pass()
  }

  @Test func `a member that is added again is mapped as it was added last`() async {
    let reactor = ScriptedReactor()
    let group = ReactorGroup<Int>()
    group.add(reactor) { $0 }
    group.add(reactor) { $0 * 10 }
    await group.send(1).settled
    #expect(await reactor.currentState == [10])
    group.remove(reactor)
    group.remove(reactor)
    await group.send(2).settled
    #expect(await reactor.currentState == [10])
  }

  @Test func `what was sent before a member left still reaches it`() async throws {
    let (login, list) = (HeldReactor(), ScriptedReactor())
    let group = ReactorGroup<Int>()
    group.add(login)
    try group.add(list, after: login)
    login.hold()
    let receipt = group.send(1)
    group.remove(list)
    group.send(2)
    login.release()
    await receipt.settled
    #expect(await list.currentState == [1])
  }

  @Test func `a member under a key is called for its actions only`() async {
    let group = ReactorGroup<Int>()
    let asked = Log<Int>()
    let byTens = group.index { $0 < 0 ? nil : $0 / 10 }
    let rooms = (0..<10).map { room in
      let reactor = ScriptedReactor()
      byTens.add(reactor, at: [room, 99]) { action in
        asked.append(room)
        return action
      }
      return reactor
    }
    let audit = ScriptedReactor()
    group.add(audit)
    await group.send(34).settled
    await group.send(-1).settled
    #expect(asked.entries == [3])
    #expect(await rooms[3].currentState == [34])
    #expect(await audit.currentState == [34, -1])
    #expect(group.send(991).recipients.count == 11)
    group.remove(rooms[3])
    #expect(group.send(34).recipients == [audit.identity])
    #expect(group.members.count == 10)
  }

  @Test func `a group may have several indexes`() async {
    let group = ReactorGroup<Int>()
    let (one, two) = (ScriptedReactor(), ScriptedReactor())
    group.index { $0 % 2 }.add(one, at: 1)
    group.index { $0 / 10 }.add(two, at: 1)
    for action in [1, 10, 11, 22] { await group.send(action).settled }
    #expect(await one.currentState == [1, 11])
    #expect(await two.currentState == [10, 11])
  }

  @Test func `broadcasts of 8 threads while members join and leave`() async {
    let group = ReactorGroup<Int>()
    let byParity = group.index { $0 % 2 }
    let stays = (0..<3).map { _ in ScriptedReactor() }
    for reactor in stays { group.add(reactor) }
    await withTaskGroup(of: Void.self) { tasks in
      for task in 0..<2 {
        tasks.addTask {
          for _ in 0..<TestCounts.rounds(300) {
            let (one, two) = (ScriptedReactor(), ScriptedReactor())
            byParity.add(one, at: task)
            try? group.add(two, after: stays[task])
            await one.send(-1).settled
            let states = await (one.currentState, two.currentState)
            #expect(states.0.allSatisfy { $0 < 0 || $0 % 2 == task })
            #expect(Set(states.1).count == states.1.count)
            if task == 0 { group.remove(one) }
          }
        }
      }
      for task in 0..<8 {
        tasks.addTask {
          for number in 0..<TestCounts.rounds(100) { group.send(task * 1000 + number) }
        }
      }
    }
    var states: [[Int]] = []
    for reactor in stays {
      await reactor.send(-1).settled
      states.append(await reactor.currentState)
    }
    #expect(states[0].count == 8 * TestCounts.rounds(100) + 1)
    #expect(Set(states).count == 1)
  }

  @Test func `nothing is retained of 10,000 members and groups`() async throws {
    let stays = ScriptedReactor()
    let group = ReactorGroup<Int>()
    let byNumber = group.index { $0 }
    group.add(stays) { _ in nil }
    var gates: [Gate] = []
    for number in 0..<TestCounts.rounds(10_000) {
      let (one, two) = (ScriptedReactor(), ScriptedReactor())
      byNumber.add(one, at: number)
      try group.add(two, after: one) { _ in nil }
      let other = ReactorGroup<Int>()
      other.add(one)
      try other.add(stays, after: two) { _ in nil }
      group.send(number)
      other.remove(stays)
      gates += [one.released, two.released]
    }
    for gate in gates { await gate.pass() }
    #expect(group.members == [stays.identity])
    #expect(stays.pipeline.orderCount == 0)
  }
}
