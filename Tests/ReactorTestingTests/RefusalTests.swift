import Reactor
import ReactorTesting
import Testing
import TestLimits

/// Actions that are not taken.
@Suite(.bounded) struct RefusalTests {
  private func test(
    _ body: @escaping @Sendable (ReactorTest<NarrowReactor>) async -> Void
  ) async throws {
    try await simulate { simulation in
      let test = await ReactorTest(NarrowReactor(), in: simulation)
      await body(test)
      await test.finish()
    }
  }

  @Test func `a full inbox refuses`() async throws {
    try await test { test in
      for number in 1...2 { test.reactor.send(number) }
      await test.sendRefused(3, because: .inboxFull)
      await test.receive(1) { $0 = [1] }
      await test.receive(2) { $0 = [1, 2] }
      await test.send(4) { $0 = [1, 2, 4] }
    }
  }

  @Test func `a stopped reactor refuses`() async throws {
    try await test { test in
      await test.reactor.stop().settled
      await test.sendRefused(1, because: .stopped)
    }
  }

  @Test func `a full lane refuses`() async throws {
    try await simulate { simulation in
      let test = await ReactorTest(LineReactor(clock: simulation.clock), in: simulation)
      for number in 1...2 { await test.send(number) }
      await test.sendRefused(3, because: .laneFull("disk"))
      await simulation.advance(by: .seconds(2))
      await test.receive(1) { $0 = [1] }
      await test.receive(2) { $0 = [1, 2] }
      await test.finish()
    }
  }

  @Test func `an action that a lane was expected to refuse, and takes`() async {
    let texts = await texts {
      try await test { test in
        await test.sendRefused(1, because: .laneFull("disk"))
        await test.receive(1) { $0 = [1] }
      }
    }
    #expect(
      texts == [
        "'1' was to be refused, and NarrowReactor took it: lane 'disk' was not full; use send"
      ])
  }

  @Test func `an action that was expected to be refused, and is taken`() async {
    let texts = await texts {
      try await test { test in
        await test.sendRefused(1, because: .inboxFull)
        await test.receive(1) { $0 = [1] }
        await test.sendRefused(2, because: .stopped)
        await test.receive(2) { $0 = [1, 2] }
      }
    }
    #expect(
      texts == [
        "'1' was to be refused, and NarrowReactor took it: its inbox was not full; use send",
        "'2' was to be refused, and NarrowReactor took it: it had not been stopped; use send",
      ])
  }

  @Test func `an action that is refused for another reason`() async {
    let texts = await texts {
      try await test { test in
        await test.reactor.stop().settled
        await test.sendRefused(1, because: .inboxFull)
      }
    }
    #expect(
      texts == [
        "'1' was to be refused because of .inboxFull, and was because of .stopped: "
          + "NarrowReactor#n: action '1' was refused: the reactor has been stopped"
      ])
  }

  @Test func `an action that was expected to be taken, and is refused`() async {
    let texts = await texts {
      try await test { test in
        await test.reactor.stop().settled
        await test.send(1)
      }
    }
    #expect(
      texts == [
        "send(1) was refused; if it is to be, use sendRefused(1, because: .stopped): "
          + "NarrowReactor#n: action '1' was refused: the reactor has been stopped"
      ])
  }

  @Test func `an action that a hook holds`() async {
    let texts = await texts {
      try await simulate { simulation in
        let test = await ReactorTest(FilteringReactor(), in: simulation)
        await test.send(1) { $0 = 1 }
        await test.send(-1)
        await test.finish()
      }
    }
    #expect(
      texts == [
        "send(-1) was not taken; if transform(action:) keeps it, use test.reactor.send(-1), "
          + "and receive what it changes when it is passed on"
      ])
  }
}

/// Two actions may wait.
private actor NarrowReactor: Reactor {
  typealias Action = Int

  let initialState: [Int] = []
  let pipeline = Pipeline(inboxLimit: 2)

  func reduce(state: inout [Int], mutation: Int) { state.append(mutation) }
}

/// One change takes a second, and one may wait.
private actor LineReactor: Reactor {
  typealias Action = Int
  typealias Mutation = Int

  let initialState: [Int] = []
  let pipeline = Pipeline()
  let clock: SimulatedClock

  init(clock: SimulatedClock) { self.clock = clock }

  func lane(for action: Int) -> Lane? {
    .sequential("disk", waitingLimit: 1)
  }

  func mutate(action: Int) -> MutationStream<Int> {
    .run { emit in
      try await self.clock.sleep(for: .seconds(1))
      await emit(action)
    }
  }

  func reduce(state: inout [Int], mutation: Int) { state.append(mutation) }
}

/// Its hook lets through what is positive.
private actor FilteringReactor: Reactor {
  typealias Action = Int

  let initialState = 0
  let pipeline = Pipeline()

  func transform(action: Actions) -> some AsyncSequence<Int, Never> { action.filter { $0 > 0 } }

  func reduce(state: inout Int, mutation: Int) { state = mutation }
}
