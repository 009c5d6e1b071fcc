import Reactor
import ReactorTesting
import Testing
import TestLimits

@Suite(.bounded) struct RecorderTests {
  /// Runs something that is to fail, and checks what it says.
  private func failure(
    _ text: String, _ body: @escaping @Sendable (NoteReactor, Recorder<NoteReactor>) async -> Void
  ) async {
    await withKnownIssue {
      let reactor = NoteReactor()
      await body(reactor, await Recorder(reactor))
    } matching: { issue in
      issue.comments.contains { $0.rawValue.contains(text) }
    }
  }

  // MARK: What passes

  @Test func `states, mutations, outputs, reports and actions of a running reactor`() async {
    let reactor = NoteReactor()
    let recorder = await Recorder(reactor)
    reactor.send(.add(1))
    reactor.send(.fail)
    reactor.send(.say)
    #expect(await recorder.next(\.state) == [[1]])
    #expect(await recorder.next(\.mutation) == [1])
    #expect(await recorder.next(\.action, count: 3) == [.add(1), .fail, .say])
    #expect(await recorder.next(\.output) == ["said"])
    #expect(await recorder.next(\.report).map(\.isRoutine) == [false])
    #expect(recorder.all(\.state) == [[], [1]])
  }

  @Test func `next continues where it was, for each kind by itself`() async {
    let reactor = NoteReactor()
    let recorder = await Recorder(reactor)
    for number in 1...3 { reactor.send(.add(number)) }
    #expect(await recorder.next(\.mutation, count: 2) == [1, 2])
    #expect(await recorder.next(\.mutation) == [3])
    #expect(await recorder.next(\.state?.count) == [1])
    #expect(await recorder.next(\.output, count: 0) == [])
  }

  @Test func `the first match may exist already, or be yet to come`() async {
    let reactor = NoteReactor()
    let recorder = await Recorder(reactor)
    #expect(await recorder.first(\.state) == [])
    async let late = recorder.first(\.state) { $0.count == 2 }
    reactor.send(.add(1))
    await recorder.next(\.state)
    reactor.send(.add(2))
    #expect(await late == [1, 2])
    #expect(await recorder.first(\.state) { $0.count == 2 } == [1, 2])
  }

  @Test func `in a simulation, in every order`() async throws {
    try await simulate(seeds: 0..<20) { simulation in
      let reactor = NoteReactor(clock: simulation.clock)
      let recorder = await Recorder(reactor)
      reactor.send(.later(7))
      async let state = recorder.next(\.state)
      await simulation.advance(by: .seconds(1))
      #expect(await state == [[7]])
    }
  }

  @Test func `several recorders can be used beside a test`() async throws {
    try await simulate { simulation in
      let reactor = NoteReactor(clock: simulation.clock)
      let first = await Recorder(reactor)
      let test = await ReactorTest(reactor, in: simulation)
      let second = await Recorder(reactor)
      await test.send(.add(1)) { $0 = [1] }
      await test.send(.say)
      await test.receiveOutput("said")
      await test.finish()
      for recorder in [first, second] {
        #expect(recorder.all(\.mutation) == [1])
        #expect(recorder.all(\.action) == [.add(1), .say])
        #expect(recorder.all(\.output) == ["said"])
      }
    }
  }

  @Test func `a recorder goes on after a restart`() async {
    let reactor = NoteReactor()
    let recorder = await Recorder(reactor)
    await reactor.restart(from: [9])
    reactor.send(.add(1))
    #expect(await recorder.first(\.state) { $0.count == 2 } == [9, 1])
    #expect(recorder.all(\.state) == [[], [9], [9, 1]])
  }

  @Test func `recorded entries are returned after the end`() async {
    let reactor = NoteReactor()
    let recorder = await Recorder(reactor)
    reactor.send(.add(1))
    await reactor.stop().settled
    #expect(await recorder.next(\.state) == [[1]])
  }

  // MARK: What fails, and what it says

  @Test func `the reactor ends before enough entries have come`() async {
    await failure(
      """
      the reactor has ended, and 1 of 2 states had come; send what brings it before the end, or expect \
      less. Recorded:

      0: began with
           []
      1: reduced 5
             [
           +   [0]: 5
             ]
      2: taken: add(5)
      3: output: said
      4: taken: say
      5: ended
      """
    ) { reactor, recorder in
      reactor.send(.add(5))
      reactor.send(.say)
      reactor.stop()
      #expect(await recorder.next(\.state, count: 2) == [[5]])
    }
  }

  @Test func `the reactor is released before the entry comes`() async {
    await withKnownIssue {
      // The recorder alone holds the reactor.
      let recorder = await Recorder(NoteReactor())
      #expect(await recorder.first(\.output) == nil)
    } matching: { issue in
      issue.comments.contains {
        $0.rawValue.contains(
          "the reactor has ended, and no output that fits had come; send what brings it "
            + "before the end"
        )
      }
    }
  }

  @Test func `a reactor that had ended before`() async {
    await withKnownIssue {
      let reactor = NoteReactor()
      await reactor.stop().settled
      await Recorder(reactor).first(\.state?.first)
    } matching: { issue in
      issue.comments.contains {
        $0.rawValue.contains(
          "the reactor has ended, and no value that fits had come; send what brings it "
            + "before the end"
        )
      }
    }
  }

  @Test func `the wait is cancelled`() async {
    await failure(
      "the waiting was cancelled, and 0 of 1 mutations had come; send what brings it, or turn"
    ) {
      reactor, recorder in
      let waiting = Task { await recorder.next(\.mutation) }
      reactor.send(.fail)
      await recorder.first(\.report)
      waiting.cancel()
      #expect(await waiting.value == [])
    }
  }

  @Test func `errors are included in what is shown`() async {
    await failure(": the effect of action 0 'fail' failed: Oops") {
      reactor, recorder in
      reactor.send(.fail)
      await recorder.first(\.report)
      reactor.stop()
      await recorder.next(\.output)
    }
  }

  @Test func `it fails at the line of the call`() async {
    let line = #line + 5
    await withKnownIssue {
      let reactor = NoteReactor()
      let recorder = await Recorder(reactor)
      reactor.stop()
      await recorder.next(\.state)
    } matching: { issue in
      issue.sourceLocation?.line == line
    }
  }
}

private actor NoteReactor: Reactor {
  enum Action: Equatable { case add(Int), later(Int), fail, say }
  typealias Mutation = Int
  typealias Output = String

  let initialState: [Int] = []
  let pipeline = Pipeline()
  private let clock: any Clock<Duration>

  init(clock: any Clock<Duration> = ImmediateClock()) { self.clock = clock }

  func mutate(action: Action) -> MutationStream<Int> {
    switch action {
    case .add(let number): return .just(number)
    case .later(let number):
      return .run { emit in
        try await self.clock.sleep(for: .seconds(1))
        await emit(number)
      }
    case .fail: return .run { _ in throw Oops() }
    case .say:
      output("said")
      return .empty
    }
  }

  func reduce(state: inout [Int], mutation: Int) { state.append(mutation) }

  nonisolated func report(_ report: ReactorReport) {}
}
