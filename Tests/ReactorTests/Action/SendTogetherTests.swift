import Reactor
import TestLimits
import TestSupport
import Testing

@Suite(.bounded) struct SendTogetherTests {
  @Test func `several actions are shown as one state`() async {
    let reactor = ScriptedReactor()
    let states = reactor.state
    var observer = states.makeAsyncIterator()
    #expect(await observer.next() == [])
    let receipts = reactor.sendTogether([1, 2, 3])
    #expect(await observer.next() == [1, 2, 3])
    reactor.send(4)
    #expect(await observer.next() == [1, 2, 3, 4])
    #expect(receipts.map { $0.actionNumber?.description } == ["0", "1", "2"])
  }

  @Test func `no other action comes between actions that are sent together`() async {
    let reactor = ScriptedReactor()
    await withTaskGroup(of: Void.self) { group in
      for thread in 0..<8 {
        group.addTask {
          for round in 0..<200 {
            let first = thread * 10_000 + round * 10
            reactor.sendTogether([first, first + 1, first + 2])
            reactor.send(-1)
          }
        }
      }
    }
    await reactor.stop(.drain).settled
    let taken = await reactor.currentState
    #expect(taken.count == 8 * 200 * 4)
    for (index, action) in taken.enumerated() where action >= 0 && action % 10 == 0 {
      #expect(Array(taken[index...(index + 2)]) == [action, action + 1, action + 2])
    }
  }

  @Test func `no observer sees an intermediate state, whenever it subscribes`() async {
    for round in 0..<200 {
      let reactor = ScriptedReactor()
      await withTaskGroup(of: Void.self) { group in
        group.addTask {
          for await state in reactor.state {
            #expect(state.count % 50 == 0, "round \(round)")
            if state.count == 200 { return }
          }
        }
        group.addTask {
          for await state in reactor.state.buffering(.newest) {
            #expect(state.count % 50 == 0, "round \(round)")
            if state.count == 200 { return }
          }
        }
        for _ in 0..<4 { group.addTask { reactor.sendTogether(Array(0..<50)) } }
      }
    }
  }

  @Test func `a batch larger than a job's share is still shown as one state`() async {
    let reactor = ScriptedReactor()
    var observer = reactor.state.makeAsyncIterator()
    _ = await observer.next()
    reactor.sendTogether(Array(0..<5_000))
    #expect(await observer.next()?.count == 5_000)
  }

  @Test func `an observer that subscribes during a batch waits for its end`() async {
    let reactor = ScriptedReactor { reactor, action in
      if action == 2 {
        let early = Log<[Int]>()
        Task { for await state in reactor.state { early.append(state) } }
      }
      return .just(action)
    }
    var observer = reactor.state.makeAsyncIterator()
    _ = await observer.next()
    for receipt in reactor.sendTogether([1, 2, 3]) { await receipt.settled }
    #expect(await observer.next() == [1, 2, 3])
  }

  @Test func `what an effect emits later is shown when it is emitted`() async {
    let gate = Gate()
    let reactor = ScriptedReactor { _, action in
      guard action == 1 else { return .just(action) }
      return .run { emit in
        await emit(1)
        try await gate.wait()
        await emit(10)
      }
    }
    var observer = reactor.state.makeAsyncIterator()
    _ = await observer.next()
    reactor.sendTogether([1, 2])
    #expect(await observer.next() == [1, 2])
    gate.open()
    #expect(await observer.next() == [1, 2, 10])
  }

  @Test func `two batches are two states`() async {
    let reactor = ScriptedReactor()
    var observer = reactor.state.makeAsyncIterator()
    _ = await observer.next()
    await reactor.turn { reactor in
      reactor.sendTogether([1, 2])
      reactor.sendTogether([3, 4])
      reactor.send(5)
    }
    #expect(await observer.next() == [1, 2])
    #expect(await observer.next() == [1, 2, 3, 4])
    #expect(await observer.next() == [1, 2, 3, 4, 5])
  }

  @Test func `actions that change nothing show nothing`() async {
    let reactor = ScriptedReactor { _, action in action == 9 ? .just(9) : .empty }
    var observer = reactor.state.makeAsyncIterator()
    _ = await observer.next()
    for receipt in reactor.sendTogether([1, 2]) { await receipt.settled }
    reactor.send(9)
    #expect(await observer.next() == [9])
  }

  @Test func `where not all of them fit, none is accepted`() async {
    let reactor = SmallInboxReactor()
    let (first, receipts) = await reactor.turn { reactor in
      (reactor.send(0), reactor.sendTogether([1, 2, 3]))
    }
    #expect(receipts.allSatisfy { $0.refusal == .inboxFull })
    await first.settled
    for receipt in reactor.sendTogether([4, 5, 6]) { await receipt.settled }
    #expect(await reactor.currentState == [0, 4, 5, 6])
    await reactor.stop().settled
    #expect(reactor.sendTogether([7]).map(\.refusal) == [.stopped])
    #expect(reactor.sendTogether([]).isEmpty)
  }

  @Test func `one action of a batch can be cancelled`() async {
    let reactor = ScriptedReactor()
    await reactor.turn { reactor in reactor.sendTogether([1, 2, 3])[1].cancel() }
    await reactor.stop(.drain).settled
    #expect(await reactor.currentState == [1, 3])
  }

  @Test func `with a stop behind a batch, the last state is shown`() async {
    let reactor = ScriptedReactor()
    let states = Task.immediate { await reactor.state.all() }
    await reactor.turn { reactor in
      reactor.sendTogether([1, 2, 3])
      reactor.stop()
    }
    #expect(await states.value.last == [1, 2, 3])
  }

  @Test func `a receipt of one action of a batch waits for that action's work`() async {
    let reactor = ScriptedReactor()
    let receipts = reactor.sendTogether([1, 2, 3])
    await receipts[0].settled
    #expect(await reactor.currentState == [1, 2, 3])
  }

  @Test func `behind hooks over mutations and states, a batch is one state as well`() async {
    let reactor = HookedTogetherReactor()
    var observer = reactor.state.makeAsyncIterator()
    #expect(await observer.next() == [])
    reactor.sendTogether([1, 2, 3])
    #expect(await observer.next() == [1, 2, 3])
  }

  @Test func `a hook that holds an action back does not delay states`() async {
    let gate = Gate()
    let reactor = HeldTogetherReactor(gate)
    var observer = reactor.state.makeAsyncIterator()
    #expect(await observer.next() == [])
    reactor.sendTogether([1, 2, 3])
    await gate.reached()
    #expect(await observer.next() == [1])
    gate.open()
    #expect(await observer.next() == [1, 2])
    #expect(await observer.next() == [1, 2, 3])
  }

  @Test func `an observer of the reactor is notified of each action`() async {
    let reactor = ScriptedReactor()
    let actions = reactor.actions()
    for receipt in reactor.sendTogether([1, 2]) { await receipt.settled }
    #expect(await actions.next() == 1)
    #expect(await actions.next() == 2)
  }
}

private actor SmallInboxReactor: Reactor {
  typealias Action = Int
  typealias Mutation = Int

  let initialState: [Int] = []
  let pipeline = Pipeline(inboxLimit: 3)

  func reduce(state: inout [Int], mutation: Int) { state.append(mutation) }

  nonisolated func report(_ report: ReactorReport) {}
}

private actor HookedTogetherReactor: Reactor {
  typealias Action = Int
  typealias Mutation = Int

  let initialState: [Int] = []
  let pipeline = Pipeline()

  func transform(mutation: Mutations) -> some AsyncSequence<Int, Never> { mutation.map { $0 } }

  func transform(state: States) -> some AsyncSequence<[Int], Never> { state.map { $0 } }

  func reduce(state: inout [Int], mutation: Int) { state.append(mutation) }
}

private actor HeldTogetherReactor: Reactor {
  typealias Action = Int
  typealias Mutation = Int

  let initialState: [Int] = []
  let pipeline = Pipeline()
  private let gate: Gate

  init(_ gate: Gate) { self.gate = gate }

  func transform(action: Actions) -> some AsyncSequence<Int, Never> {
    action.map { [gate] action in
      if action == 2 { await gate.pass() }
      return action
    }
  }

  func reduce(state: inout [Int], mutation: Int) { state.append(mutation) }
}
