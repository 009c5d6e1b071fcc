import Reactor
import ReactorComposition
import TestLimits
import TestSupport
import Testing

@Suite(.bounded) struct GroupStopTests {
  @Test func `a drain completes the work of all members`() async {
    let gate = Gate()
    let slow = ScriptedReactor { _, action in
      .run { emit in
        try await gate.wait()
        await emit(action)
      }
    }
    let quick = ScriptedReactor()
    let group = ReactorGroup<Int>()
    group.add(slow)
    group.add(quick)
    group.send(1)
    let stopped = group.stop(.drain)
    gate.open()
    await stopped.settled
    #expect(await stopped.abandoned.isEmpty)
    #expect(await slow.currentState == [1])
    #expect(Set(group.send(2).refusals.map(\.reactor)) == [slow.identity, quick.identity])
  }

  @Test func `a drain returns what it had to abandon, with the member's identity`() async {
    let (clock, gate) = (ManualClock(), Gate())
    let stuck = ScriptedReactor { _, _ in .run { _ in await gate.pass() } }
    let quick = ScriptedReactor()
    let group = ReactorGroup<Int>()
    group.add(quick)
    group.add(stuck)
    group.send(1)
    group.send(2)
    await gate.reached(by: 2)
    async let late = group.stop(.drain, within: .steps(1), clock: clock)
    await clock.advance(past: 1)
    let abandoned = await late
    #expect(abandoned.map(\.reactor) == [stuck.identity])
    #expect(abandoned.first?.actions.map { $0.action as? Int } == [1, 2])
    #expect("\(abandoned[0])".hasPrefix("\(stuck.identity): #0"))
    gate.open()
  }

  @Test func `actions sent before a drain reach members that come after others`() async throws {
    let (login, list) = (HeldReactor(), ScriptedReactor())
    let group = ReactorGroup<Int>()
    group.add(login)
    try group.add(list, after: login)
    login.hold()
    let receipt = group.send(1)
    let stopped = group.stop(.drain)
    login.release()
    await stopped.settled
    #expect(receipt.refusals.isEmpty)
    #expect(await list.currentState == [1])
  }

  @Test func `a second stop ends a drain`() async {
    let gate = Gate()
    let stuck = ScriptedReactor { _, _ in .run { _ in try await gate.wait() } }
    let group = ReactorGroup<Int>()
    group.add(stuck)
    group.send(1)
    await gate.reached()
    let drained = group.stop(.drain)
    group.stop()
    await drained.settled
    #expect(await drained.abandoned.map(\.reactor) == [stuck.identity])
  }

  @Test func `cancelling the task of a drain ends its time`() async {
    let gate = Gate()
    let stuck = ScriptedReactor { _, _ in .run { _ in await gate.pass() } }
    let group = ReactorGroup<Int>()
    group.add(stuck)
    group.send(1)
    await gate.reached()
    let task = Task { await group.stop(.drain, within: .seconds(1000), clock: ManualClock()) }
    task.cancel()
    #expect(await task.value.map(\.reactor) == [stuck.identity])
    gate.open()
  }

  @Test func `restarted members take part again`() async {
    let reactor = ScriptedReactor()
    let group = ReactorGroup<Int>()
    group.add(reactor)
    await group.send(1).settled
    await group.stop().settled
    await reactor.restart()
    await group.send(2).settled
    #expect(await reactor.currentState == [1, 2])
  }

  @Test func `the time of a drain ends although a member's turn never ends`() async throws {
    let (clock, gate) = (ManualClock(), Gate())
    let (stuck, list) = (GatedHookReactor(gate), ScriptedReactor())
    let group = ReactorGroup<Int>()
    group.add(stuck)
    try group.add(list, after: stuck)
    let receipt = group.send(1)
    await gate.reached()
    async let late = group.stop(.drain, within: .steps(1), clock: clock)
    await clock.advance(past: 1)
    _ = await late
    #expect(Set(group.send(2).refusals.map(\.reactor)) == [stuck.identity, list.identity])
    gate.open()
    await receipt.settled
    #expect(await list.currentState == [])
  }
}

/// Its turns wait at a gate, where its mutations pass a hook.
private actor GatedHookReactor: MutationTransforming {
  typealias Action = Int
  typealias Mutation = Int

  let initialState: [Int] = []
  let pipeline = Pipeline()
  private let gate: Gate

  init(_ gate: Gate) { self.gate = gate }

  nonisolated func report(_ report: ReactorReport) {}

  func transform(mutation: Mutations) -> some AsyncSequence<Int, Never> {
    let gate = gate
    return mutation.map { mutation in
      await gate.pass()
      return mutation
    }
  }

  func reduce(state: inout [Int], mutation: Int) { state.append(mutation) }
}
