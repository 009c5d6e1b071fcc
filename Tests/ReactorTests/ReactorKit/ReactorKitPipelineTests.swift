import AsyncAlgorithms
import Reactor
import TestLimits
import TestSupport
import Testing

/// ReactorKit's own cases, 2 to 10 and 15 to 19, in our words; number 1 is in `ReactorFlowTests`.
@Suite(.bounded) struct ReactorKitPipelineTests {
  @Test func `each mutation is reduced before the next is computed`() async {
    let reactor = ScriptedReactor { reactor, action in
      .concat(
        .run { emit in await emit(reactor.currentState.count + 1) },
        .run { emit in await emit(reactor.currentState.count + 1) })
    }
    let receipts = (0..<3).map { reactor.send($0) }
    for receipt in receipts { await receipt.settled }
    #expect(await reactor.currentState == [1, 2, 3, 4, 5, 6])
  }

  @Test func `a new observer gets the current state only`() async {
    let reactor = ScriptedReactor()
    do {
      var early = reactor.state.makeAsyncIterator()
      #expect(await early.next() == [])
      reactor.send(1)
      reactor.send(2)
      #expect(await early.next() == [1])
    }
    await reactor.send(3).settled
    let late = reactor.state.makeAsyncIterator()
    await reactor.stop().settled
    var states: [[Int]] = []
    var iterator = late
    while let state = await iterator.next() { states.append(state) }
    #expect(states == [[1, 2, 3]])
  }

  @Test func `a state that was read but never observed is hot`() async {
    let reactor = ScriptedReactor()
    _ = reactor.state
    await reactor.send(1).settled
    #expect(await reactor.currentState == [1])
  }

  @Test func `sending alone starts the pipeline`() async {
    let reactor = ScriptedReactor()
    await reactor.send(1).settled
    #expect(await reactor.currentState == [1])
  }

  @Test func `reading alone starts the pipeline`() async {
    let reactor = ScriptedReactor()
    #expect(await reactor.currentState == [])
  }

  @Test func `an action source that fails does not end the others`() async {
    let reactor = ScriptedReactor()
    await forward([1, 2], failing: true, to: reactor)
    await forward([3], failing: true, to: reactor)
    await reactor.send(4).settled
    #expect(await reactor.currentState == [1, 2, 3, 4])
  }

  @Test func `an effect that fails in the third of five actions`() async {
    let reactor = ScriptedReactor { _, action in
      .run { emit in
        await emit(action)
        if action == 3 { throw Failure(number: 3) }
      }
    }
    var states = reactor.state.makeAsyncIterator()
    #expect(await states.next() == [])
    for action in 1...5 { reactor.send(action) }
    for count in 1...5 { #expect(await states.next() == Array(1...count)) }
    _ = await reactor.reports.entries(upTo: 1)
    await reactor.stop().settled
    #expect(reactor.reports.problems == ["effectFailed"])
    #expect(reactor.reports.entries.first?.action as? Int == 3)
  }

  @Test func `an action source that ends does not end the others`() async {
    let reactor = ScriptedReactor()
    await forward([1, 2], failing: false, to: reactor)
    await forward([3], failing: false, to: reactor)
    await reactor.send(4).settled
    #expect(await reactor.currentState == [1, 2, 3, 4])
  }

  @Test func `an effect that ends early does not end the loop`() async {
    let reactor = ScriptedReactor { _, action in
      action == 2 ? .empty : .run { emit in await emit(action) }
    }
    for action in 1...3 { await reactor.send(action).settled }
    #expect(await reactor.currentState == [1, 3])
  }

  @Test func `a stopwatch starts, stops and continues from where it was`() async {
    let ticks = AsyncChannel<Void>()
    let stopwatch = Stopwatch(ticks)
    var states = stopwatch.state.makeAsyncIterator()
    #expect(await states.next() == 0)

    stopwatch.send(.start)
    for second in 1...4 {
      await ticks.send(())
      #expect(await states.next() == second)
    }
    await stopwatch.send(.stop).settled
    let second = stopwatch.send(.start)
    await ticks.send(())
    #expect(await states.next() == 5)
    await stopwatch.send(.stop).settled
    await second.settled
    #expect(await stopwatch.currentState == 5)
  }

  @Test func `a generic reactor has one pipeline, before and after state is read`() async {
    let reactor = GenericReactor(start: "a")
    reactor.send("b")
    _ = reactor.state
    #expect(await reactor.state.first { $0.count == 2 } == ["a", "b"])
  }

  @Test func `a generic reactor takes actions without its state being read`() async {
    let reactor = GenericReactor(start: 0)
    #expect(await reactor.currentState == [0])
    await reactor.send(1).settled
    #expect(await reactor.currentState == [0, 1])
  }

  @Test func `100 threads that start it at once start it once`() async {
    let made = Log<Int>()
    let reactor = StateHookedReactor { _, state in
      made.append(0)
      return Erased(state)
    }
    let firsts = await withTaskGroup(of: [Int]?.self) { group in
      for _ in 0..<100 { group.addTask { await reactor.state.first { _ in true } } }
      var firsts: [[Int]?] = []
      for await first in group { firsts.append(first) }
      return firsts
    }
    #expect(firsts == Array(repeating: [], count: 100))
    #expect(made.count == 1)
  }

  @Test func `an action from another thread reaches an observer`() async {
    let reactor = ScriptedReactor()
    var states = reactor.state.makeAsyncIterator()
    #expect(await states.next() == [])
    await Task.detached { _ = reactor.send(1) }.value
    #expect(await states.next() == [1])
  }
}

/// Sends what a source yields, until it ends or fails.
private func forward(_ actions: [Int], failing: Bool, to reactor: ScriptedReactor) async {
  let (source, continuation) = AsyncThrowingStream<Int, any Error>.makeStream()
  for action in actions { continuation.yield(action) }
  continuation.finish(throwing: failing ? Failure() : nil)
  do { for try await action in source { reactor.send(action) } } catch {}
}

private actor Stopwatch: Reactor {
  enum Action { case start, stop }
  enum Mutation { case tick }
  typealias State = Int

  let initialState = 0
  let pipeline = Pipeline()
  private let ticks: AsyncChannel<Void>
  private var isRunning: Task<Void, Never>?

  init(_ ticks: AsyncChannel<Void>) { self.ticks = ticks }

  func mutate(action: Action) -> MutationStream<Mutation> {
    switch action {
    case .start:
      return .run { emit in
        let ticking = Task { for await _ in self.ticks { await emit(.tick) } }
        self.isRunning = ticking
        await withTaskCancellationHandler {
          await ticking.value
        } onCancel: {
          ticking.cancel()
        }
      }
    case .stop:
      isRunning?.cancel()
      return .empty
    }
  }

  func reduce(state: inout Int, mutation: Mutation) { state += 1 }
}

private actor GenericReactor<Value: Sendable>: Reactor {
  typealias Action = Value
  typealias Mutation = Value
  typealias State = [Value]

  let initialState: [Value]
  let pipeline = Pipeline()

  init(start: Value) { initialState = [start] }

  func reduce(state: inout [Value], mutation: Value) { state.append(mutation) }
}
