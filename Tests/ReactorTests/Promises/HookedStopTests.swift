import AsyncAlgorithms
import Reactor
import TestLimits
import TestSupport
import Testing

/// Stopping where a hook is between an action and its turn, or its state.
@Suite(.bounded) struct HookedStopTests {
  @Test func `stop ends both effects if a hook makes two actions of one`() async {
    let gate = Gate()
    let ended = Log<Bool>()
    let reactor = ActionHookedReactor { _, action in
      Erased(action.flatMap { action in [action, action + 1].async })
    } _: { _, action in
      .run { emit in
        try? await gate.wait()
        ended.append(Task.isCancelled)
      }
    }
    reactor.send(1)
    await gate.reached(by: 2)
    await reactor.stop().settled
    #expect(ended.entries == [true, true])
  }

  @Test func `with both hooks, what was sent before stop and taken is reduced`() async {
    let gate = Gate()
    let reactor = TwoHooksReactor(gate)
    let receipt = reactor.send(1)
    await gate.reached()
    let stopped = reactor.stop()
    // Something of the reactor's own, after which the stop has been seen.
    await reactor.turn { _ in }
    await reactor.turn { _ in }
    gate.open()
    await receipt.settled
    await stopped.settled
    let isReduced = await reactor.currentState == [1]
    #expect(isReduced || reactor.reports.count > 0)
  }

  @Test func `with both hooks, stop from reduce lets the action finish`() async {
    let reactor = TwicePassing()
    await reactor.send(1).settled
    await reactor.stop().settled
    #expect(await reactor.currentState == [1, -7, 2, 3])
  }

  @Test func `a second stop does not wait for a mutation that a hook keeps`() async {
    let silent = AsyncStream<Int>.makeStream()
    let taken = Gate()
    let reactor = MutationHookedReactor { _, mutation in
      Erased(zip(mutation, silent.stream).map { $0.0 })
    } _: { _, action in
      taken.open()
      return .of(action, action + 1)
    }
    let receipt = reactor.send(1)
    await taken.pass()
    reactor.stop()
    await reactor.stop().settled
    await receipt.settled
    #expect(await reactor.currentState == [])
    silent.continuation.finish()
  }

  @Test func `after two stops before the hooks exist, a third discards what a hook keeps`() async {
    let silent = AsyncStream<Int>.makeStream()
    let taken = Gate()
    let reactor = MutationHookedReactor { _, mutation in
      Erased(zip(mutation, silent.stream).map { $0.0 })
    } _: { _, action in
      taken.open()
      return .just(action)
    }
    let stopped = await reactor.stopTwice(afterSending: 1)
    await taken.pass()
    reactor.stop()
    await stopped.settled
    #expect(await reactor.currentState == [])
    silent.continuation.finish()
  }

  @Test func `a stop from inside the hook passes what was sent before`() async {
    let reactor = MutationHookedReactor.make { reactor, number in if number == 3 { reactor?.stop() }
    }
    let receipts = await reactor.sendAll(1...10)
    for receipt in receipts { await receipt.settled }
    await reactor.stop().settled
    #expect(await reactor.currentState == Array(1...10))
    #expect(reactor.send(11).isRefused)
    #expect(reactor.reports.problems == ["actionRefused"])
  }

  @Test func `an expedited stop from inside the hook settles every receipt`() async {
    let reactor = MutationHookedReactor.make { reactor, number in
      guard number == 3 else { return }
      reactor?.stop()
      reactor?.stop()
    }
    let receipts = await reactor.sendAll(1...10)
    for receipt in receipts { await receipt.settled }
    await reactor.stop().settled
    #expect(await reactor.currentState.starts(with: [1, 2]))
  }

  @Test func `an expedited stop ends where an action of a lane was about to start`() async {
    let reactor = HookedInLane()
    let running = reactor.send(-1)
    let ready = reactor.send(-2)
    reactor.send(7)
    await reactor.inHook.reached()
    // Its slot is the other one's now, whose turn comes after that of the action in the hook.
    reactor.work.open()
    await running.settled
    _ = await reactor.laneDepths
    reactor.stop(.drain)
    let stopped = reactor.stop()
    reactor.inHook.open()
    await stopped.settled
    await ready.settled
    #expect(reactor.begun.entries == [-1])
    #expect(reactor.reports.problems == ["actionDropped"])
  }
}

extension MutationHookedReactor {
  /// Nothing of the reactor runs before this returns.
  fileprivate func stopTwice(afterSending action: Int) -> StopReceipt {
    send(action)
    stop()
    return stop()
  }
}

private actor HookedInLane: Reactor {
  typealias Action = Int
  typealias Mutation = Int
  typealias State = [Int]

  let initialState: [Int] = []
  let pipeline = Pipeline()
  let reports = ReportLog()
  let begun = Log<Int>()
  let work = Gate()
  let inHook = Gate()

  func lane(for action: Int) -> Lane? { action < 0 ? .sequential("a") : nil }

  func mutate(action: Int) -> MutationStream<Int> {
    if action > 0 { return .just(action) }
    begun.append(action)
    return .run { [work] _ in await work.pass() }
  }

  func transform(mutation: Mutations) -> some AsyncSequence<Int, Never> {
    mutation.map { [inHook] mutation in
      await inHook.pass()
      return mutation
    }
  }

  func reduce(state: inout [Int], mutation: Int) { state.append(mutation) }

  nonisolated func report(_ report: ReactorReport) { reports.append(report) }
}

private actor TwoHooksReactor: Reactor {
  typealias Action = Int
  typealias Mutation = Int
  typealias State = [Int]

  let initialState: [Int] = []
  let pipeline = Pipeline()
  let reports = ReportLog()
  let gate: Gate

  init(_ gate: Gate) { self.gate = gate }

  func transform(action: Actions) -> some AsyncSequence<Int, Never> { action.map { $0 } }

  func transform(mutation: Mutations) -> some AsyncSequence<Int, Never> {
    mutation.map { [gate] mutation in
      await gate.pass()
      return mutation
    }
  }

  func reduce(state: inout [Int], mutation: Int) { state.append(mutation) }

  nonisolated func report(_ report: ReactorReport) { reports.append(report) }
}

private actor TwicePassing: Reactor {
  typealias Action = Int
  typealias Mutation = Int
  let initialState: [Int] = []
  let pipeline = Pipeline()

  func transform(action: Actions) -> some AsyncSequence<Int, Never> { action.map { $0 } }
  func mutate(action: Int) -> MutationStream<Int> { .of(1, -7, 2, 3) }
  func transform(mutation: Mutations) -> some AsyncSequence<Int, Never> { mutation.map { $0 } }

  func reduce(state: inout [Int], mutation: Int) {
    state.append(mutation)
    if mutation == -7 { stop() }
  }
}
