import Reactor
import ReactorComposition
import TestLimits
import TestSupport
import Testing

@Suite(.bounded) struct GroupSendingTests {
  @Test func `members of different types take what the action is mapped to`() async {
    let (numbers, profile) = (ScriptedReactor(), ProfileReactor())
    let group = ReactorGroup<AppAction>()
    group.add(numbers) { action in if case .add(let number) = action { number } else { nil } }
    group.add(profile) { action in
      switch action {
      case .add(let number): .setAge(number)
      case .rename(let name): .setName(name)
      case .clear: nil
      }
    }
    await group.send(.add(3)).settled
    await group.send(.rename("Ann")).settled
    #expect(await numbers.currentState == [3])
    #expect(await profile.currentState == ProfileReactor.State(name: "Ann", age: 3))
  }

  @Test func `the receipt's recipients are the members that take the action, no others`() {
    let (numbers, profile) = (ScriptedReactor(), ProfileReactor())
    let group = ReactorGroup<AppAction>()
    group.add(numbers) { action in if case .add(let number) = action { number } else { nil } }
    group.add(profile) { action in
      if case .rename(let name) = action { .setName(name) } else { nil }
    }
    #expect(group.send(.rename("Ann")).recipients == [profile.identity])
    #expect(group.send(.clear).recipients.isEmpty)
    #expect(group.members == [numbers.identity, profile.identity])
  }

  @Test func `a receipt settles when the work of all has ended`() async {
    let gate = Gate()
    let quick = ScriptedReactor()
    let slow = ScriptedReactor { _, action in
      .run { emit in
        try await gate.wait()
        await emit(action)
      }
    }
    let group = ReactorGroup<Int>()
    group.add(quick)
    group.add(slow)
    let receipt = group.send(1)
    await receipt.taken
    #expect(await quick.currentState == [1])
    #expect(await slow.currentState == [])
    gate.open()
    await receipt.settled
    #expect(await slow.currentState == [1])
  }

  @Test func `a receipt has the outcome of each member's work`() async {
    let (fine, failing) = (
      ScriptedReactor(), ScriptedReactor { _, _ in .run { _ in throw Failure() } }
    )
    let group = ReactorGroup<Int>()
    group.add(fine)
    group.add(failing)
    let outcomes = await group.send(1).outcomes
    #expect(outcomes.map(\.reactor) == [fine.identity, failing.identity])
    #expect(outcomes[0].outcome.isFinished)
    if case .failed(let error) = outcomes[1].outcome {
      #expect(error is Failure)
    } else {
      Issue.record("\(outcomes[1].outcome)")
    }
  }

  @Test func `cancelling a receipt cancels the work of all`() async {
    let gate = Gate()
    let effect: ScriptedReactor.Script = { _, action in
      .run { emit in
        try await gate.wait()
        await emit(action)
      }
    }
    let (one, two) = (ScriptedReactor(effect), ScriptedReactor(effect))
    let group = ReactorGroup<Int>()
    group.add(one)
    group.add(two)
    let receipt = group.send(1)
    await gate.reached(by: 2)
    receipt.cancel()
    await receipt.settled
    #expect(await one.currentState == [])
    #expect(await two.currentState == [])
  }

  @Test func `a stopped member is in the refusals, and the others get the action`() async {
    let (stopped, other) = (ScriptedReactor(), ScriptedReactor())
    let group = ReactorGroup<Int>()
    group.add(stopped)
    group.add(other)
    await stopped.stop().settled
    let receipt = group.send(1)
    #expect(receipt.refusals == [GroupRefusal(reactor: stopped.identity, reason: .stopped)])
    #expect(stopped.reports.problems == ["actionRefused"])
    await receipt.settled
    #expect(await other.currentState == [1])
    #expect("\(receipt.refusals[0])" == "\(stopped.identity): stopped")
  }

  @Test func `a full member is in the refusals, and the others get the action`() async {
    let (full, other) = (BoundedReactor(room: 1), BoundedReactor(room: 9))
    let group = ReactorGroup<Int>()
    group.add(full)
    group.add(other)
    let receipts = await full.turn { _ in [group.send(1), group.send(2)] }
    #expect(receipts[0].refusals.isEmpty)
    #expect(receipts[1].refusals == [GroupRefusal(reactor: full.identity, reason: .inboxFull)])
    for receipt in receipts { await receipt.settled }
    #expect(await full.currentState == [1])
    #expect(await other.currentState == [1, 2])
  }

  @Test func `all or none: where one is full, no member gets the action`() async {
    let (full, other) = (BoundedReactor(room: 1), ScriptedReactor())
    let group = ReactorGroup<Int>(delivering: .allOrNone)
    group.add(full)
    group.add(other)
    let receipts = await full.turn { _ in [group.send(1), group.send(2), group.send(3)] }
    #expect(receipts[0].refusals.isEmpty)
    #expect(receipts[1].refusals == [GroupRefusal(reactor: full.identity, reason: .inboxFull)])
    #expect(Set(receipts[1].recipients) == [full.identity, other.identity])
    for receipt in receipts { await receipt.settled }
    #expect(await full.currentState == [1])
    #expect(await other.currentState == [1])
    #expect(other.reports.problems == [])
  }

  @Test func `all or none: where one is stopped, no member gets the action`() async {
    let (stopped, other) = (ScriptedReactor(), ScriptedReactor())
    let group = ReactorGroup<Int>(delivering: .allOrNone)
    group.add(stopped)
    group.add(other)
    await group.send(1).settled
    await stopped.stop().settled
    let receipt = group.send(2)
    #expect(receipt.refusals == [GroupRefusal(reactor: stopped.identity, reason: .stopped)])
    await receipt.settled
    #expect(await other.currentState == [1])
  }

  @Test func `all or none holds while others send to members directly`() async {
    for _ in 0..<TestCounts.rounds(200) {
      let (one, two) = (BoundedReactor(room: 3), BoundedReactor(room: 3))
      let group = ReactorGroup<Int>(delivering: .allOrNone)
      group.add(one)
      group.add(two)
      await withTaskGroup(of: Void.self) { tasks in
        for task in 0..<4 {
          tasks.addTask {
            for number in 1...10 {
              switch task {
              case 0: one.send(-number)
              case 1: two.send(-number)
              default: group.send(task * 100 + number)
              }
            }
          }
        }
      }
      await one.send(0).settled
      await two.send(0).settled
      let states = await [one.currentState, two.currentState].map { $0.filter { $0 > 0 } }
      #expect(states[0] == states[1])
    }
  }

  @Test func `broadcasts of many threads reach all members in one order`() async {
    for _ in 0..<TestCounts.rounds(20) {
      let members = (0..<5).map { _ in ScriptedReactor() }
      let group = ReactorGroup<Int>()
      for member in members { group.add(member) }
      await withTaskGroup(of: Void.self) { tasks in
        for task in 0..<8 {
          tasks.addTask { for number in 0..<100 { group.send(task * 1000 + number) } }
        }
      }
      var states: [[Int]] = []
      for member in members {
        await member.send(-1).settled
        states.append(await member.currentState)
      }
      #expect(states[0].count == 801)
      #expect(Set(states).count == 1)
      for task in 0..<8 {
        #expect(
          states[0].filter { $0 / 1000 == task && $0 >= 0 }.map { $0 % 1000 } == Array(0..<100))
      }
    }
  }

  @Test func `groups that share members share one order`() async {
    for _ in 0..<TestCounts.rounds(20) {
      let members = (0..<4).map { _ in ScriptedReactor() }
      // In a chain: each two next to one another have a group.
      let groups = (0..<3).map { index in
        let group = ReactorGroup<Int>()
        group.add(members[index])
        group.add(members[index + 1])
        return group
      }
      let all = ReactorGroup<Int>()
      for member in members { all.add(member) }
      await withTaskGroup(of: Void.self) { tasks in
        for (index, group) in (groups + [all]).enumerated() {
          tasks.addTask { for number in 0..<100 { group.send(index * 1000 + number) } }
        }
      }
      var states: [[Int]] = []
      for member in members {
        await member.send(-1).settled
        states.append(await member.currentState)
      }
      for index in 0..<3 {
        let shared = Set(states[index]).intersection(states[index + 1])
        #expect(
          states[index].filter(shared.contains) == states[index + 1].filter(shared.contains))
      }
    }
  }

  @Test func `a member may send to its own group from reduce`() async {
    let group = ReactorGroup<Int>()
    let echo = ScriptedReactor(
      onReduce: { _, mutation in if mutation < 5 { group.send(mutation + 1) } },
      script: ScriptedReactor.echo)
    let other = ScriptedReactor()
    group.add(echo)
    group.add(other)
    group.send(1)
    #expect(await other.state.first { $0.count == 5 } == [1, 2, 3, 4, 5])
    #expect(await echo.state.first { $0.count == 5 } == [1, 2, 3, 4, 5])
    await group.stop().settled
  }

  @Test func `what a tracked action sends to a group belongs to it`() async {
    let gate = Gate()
    let group = ReactorGroup<Int>()
    let slow = ScriptedReactor { _, action in
      .run { emit in
        try await gate.wait()
        await emit(action)
      }
    }
    group.add(slow)
    let origin = ScriptedReactor { _, action in
      group.send(action)
      return .empty
    }
    let receipt = origin.sendTracked(7)
    await gate.reached()
    gate.open()
    await receipt.settled
    #expect(await slow.currentState == [7])
  }

  @Test func `an empty group accepts any action`() async {
    let group = ReactorGroup<Int>()
    let receipt = group.send(1)
    await receipt.settled
    #expect(receipt.recipients.isEmpty)
    #expect(await group.snapshot().isComplete)
    #expect(await group.stop(.drain, within: .seconds(1)).isEmpty)
  }
}

enum AppAction: Sendable, Equatable { case add(Int), rename(String), clear }

/// A reactor with a bounded inbox; its state is the list of what was sent.
actor BoundedReactor: Reactor {
  typealias Action = Int
  typealias Mutation = Int

  let initialState: [Int] = []
  let pipeline: ReactorPipeline<BoundedReactor>
  nonisolated let reports = ReportLog()

  init(room: Int) { pipeline = Pipeline(inboxLimit: room) }

  func reduce(state: inout [Int], mutation: Int) { state.append(mutation) }

  nonisolated func report(_ report: ReactorReport) { reports.append(report) }
}
