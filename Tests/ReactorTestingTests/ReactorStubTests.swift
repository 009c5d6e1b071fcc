import Reactor
import ReactorTesting
import Testing
import TestLimits

/// ReactorKit's cases 11 to 14, and the traps around them.
@Suite(.bounded) struct ReactorStubTests {
  @Test func `actions are recorded, in order`() async throws {
    let stub = try await ReactorStub(StopwatchReactor())
    for action: StopwatchReactor.Action in [.start, .start, .stop] { stub.reactor.send(action) }
    #expect(await stub.actions(upTo: 3) == [.start, .start, .stop])
  }

  @Test func `receipts settle`() async throws {
    let stub = try await ReactorStub(StopwatchReactor())
    await stub.reactor.send(.start).settled
    #expect(stub.actions == [.start])
  }

  @Test func `the state that is shown is the current state, each time`() async throws {
    let stub = try await ReactorStub(StopwatchReactor())
    #expect(await stub.reactor.currentState == 5)
    for state in [0, 1, -10, 30] {
      await stub.show(state)
      #expect(await stub.reactor.currentState == state)
    }
  }

  @Test func `an observer receives every state that is shown`() async throws {
    let stub = try await ReactorStub(StopwatchReactor())
    var states = stub.reactor.state.makeAsyncIterator()
    #expect(await states.next() == 5)
    await stub.show(1)
    await stub.show(2)
    #expect(await states.next() == 1)
    #expect(await states.next() == 2)
  }

  @Test func `an action changes nothing: no hook, mutate or reduce runs`() async throws {
    let stub = try await ReactorStub(StopwatchReactor())
    await stub.reactor.send(.start).settled
    #expect(await stub.reactor.currentState == 5)
    #expect(await stub.reactor.calls == 0)
  }

  @Test func `outputs are delivered`() async throws {
    let stub = try await ReactorStub(StopwatchReactor())
    let outputs = stub.reactor.outputs()
    await stub.output("done")
    #expect(await outputs.next() == "done")
  }

  @Test func `a reactor that has begun is refused, and is not affected`() async {
    let reactor = StopwatchReactor()
    await reactor.send(.start).settled
    let error = await #expect(throws: StubError.self) { try await ReactorStub(reactor) }
    #expect(
      error?.description
        == "StopwatchReactor has begun already; make the stub of an unused one")
    await reactor.send(.start).settled
    #expect(await reactor.currentState == 7)
  }

  @Test func `a stub does not affect other reactors`() async throws {
    let stub = try await ReactorStub(StopwatchReactor())
    let live = StopwatchReactor()
    await stub.show(100)
    await live.send(.start).settled
    #expect(await live.currentState == 6)
  }

  @Test func `a cancelled wait for actions returns`() async {
    let texts = await texts {
      let stub = try await ReactorStub(StopwatchReactor())
      stub.reactor.send(.start)
      _ = await stub.actions(upTo: 1)
      let waiting = Task { await stub.actions(upTo: 2) }
      waiting.cancel()
      #expect(await waiting.value == [.start])
    }
    let text = "the waiting was cancelled, and 1 of 2 actions had come; send more, or expect less"
    #expect(texts.count == 1 && texts.first?.hasPrefix(text) == true, "\(texts)")
  }

  @Test func `a wait for actions of a reactor that has ended returns`() async {
    let texts = await texts {
      let stub = try await ReactorStub(StopwatchReactor())
      let waiting = Task.immediate { await stub.actions(upTo: 1) }
      await stub.reactor.stop().settled
      #expect(await waiting.value == [])
      #expect(await stub.actions(upTo: 1) == [])
    }
    let text = "the reactor has ended, and 0 of 1 actions had come; send more, or expect less: []"
    #expect(texts == [text, text])
  }

  @Test func `it can be stopped`() async throws {
    let stub = try await ReactorStub(StopwatchReactor())
    let states = Task.immediate {
      var seen: [Int] = []
      for await state in stub.reactor.state { seen.append(state) }
      return seen
    }
    await stub.reactor.stop().settled
    #expect(await states.value == [5])
    #expect(stub.reactor.send(.start).isRefused)
  }
}

private actor StopwatchReactor: Reactor {
  enum Action { case start, stop }
  typealias Mutation = Int
  typealias Output = String

  let initialState = 5
  let pipeline = Pipeline()
  private(set) var calls = 0

  func transform(mutation: Mutations) -> some AsyncSequence<Int, Never> {
    calls += 1
    return mutation.map { $0 }
  }

  func mutate(action: Action) -> MutationStream<Int> {
    calls += 1
    return .just(1)
  }

  func reduce(state: inout Int, mutation: Int) {
    calls += 1
    state += mutation
  }

  nonisolated func report(_ report: ReactorReport) {}
}
